// Pipeline -> barrier for Ascend 950, where the kernel asks for it (sluice.mutexes): a pipeline
// from one pipe to another of its core becomes a mutex for each slot. Who fills a slot locks it,
// and who takes from it; the order of the stream says whose turn it is, so that nothing is primed
// or drained.
#pragma once

#include "Transform/Tiles.h"

namespace sluice {

/// Erases the pipelines that it lowers. Those between cores, with several producers or consumers,
/// or whose fills and uses do not follow one another in the stream are left to flags, those that
/// take units (Barrier/HandOver.h) to them.
mlir::LogicalResult lowerToMutexes(ir::KernelOp kernel);

} // namespace sluice

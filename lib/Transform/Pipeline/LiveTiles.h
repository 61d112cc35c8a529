// Tiles in registers that hold values at the same time.
#pragma once

#include "Transform/Tiles.h"

namespace sluice {

/// The most bytes of `tiles` that are alive at once: from where a value is written to where it was
/// last read. Over a loop that carries it, or that does not hold all its uses, a tile is alive
/// throughout. What reads a tile last may write another in its place.
int64_t mostBytesAlive(ir::KernelOp kernel, llvm::ArrayRef<ir::AllocOp> tiles);

} // namespace sluice

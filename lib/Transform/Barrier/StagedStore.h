// Stores by TMA from the shared memory in which the result was staged.
#pragma once

#include "Transform/Tiles.h"

namespace sluice {

/// In the role that stores for another: one thread's TMA store. In the role that computes: the copy
/// from registers, a fence, a meeting of the warps, then that store; in a loop the staging buffer
/// is free again when that thread's stores have read it. Other stores stay as they are. Named
/// barriers up to `taken` are the author's.
mlir::LogicalResult lowerStagedStore(ir::StoreOp store, int64_t taken);

} // namespace sluice

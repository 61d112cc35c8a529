// Stores by TMA from the shared memory in which the result was staged.
#pragma once

#include "Transform/Tiles.h"

namespace sluice {

/// registers -> staging, fence, barrier, then one thread's TMA store. In a loop the staging buffer
/// is free again when that thread's stores have read it. Other stores stay as they are.
mlir::LogicalResult lowerStagedStore(ir::StoreOp store, const Warps &warps);

} // namespace sluice

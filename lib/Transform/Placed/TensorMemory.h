// Products of sm_100a add up in tensor memory, by one thread; a role of four warps takes sums out.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// A kernel for sm_100a that multiplies.
bool isForTensorMemory(ir::KernelOp kernel);

/// A sum lies there, a row in each lane.
ir::BufferType inTensorMemory(ir::BufferType type);
/// Before anything has a place: what tcgen05.mma multiplies.
mlir::LogicalResult verifyTensorMemoryProduct(ir::MmaOp mma);
/// Whether a product adds to the tile.
bool isSum(ir::AllocOp tile);

} // namespace sluice

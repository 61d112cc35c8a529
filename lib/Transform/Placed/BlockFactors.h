// Factors of block-scaled products on their way: shared memory, and from there tensor memory.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// Before anything has a place: what a block-scaled product multiplies, and how its factors come.
mlir::LogicalResult verifyFactors(ir::MmaOp mma);
/// Whether a block-scaled product takes its factors from the tile.
bool areFactors(ir::AllocOp tile);
/// They wait in shared memory as they lie in the tensor; in front of each product they are copied
/// to a tile in tensor memory.
void bringFactors(ir::KernelOp kernel);

} // namespace sluice

// Tile level, sm_100a: sums that are computed on wait in registers; what products add to them, or
// overwrite them by, comes out of tensor memory.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// Whether more is done with the sum than to read it in one block: something else than a product
/// writes it, or several blocks read it.
bool isComputedOn(ir::AllocOp sum);

/// Such a sum becomes a tile of registers. Where its products come first, they have a tile in its
/// place, which is copied to it once; else each product has one of its own, which is added to it in
/// front of what looks at the sum next. Tiles of products are appended to `products`.
mlir::LogicalResult holdSum(ir::AllocOp sum, std::vector<ir::AllocOp> &products);

} // namespace sluice

// Tile level, sm_100a: tiles of 256 rows become two of 128, each with its own products, its own
// sums in tensor memory and its own four warps that go on with them: one half is computed on under
// the products of the other.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// Where a sum has 256 rows. Statements other than products and loads for them are named for the
/// role of their half.
mlir::LogicalResult takeHalves(ir::KernelOp kernel);

} // namespace sluice

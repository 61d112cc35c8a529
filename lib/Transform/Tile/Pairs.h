// Products of pairs of CTAs (sm_100a): the two CTAs of a cluster multiply together, and each loads
// half of the tile that both multiply by.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// Of a grid marked sluice.pair, once the loads that its CTAs have in common are known: notes the
/// pair on every product, and refuses by name what no pair multiplies.
mlir::LogicalResult pairProducts(ir::GridOp grid);

/// Nobody but lowering notes a pair on a product.
mlir::LogicalResult verifyUnpaired(ir::KernelOp kernel);

/// Whether the products of a kernel are of pairs.
bool isOfPairs(ir::KernelOp kernel);

} // namespace sluice

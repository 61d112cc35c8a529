// What crosses the warps that hold the rows of a tile: vectors of one number a row, of which each
// warp needs all (a copy of the vector turned), or what they fold into (axis 0). The warps hand
// their numbers to each other through shared memory; across a cluster (`sluice.across`) those of
// all its CTAs do so. Copies side by side are one exchange.
#pragma once

#include "Transform/Tiles.h"

namespace sluice {

/// Whether the fold is such a one, of tiles by whole rows.
bool isVectorFold(ir::ReduceOp reduce);

/// Whether warps can hand each other what a copy of a turned vector takes.
mlir::LogicalResult verifyAllRows(ir::CopyOp copy);

/// Each exchange of registers becomes: copies to shared memory, or to that of each CTA, and copies
/// of all numbers back, which a fold then folds.
void exchangeAcrossWarps(ir::KernelOp kernel);

} // namespace sluice

// Folds of a vector of one number a row (axis 0), which crosses the warps that hold the rows: they
// hand their numbers to each other through shared memory, and each folds them all. Across a cluster
// (`sluice.across`) those of all its CTAs do so, in one exchange.
#pragma once

#include "Transform/Tiles.h"

namespace sluice {

/// Whether the fold is such a one, of tiles by whole rows.
bool isVectorFold(ir::ReduceOp reduce);

/// Each such fold of registers becomes: a copy to shared memory, or to that of each CTA, one of all
/// numbers back, and a fold of those.
void foldAcrossWarps(ir::KernelOp kernel);

} // namespace sluice

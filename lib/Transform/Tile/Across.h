// Folds that the CTAs of a cluster make together (`sluice.across`).
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// Refuses those for which no cluster is launched whose CTAs come to them in step.
mlir::LogicalResult verifyAcross(ir::KernelOp kernel);

} // namespace sluice

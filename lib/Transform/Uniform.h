// Data that steers synchronisation: what a kernel may branch on, and what `sluice.uniform` may
// mark.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// Fails where a kernel of the barrier or allocated phase synchronises under a branch (or with a
/// slot, parity or byte count) that depends on data which is not marked `sluice.uniform`, and where
/// the mark does not hold: data that this launch writes, values of single lanes or of one warp.
mlir::LogicalResult verifyUniform(ir::KernelOp kernel);

} // namespace sluice

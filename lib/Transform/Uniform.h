// Data that steers synchronisation: what a kernel may branch on, and what `sluice.uniform` may
// mark.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// Fails where a kernel of any phase reads scalars from a tensor that somebody may write meanwhile.
mlir::LogicalResult verifyScalarLoads(ir::KernelOp kernel);

/// Fails where a kernel of the barrier or allocated phase synchronises under a branch (or with a
/// slot, parity or byte count) that depends on data which is not marked `sluice.uniform`, and where
/// the mark does not hold: values of single lanes or of one warp.
mlir::LogicalResult verifyUniform(ir::KernelOp kernel);

} // namespace sluice

// Which operations may stand in which phase. Stated once, in the table of Phases.cpp.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice::ir {

/// Fails at the first operation of `kernel` that has no place in `phase` (tile, placed, pipeline,
/// barrier, allocated): the message names it, the phase and the phases where it belongs.
mlir::LogicalResult verifyPhase(KernelOp kernel, llvm::StringRef phase);

/// Pipeline phase: every verb stands with a producer or consumer of its pipeline, and these exist.
/// Part of verifyPhase.
mlir::LogicalResult verifyPipelineUse(KernelOp kernel);

/// The pass -sluice-verify-phase[=phase=<name>]; without a name, the phase that each kernel states.
void registerVerifyPhasePass();

} // namespace sluice::ir

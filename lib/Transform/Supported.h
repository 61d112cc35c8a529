// What lowering does not know yet of kernels that an author wrote at the pipeline level.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// Raw text is there for the target.
mlir::LogicalResult verifyRawTexts(ir::KernelOp kernel, Target target);

/// What an author wrote has an effect on the target, or is refused here: role options, prefetches,
/// epochs, marks, tensors.
mlir::LogicalResult verifyNothingIgnored(ir::KernelOp kernel, Target target);

/// A kernel of tiles writes all that it is to write, as far as constants tell.
mlir::LogicalResult verifyOutputs(ir::KernelOp kernel);

/// Fails at the first construct that the passes from the pipeline level down would not carry over
/// faithfully, with the reason and the way out. Kernels that the passes made themselves pass.
mlir::LogicalResult verifySupported(ir::KernelOp kernel);

/// One stream of operations at the pipeline level, each with the role that it goes to: what the
/// pipeline pass leaves, before the roles are split.
bool isUndivided(ir::KernelOp kernel);

} // namespace sluice

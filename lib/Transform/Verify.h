// What an author wrote works, or is refused by name before anything is lowered: rules that a kernel
// of one target and level is held to. Each file keeps those of one subject.
#pragma once

#include "Dialect/Dialect.h"
#include "Program/Types.h"

namespace sluice {

/// All of them that the kernel's level and target have.
mlir::LogicalResult verifyWritten(ir::KernelOp kernel, Target target);

// Any level.

/// The target has what the kernel asks for.
mlir::LogicalResult verifyTargetHas(ir::KernelOp kernel, Target target);
/// Fills are of numbers that tiles hold.
mlir::LogicalResult verifyFills(ir::KernelOp kernel);
/// Of outputs and workspaces that are read something has been written.
mlir::LogicalResult verifyContents(ir::KernelOp kernel);

// Tile level.

/// Outputs are written, as far as constants tell.
mlir::LogicalResult verifyOutputs(ir::KernelOp kernel);
/// So is what else is marked as written; and there are tiles to launch warps for.
mlir::LogicalResult verifyEffects(ir::KernelOp kernel);
/// Every role comes to an epoch.
mlir::LogicalResult verifyEpochs(ir::KernelOp kernel);
/// Counters have who adds and waits.
mlir::LogicalResult verifyCounters(ir::KernelOp kernel);

// Pipeline level, of kernels whose author wrote the roles.

/// NVIDIA: roles have warps and names, and all stands in one.
mlir::LogicalResult verifyRoles(ir::KernelOp kernel);
/// NVIDIA: options of a ring fit its ends, and the ends each other.
mlir::LogicalResult verifyRings(ir::KernelOp kernel);
/// Ascend: roles are streams of cores, the ends of rings pipes of theirs.
mlir::LogicalResult verifyCores(ir::KernelOp kernel);

} // namespace sluice

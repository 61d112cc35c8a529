// Roles among tiles that have a name: `sluice.roles` of the kernel gives their warps, and
// `sluice.in_role` puts a statement into one. What fits is lowered, all else is refused by name.
#pragma once

#include "Dialect/Dialect.h"
#include "Program/Types.h"

namespace sluice {

/// Before anything is lowered: names, and what they stand beside.
mlir::LogicalResult verifyNamedRoles(ir::KernelOp kernel, Target target);

/// Once every operation has its role: each has something to do, and they fit into a CTA.
mlir::LogicalResult verifyRolesAct(ir::KernelOp kernel);

/// Tile level: what a tile holds is computed by one role.
mlir::LogicalResult verifyComputers(ir::KernelOp kernel);
/// With tiles in their places: roles that hold some have whole warpgroups.
mlir::LogicalResult verifyWarpsOfRoles(ir::KernelOp kernel);
/// Placed level: registers are of one role, and who loads a tile for others does not read it.
mlir::LogicalResult verifyPlacesOfRoles(ir::KernelOp kernel);

} // namespace sluice

// Threads of a role that meet at named barriers.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// All threads of a role, or those of each of its warpgroups.
struct Meeting {
  int64_t groups = 1, threads = 0; // of one group
  mlir::Value group = {};          // number of this warpgroup; null for one group
  int64_t barrier = 1;             // named; of several groups the first one's
};

/// At the barrier of the own group, or that of all.
void meet(mlir::OpBuilder &b, mlir::Location loc, const Meeting &meeting);

/// The highest named barrier at which roles other than `except` meet; 0 is that of all.
int64_t lastBarrier(ir::KernelOp kernel, ir::RoleOp except = {});

/// Number of the own warpgroup in its role, at the top of the role.
mlir::Value warpgroupOf(ir::RoleOp role, mlir::Location loc);

} // namespace sluice

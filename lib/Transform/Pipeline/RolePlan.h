// The roles of a kernel of tiles for sm_90a: who there is, with which warps and registers, and what
// each does, as the data flow asks for it. Roles that an author writes say it themselves.
#pragma once

#include "Arch/Arch.h"
#include "Transform/Tiles.h"

namespace sluice {

/// What a role is there for.
enum class Duty : uint8_t { compute, load, store, schedule };

/// What texts and pictures call it.
llvm::StringRef nameOf(Duty duty);

struct PlannedRole {
  Duty duty = Duty::compute;
  int first = 0, end = 0;                // warps
  std::optional<int64_t> registers = {}; // of a thread; absent: those it is launched with
  int warps() const { return end - first; }
};

struct RolePlan {
  std::vector<PlannedRole> roles;
  int groups = 1; // as many as the role that computes take tiles in turn
  int warps = 0;  // of the kernel; idle ones fill the last warpgroup where registers change

  /// 0 where there is no such role.
  int warpsOf(Duty duty) const;
};

RolePlan planRoles(ir::KernelOp kernel);
/// The same, with registers.
RolePlan planRoles(ir::KernelOp kernel, const Arch &arch);

/// A loop over tiles whose next one is drawn while the kernel runs; null: the kernel has none.
mlir::scf::ForOp dynamicLoopOf(mlir::Operation *around);

/// Whose an operation of the placed level is; nothing: nobody's.
std::optional<Duty> dutyOf(mlir::Operation *op);

/// Whether the grid asks that no role loads: who computes does, some steps ahead.
bool loadsAhead(ir::KernelOp kernel);

} // namespace sluice

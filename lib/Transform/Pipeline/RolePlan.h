// The roles of a kernel of tiles for sm_90a: who there is, with which warps and registers, and what
// each does, as its author names it and otherwise as the data flow asks for it. Roles that an
// author writes say it themselves.
#pragma once

#include "Arch/Arch.h"
#include "Transform/Tiles.h"

namespace sluice {

/// What a role is there for, where its author does not name one.
enum class Duty : uint8_t { compute, load, store, schedule };

/// What texts and pictures call it.
llvm::StringRef nameOf(Duty duty);

struct PlannedRole {
  std::string name;
  bool computes = false;                 // holds tiles in registers
  int first = 0, end = 0;                // warps
  std::optional<int64_t> registers = {}; // of a thread; absent: those it is launched with
  bool leader = false;                   // on the first CTA of each cluster alone
  int warps() const { return end - first; }
};

struct RolePlan {
  std::vector<PlannedRole> roles;
  int groups = 1; // as many as the role that computes take tiles in turn
  int warps = 0;  // of the kernel; idle ones fill the last warpgroup where registers change

  /// 0 where there is no such role.
  int warpsOf(llvm::StringRef name) const;
};

RolePlan planRoles(ir::KernelOp kernel);
/// The same, with registers.
RolePlan planRoles(ir::KernelOp kernel, const Arch &arch);

/// A loop over tiles whose next one is drawn while the kernel runs; null: the kernel has none.
mlir::scf::ForOp dynamicLoopOf(mlir::Operation *around);

/// Whose an operation of the tile or placed level is: the role that its author names, else that of
/// its duty; empty: nobody's. Whether a load is of the role that loads, its place decides.
llvm::StringRef roleFor(mlir::Operation *op);
/// The role that holds a tile of registers.
llvm::StringRef holderOf(ir::AllocOp tile);
/// Puts what a pass adds for `role` there.
void putInRole(mlir::Operation *op, llvm::StringRef role);

/// Whether a role of the leader CTA loads it, whatever its place.
bool isOfLeader(ir::LoadOp load);

/// Whether the author names roles.
bool hasNamedRoles(ir::KernelOp kernel);

/// Whether the grid asks that no role loads: who computes does, some steps ahead.
bool loadsAhead(ir::KernelOp kernel);

} // namespace sluice

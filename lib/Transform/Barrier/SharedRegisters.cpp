#include "Transform/Barrier/SharedRegisters.h"

#include <vector>

namespace sluice {

using namespace ir;

/// Whether two roles lie in one warpgroup, at least in part.
static bool meet(RoleOp a, RoleOp b) {
  constexpr uint64_t warps = 4; // of a warpgroup
  return *a.getFirst() / warps * warps < *b.getEnd() && *b.getFirst() / warps * warps < *a.getEnd();
}

void shareRegisters(KernelOp kernel) {
  std::vector<RoleOp> roles;
  for (RoleOp role : kernel.getOps<RoleOp>())
    if (role.getFirst() && role.getEnd())
      roles.push_back(role);
  for (bool changed = true; changed;) {
    changed = false;
    for (RoleOp a : roles)
      for (RoleOp b : roles) {
        const uint64_t own = a.getRegisters().value_or(0), its = b.getRegisters().value_or(0);
        if (!meet(a, b) || its <= own)
          continue;
        a.setRegisters(its);
        changed = true;
      }
  }
}

} // namespace sluice

// Registers of the roles of a Hopper kernel: setmaxnreg takes them from the warpgroup that loads
// and stores and gives them to those that compute, where these would spill otherwise.
#pragma once

#include "Arch/Arch.h"
#include "Transform/Tiles.h"

namespace sluice {

/// Sets `registers` of all roles, or of none. Yields the warps of the kernel: whole warpgroups
/// where registers change.
int giveRegisters(ir::KernelOp kernel, const Warps &warps, const Arch &arch);

} // namespace sluice

// Registers of roles in one warpgroup, which changes them as a whole (PTX ISA, setmaxnreg).
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// Roles that share a warpgroup get as many as the one that asks for most.
void shareRegisters(ir::KernelOp kernel);

} // namespace sluice

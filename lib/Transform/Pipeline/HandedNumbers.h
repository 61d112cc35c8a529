// Numbers that one role draws from a counter and all who need them take out of a ring: the old
// value of an add, among tiles.
#pragma once

#include "Arch/Arch.h"
#include "Transform/Tiles.h"

namespace sluice {

/// A step of the lowering: the old value of an add reaches the roles that need it.
mlir::LogicalResult handNumbersOn(ir::KernelOp kernel, const Arch &arch);

/// Whether the buffer holds such a number, which the role that draws takes from it, too.
bool isHandedNumber(ir::AllocOp buffer);

/// Each role reads the number for itself, where it has one: of the reads in its copy of the stream
/// its own takes the place of the others'.
void takeOwnNumbers(ir::RoleOp role);
/// Fails where the role needs a number that it does not read.
mlir::LogicalResult verifyOwnNumbers(ir::RoleOp role);

} // namespace sluice

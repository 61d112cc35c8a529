// Pipeline -> barrier for sm_90a. The kernel may be launched before the one in front of it has
// ended: what its roles do before their first loop or access runs beside that one, and who touches
// no tensor need not wait. Numbers that decide how a kernel runs are read before the roles, and by
// all: such a kernel starts last.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

void waitForKernelBefore(ir::KernelOp kernel, mlir::OpBuilder &b);

} // namespace sluice

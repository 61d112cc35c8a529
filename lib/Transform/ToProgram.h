// The last step of the compiler: a kernel in the allocated phase becomes a Program.
#pragma once

#include "Dialect/Dialect.h"
#include "Machine/Program.h"
#include "Machine/Result.h"

namespace sluice {

/// Fails with `unsupported` on operations that no later part knows yet, naming them.
Result<Program> toProgram(ir::KernelOp kernel);

} // namespace sluice

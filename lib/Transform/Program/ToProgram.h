// The last step of the compiler: a kernel in the allocated phase becomes a Program.
#pragma once

#include "Dialect/Dialect.h"
#include "Program/Program.h"
#include "Support/Result.h"

namespace sluice {

/// Fails with `unsupported` on operations that no later part knows yet, naming them.
Result<Program> toProgram(ir::KernelOp kernel);

} // namespace sluice

// Tensors that lowering adds to a kernel.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// A workspace in front of what the kernel writes, called `name`, or `name_tile` where a tensor is
/// called so.
mlir::Value addWorkspace(ir::KernelOp kernel, std::string name, ir::TensorType type);

} // namespace sluice

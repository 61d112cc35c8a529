// What a tool must know to read and write kernels.
#pragma once

#include "mlir/IR/DialectRegistry.h"

namespace sluice::ir {

/// sluice and the dialects that kernels use: arith, math, scf.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace sluice::ir

// Marks: what authors and passes say of an operation for some phases. Each phase reads its own; in
// any other a mark would be ignored.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// Refuses the marks that no pass from the kernel's phase on reads.
mlir::LogicalResult verifyMarksAreRead(ir::KernelOp kernel);

/// Takes the kernel to `phase`, without the marks that are read above it alone.
void enterPhase(ir::KernelOp kernel, llvm::StringRef phase);

} // namespace sluice

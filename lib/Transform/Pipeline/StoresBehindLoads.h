// A tensor that a kernel loads from and stores to: its loads end before stores that stand behind
// them, whoever reads what they have brought, and wherever.
#pragma once

#include "Transform/Pipeline/Rings.h"

namespace sluice {

/// Where the consumer of loaded tiles waits: in front of `read`, which reads them first, and of
/// stores to a tensor that they come from, which stand between it and `loads`, the last of those.
mlir::Operation *waitsAt(const Ring &ring, llvm::StringRef consumer, mlir::Operation *loads,
                         mlir::Operation *read);

} // namespace sluice

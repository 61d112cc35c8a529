// Loops that count behind what they do, so that they run once in any case.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace sluice {

/// do { ... } while (i + s < bound), i going on by s, as the loop from its start to the larger of
/// bound and start + 1, where the body has nothing but what the condition hands on. False: it is no
/// such loop, and stays as it is.
bool countRotated(mlir::IRRewriter &b, mlir::scf::WhileOp loop);

} // namespace sluice

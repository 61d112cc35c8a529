// How passes say that they do not take a kernel which is read and verified: the exit code and the
// verdict follow from the first word.
#pragma once

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace sluice {

/// However it is lowered, the kernel would break a rule of the machine: "R18: ...", violated.
inline mlir::InFlightDiagnostic breaks(const char *rule, mlir::Operation *op, const char *what) {
  return op->emitError(rule) << ": " << what;
}

/// Lowering has no form for it: "unsupported: ...".
inline mlir::InFlightDiagnostic unsupported(mlir::Operation *op, const char *what) {
  return op->emitError("unsupported: ") << what;
}

} // namespace sluice

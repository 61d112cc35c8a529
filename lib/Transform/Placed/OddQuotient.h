// Ascend, placed level: functions that no instruction computes, as x P(x^2) / Q(x^2).
#pragma once

#include "mlir/IR/Operation.h"

#include "llvm/ADT/SmallVector.h"

namespace sluice {

/// x P(x^2) / Q(x^2) for x between -reach and reach, beyond as there; P and Q by rising powers.
struct OddQuotient {
  double reach;
  llvm::SmallVector<double> above, below;
};

/// Of tanh and erf; null: another function.
const OddQuotient *oddQuotientOf(mlir::Operation *function);

} // namespace sluice

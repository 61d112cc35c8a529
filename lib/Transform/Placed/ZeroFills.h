// Zeros that the first product of a sum overwrites instead.
#pragma once

#include "Dialect/Dialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace sluice {

/// Whether a zero fill in front of it has made the loop run at least once.
bool runsAtLeastOnce(mlir::scf::ForOp loop);

} // namespace sluice

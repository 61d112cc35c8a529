// Loads and stores that take their time.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// Refuses `sluice.paced` in a kernel of tiles where nothing can come or go box by box.
mlir::LogicalResult verifyPace(ir::KernelOp kernel);

} // namespace sluice

// Loads and stores that take their time.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// Refuses `sluice.paced` in a kernel of tiles where nothing can come or go box by box.
mlir::LogicalResult verifyPace(ir::KernelOp kernel);

/// What lowering is left with of a load or store that asks for it and does not get it: placement
/// has found no other way for the tile.
mlir::LogicalResult refusePace(mlir::Operation *op);

} // namespace sluice

// Who brings a tile where its author says so (`sluice.loaded_by`).
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// Of a load whose tile has its place: it comes as the author asks for it, or is refused.
mlir::LogicalResult verifyLoadedBy(ir::LoadOp load);

/// Whether cp.async of the threads is to bring the tile.
bool isAsync(ir::LoadOp load);

} // namespace sluice

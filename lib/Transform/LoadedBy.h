// Who brings a tile where its author says so (`sluice.loaded_by`).
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// Of a load whose tile has its place: it comes as the author asks for it, or is refused.
mlir::LogicalResult verifyLoadedBy(ir::LoadOp load);

/// Who brings a box into L2: one thread through a tensor map or all threads of the role, as the
/// author asks or else the map where it can; or it is refused.
mlir::LogicalResult lowerPrefetches(ir::KernelOp kernel);

/// Whether cp.async of the threads is to bring the tile.
bool isAsync(ir::LoadOp load);

} // namespace sluice

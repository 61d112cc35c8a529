// Who brings a tile where its author says so (`sluice.loaded_by`).
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// Of a load whose tile has its place: it comes as the author asks for it, or is refused.
mlir::LogicalResult verifyLoadedBy(ir::LoadOp load);

/// Of a box that is brought into L2: the same.
mlir::LogicalResult verifyLoadedBy(ir::PrefetchOp prefetch);
/// Whether it goes through a tensor map: as its author asks or else where it can.
bool goesThroughMap(ir::PrefetchOp prefetch);

/// Whether cp.async of the threads is to bring the tile.
bool isAsync(ir::LoadOp load);

} // namespace sluice

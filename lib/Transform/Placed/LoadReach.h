// Ascend: where the box of a load into the unified buffer may lie outside of its tensor, and
// whether what the load leaves there is replaced before anyone reads it.
#pragma once

#include "Transform/Tiles.h"

namespace sluice {

/// Along which dimensions of the tile elements may be left as they were, in some launch. That other
/// coordinates of the box (a batch, the only row) may name nothing counts along columns, or along
/// rows where the tile is one column.
struct LoadReach {
  bool rows = false, columns = false; // behind the tensor's end
  bool before = false;                // in front of its beginning
};
LoadReach reachOf(ir::LoadOp load);

/// Whether it copies the box of the load from its tile to the same place in another one, perhaps of
/// a wider type. A load to a turned tile is copied from the tile turned alike.
bool isCopyOf(ir::MapOp map, ir::LoadOp load);

bool liesInUb(ir::AllocOp tile);

/// Zeros in what a copy of the load's box has beyond the tensor.
void replaceRest(mlir::OpBuilder &b, ir::LoadOp load, mlir::Value tile, LoadReach reach);

/// At the barrier level, of programs written by hand too: whether elements may be read that the
/// load leaves as they are. They are replaced if each reader copies the tile to one of its own, in
/// which fills as those of `replaceRest` come before anyone reads it.
bool leavesUnknown(ir::LoadOp load);

} // namespace sluice

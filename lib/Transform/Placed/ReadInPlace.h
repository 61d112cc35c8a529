// Rows that lie in shared memory over a loop, as weights do beside rows of which registers hold no
// more: element functions read them there, and no thread holds a row.
#pragma once

#include "Transform/Tiles.h"

namespace sluice {

bool isInSharedMemory(mlir::Value tile);

/// Whether a map reads this input where it lies: 8 columns of a lane at a time.
bool isReadInPlace(mlir::Operation *op, mlir::Value input);

/// Tiles of whole rows that threads load in front of loops, because their author says so: each warp
/// puts its rows into shared memory, for the maps of its loops.
void keepInSharedMemory(ir::KernelOp kernel);

} // namespace sluice

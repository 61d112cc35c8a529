// Ascend, placed level: rows of the vector cores' tiles that are columns of a tensor. Copies move
// rows, so they bring and store a tile with both exchanged, which an instruction of V turns.
#pragma once

#include "Transform/Tiles.h"

namespace sluice {

/// Whether rows of the tile lie along the dimension of the tensor that is contiguous, and columns
/// do not: more than one of each.
bool liesTurned(ir::TensorType tensor, ir::BufferType tile);

/// The load fills such a tile of lines, and `tile` is filled from it, with zeros beyond the tensor.
mlir::LogicalResult loadTurned(ir::LoadOp load, ir::AllocOp tile);
/// The store takes such a tile of lines, which is filled from `tile` in front of it.
mlir::LogicalResult storeTurned(ir::StoreOp store, ir::AllocOp tile);

} // namespace sluice

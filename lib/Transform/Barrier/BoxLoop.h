// A tile in shared memory taken box by box, so that other copies need not wait behind all of it, as
// they were seen to do (bench/GEMM.md, "Loads behind stores").
#pragma once

#include "Transform/Tiles.h"

namespace sluice {

/// A loop over the boxes of a tile, a column of boxes after the other. The builder stands in it.
struct BoxLoop {
  mlir::scf::ForOp loop;
  mlir::Value turn;                    // number in its column of boxes
  mlir::Value box;                     // in shared memory
  llvm::SmallVector<mlir::Value> from; // its place in the tensor
  int64_t bytes;                       // of the box
};

/// Whether a tile can be taken so: swizzled, a whole number of boxes of so many lines.
bool hasBoxes(ir::BufferType tile, int64_t lines);

/// `tile`, swizzled, is at `offsets` of a tensor like `tensor`. `turns` boxes, of as many lines
/// each, one below the other in every column; a line of a box is one of the swizzle.
BoxLoop createBoxLoop(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tile,
                      ir::TensorType tensor, mlir::ValueRange offsets, int64_t turns);

} // namespace sluice

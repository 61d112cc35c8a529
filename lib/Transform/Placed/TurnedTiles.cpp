#include "Transform/Placed/TurnedTiles.h"

#include "Transform/Placed/LoadReach.h"
#include "Transform/Placed/VectorInstructions.h"
#include "Transform/Refusal.h"

namespace sluice {

using namespace ir;
using mlir::cast;
using mlir::OpBuilder;
using mlir::Value;

namespace {

/// TransDataTo5HD (Ascend C, "data layout conversion"): 16 lines at a time, of blocks of 32 bytes.
constexpr int64_t linesAtOnce = 16, blockBytes = 32;

/// Whether an instruction turns such a tile, and one of its columns as rows.
mlir::LogicalResult checkTurned(mlir::Operation *op, AllocOp tile) {
  const auto type = tile.getBuffer().getType();
  const int64_t size = *byteSizeOf(type.withShape({1, 1}));
  const int64_t least = std::max(linesAtOnce, blockBytes / size);
  if ((size == 2 || size == 4) && type.getShape()[0] % least == 0 &&
      type.getShape()[1] % least == 0)
    return mlir::success();
  return unsupported(op, "tile '")
         << tile.getName() << "' has rows where the tensor has columns, and is turned by pieces of "
         << least << " x " << least << " numbers of 16 or 32 bits; each vector core has "
         << type.getShape()[0] << " x " << type.getShape()[1];
}

/// The tile with rows and columns exchanged, in memory.
AllocOp createLines(OpBuilder &b, AllocOp tile) {
  const auto type = tile.getBuffer().getType();
  const auto shape = type.getShape();
  const auto lines = BufferType::get(b.getContext(), {shape[1], shape[0]}, type.getElementType(),
                                     Space::ub, Layout::row, 1, 1);
  return AllocOp::create(b, tile.getLoc(), lines, tile.getName().str() + "_lines",
                         mlir::IntegerAttr());
}

Value turned(OpBuilder &b, mlir::Location loc, Value tile) {
  return TransposeOp::create(b, loc, cast<BufferType>(tile.getType()).transposed(), tile);
}

} // namespace

bool liesTurned(TensorType tensor, BufferType tile) {
  return tile.getShape()[0] > 1 && tile.getShape()[1] > 1 &&
         unsigned(tensor.getMinor()) == tensor.dimensionOf(0);
}

mlir::LogicalResult loadTurned(LoadOp load, AllocOp tile) {
  if (mlir::failed(checkTurned(load, tile)))
    return mlir::failure();
  OpBuilder b(tile);
  auto loc = load.getLoc();
  Value lines = createLines(b, tile).getBuffer();
  b.setInsertionPoint(load);
  load.getDestinationMutable().assign(turned(b, loc, lines));
  b.setInsertionPointAfter(load);
  createMove(b, loc, load.getDestination(), tile.getBuffer());
  replaceRest(b, load, tile.getBuffer(), reachOf(load));
  return mlir::success();
}

mlir::LogicalResult storeTurned(StoreOp store, AllocOp tile) {
  if (mlir::failed(checkTurned(store, tile)))
    return mlir::failure();
  OpBuilder b(store);
  auto loc = store.getLoc();
  const bool wasTurned = store.getSource() != tile.getBuffer();
  Value lines = createLines(b, tile).getBuffer();
  createMove(b, loc, turned(b, loc, tile.getBuffer()), lines);
  store.getSourceMutable().assign(wasTurned ? lines : turned(b, loc, lines));
  return mlir::success();
}

} // namespace sluice

#include "Transform/Placed/WholeRows.h"

#include "Dialect/Marks.h"
#include "Transform/Tiles.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;

namespace {

constexpr int64_t columnsOfWarp = 32 * blockedPiece;

/// The tiles that element functions and folds read and write.
std::vector<BufferType> computedTiles(KernelOp kernel) {
  std::vector<BufferType> tiles;
  kernel.walk([&](mlir::Operation *op) {
    if (isa<MapOp, ReduceOp>(op))
      for (mlir::Value tile : op->getOperands())
        if (auto type = dyn_cast<BufferType>(tile.getType()))
          tiles.push_back(type);
  });
  return tiles;
}

bool isMatrix(BufferType type) {
  return type.getShape()[0] > 1 && type.getShape()[1] > 1;
}

/// A store that goes by way of shared memory in parts, because its author says so.
bool isStoredInParts(StoreOp store) {
  auto staging = marks::staging.of(store);
  return marks::paced.on(store) || (staging && staging.getInt() > 1);
}

/// Whether a statement asks for a layout of its own: products, parts of tiles, exchanged
/// dimensions, stores in parts, text of the author, roles that have their warps.
bool needsOtherLayout(mlir::Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return isMatrix(load.getDestination().getType()) && minorOf(load.getSource().getType()) != 1;
  if (auto store = dyn_cast<StoreOp>(op))
    return isStoredInParts(store) || (isMatrix(store.getSource().getType()) &&
                                      minorOf(store.getDestination().getType()) != 1);
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return reduce.getAxis() != 1 && // of a vector: VectorFold
           mlir::cast<BufferType>(reduce.getInputs()[0].getType()).getShape()[1] != 1;
  if (auto turned = dyn_cast<TransposeOp>(op)) // all rows of a vector: VectorFold
    return turned.getBuffer().getType().getShape()[1] != 1;
  return isa<MmaOp, ClusterSumOp, SubviewOp, RawOp, RoleOp>(op) ||
         (marks::inRole.on(op) && isa<MapOp, ReduceOp, CopyOp, FillOp>(op));
}

/// One column for each lane of a warp, into which it folds its own: nobody asks where they lie.
bool isOfLanes(AllocOp tile) {
  return tile.getBuffer().getType().getShape()[1] == 32 &&
         llvm::all_of(accessesOf(tile), [](const TileAccess &access) {
           auto map = dyn_cast<MapOp>(access.op);
           return map ? !map.getCoordinates() : isa<ReduceOp, FillOp>(access.op);
         });
}

/// Whether all tiles have the same rows, as many as warps share, and columns for every lane, and a
/// matrix is computed with.
bool haveWholeRows(KernelOp kernel, const std::vector<BufferType> &computed) {
  int64_t rows = 0;
  const auto found = kernel.walk([&](mlir::Operation *op) {
    auto tile = dyn_cast<AllocOp>(op);
    if (!tile)
      return needsOtherLayout(op) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
    auto shape = tile.getBuffer().getType().getShape();
    const bool fits =
        shape.size() == 2 && (shape[0] == 1 || rows <= 1 || shape[0] == rows) &&
        (shape[0] == 1 || shape[1] == 1 || shape[1] % columnsOfWarp == 0 || isOfLanes(tile));
    rows = fits ? std::max(rows, shape[0]) : rows;
    return fits ? mlir::WalkResult::advance() : mlir::WalkResult::interrupt();
  });
  return !found.wasInterrupted() && rows > 1 && rows % 4 == 0 && llvm::any_of(computed, isMatrix);
}

} // namespace

std::optional<int> warpsOfWholeRows(KernelOp kernel) {
  const std::vector<BufferType> tiles = computedTiles(kernel);
  const auto isPlaced = [](BufferType type) { return type.getLayout() == Layout::blocked; };
  if (llvm::none_of(tiles, isPlaced) && !haveWholeRows(kernel, tiles))
    return std::nullopt;
  int64_t rows = 0, elements = 0;
  for (BufferType type : tiles) {
    rows = std::max(rows, type.getShape()[0]);
    elements = std::max(elements, type.getShape()[0] * type.getShape()[1]);
  }
  // Four warps; more as long as each has a row, and up to 16 while a thread has over 128 values.
  constexpr int64_t fewEnough = 128;
  int warps = rows % 8 == 0 ? 8 : 4;
  if (rows % 16 == 0 && elements / (warps * 32) > fewEnough)
    warps = 16;
  return warps;
}

Layout layoutOfWholeRows(BufferType type) {
  if (type.getShape()[0] == 1)
    return Layout::blockedColVector;
  return type.getShape()[1] == 1 ? Layout::blockedRowVector : Layout::blocked;
}

} // namespace sluice

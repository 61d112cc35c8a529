#include "Transform/Placed/ReadInPlace.h"

#include "Dialect/Marks.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Placed/WholeRows.h"

namespace sluice {

using namespace ir;
using mlir::cast;
using mlir::dyn_cast;

namespace {

/// A row for each warp, and all columns of its lanes.
bool hasRowsOfWarps(KernelOp kernel, BufferType type) {
  const auto warps = warpsOfWholeRows(kernel);
  return warps && type.getShape().size() == 2 && *warps == type.getShape()[0];
}

/// Whether it lies in registers by whole rows, and is as large.
bool isLike(BufferType result, BufferType tile) {
  return result.getLayout() == Layout::blocked && result.getShape() == tile.getShape();
}

bool isInLoopBehind(mlir::Operation *op, AllocOp tile) {
  auto loop = op->getParentOfType<mlir::LoopLikeOpInterface>();
  return loop && !loop->isAncestor(tile);
}

/// The load that threads do for a tile, outside of all loops.
LoadOp loadByThreads(AllocOp tile) {
  LoadOp load;
  for (const TileAccess &access : accessesOf(tile))
    if (access.writes) {
      if (load || !mlir::isa<LoadOp>(access.op))
        return {};
      load = cast<LoadOp>(access.op);
    }
  auto by = load ? marks::loadedBy.of(load) : mlir::StringAttr();
  const bool asked = by && by.getValue() == "threads" &&
                     !load->getParentOfType<mlir::LoopLikeOpInterface>() &&
                     load->getBlock() == tile->getBlock();
  return asked ? load : LoadOp();
}

/// Maps in loops behind its load that read all of it into such a tile; nothing: others read it too.
std::vector<MapOp> readersInLoops(AllocOp tile, LoadOp load) {
  std::vector<MapOp> readers;
  for (const TileAccess &access : accessesOf(tile)) {
    if (access.op == load)
      continue;
    auto map = dyn_cast<MapOp>(access.op);
    if (!map || access.view != tile.getBuffer() || !isInLoopBehind(map, tile) ||
        !isLike(cast<BufferType>(map.getOutputs()[0].getType()), tile.getBuffer().getType()))
      return {};
    readers.push_back(map);
  }
  return readers;
}

/// The last of the loads that stand beside it: all are under way before the first is waited for.
mlir::Operation *lastOfLoads(LoadOp load) {
  mlir::Operation *last = load;
  for (mlir::Operation *op = load->getNextNode(); op; op = op->getNextNode())
    if (mlir::isa<LoadOp>(op))
      last = op;
    else if (!mlir::isa<AllocOp>(op) && !mlir::isPure(op))
      break;
  return last;
}

} // namespace

bool isInSharedMemory(mlir::Value tile) {
  return cast<BufferType>(tile.getType()).getSpace() == Space::smem;
}

bool isReadInPlace(mlir::Operation *op, mlir::Value input) {
  auto map = dyn_cast<MapOp>(op);
  AllocOp tile = rootOf(input);
  if (!map || !isInSharedMemory(input) || !isInLoopBehind(map, tile) || input != tile.getBuffer())
    return false;
  const auto type = tile.getBuffer().getType(),
             result = cast<BufferType>(map.getOutputs()[0].getType());
  return type.getLayout() == Layout::panels && isLike(result, type) &&
         hasRowsOfWarps(map->getParentOfType<KernelOp>(), type);
}

void keepInSharedMemory(KernelOp kernel) {
  std::vector<AllocOp> tiles;
  kernel.walk([&](AllocOp tile) { tiles.push_back(tile); });
  for (AllocOp tile : llvm::reverse(tiles)) { // each copy in front of those behind it
    const BufferType type = tile.getBuffer().getType();
    LoadOp load = type.getLayout() == Layout::blocked ? loadByThreads(tile) : LoadOp();
    const auto readers = load ? readersInLoops(tile, load) : std::vector<MapOp>();
    if (readers.empty() || !hasRowsOfWarps(kernel, type))
      continue;
    mlir::OpBuilder b(load);
    b.setInsertionPointAfter(lastOfLoads(load));
    auto kept = AllocOp::create(b, load.getLoc(), type.in(Space::smem, Layout::panels),
                                tile.getName().str() + "_kept", mlir::IntegerAttr());
    putInRole(CopyOp::create(b, load.getLoc(), tile.getBuffer(), kept.getBuffer()),
              roleFor(readers.front()));
    for (MapOp map : readers)
      map->replaceUsesOfWith(tile.getBuffer(), kept.getBuffer());
  }
}

} // namespace sluice

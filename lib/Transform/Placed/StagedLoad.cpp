#include "Transform/Placed/StagedLoad.h"

#include "Dialect/Marks.h"
#include "Dialect/ValueNames.h"
#include "Transform/Barrier/BoxLoop.h"
#include "Transform/Barrier/RingEnds.h"

#include "mlir/IR/IRMapping.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;

namespace {

/// The tile of which the value is a transposed view, or that it is.
mlir::Value unturned(mlir::Value tile) {
  auto turned = tile.getDefiningOp<TransposeOp>();
  return turned ? turned.getBuffer() : tile;
}

/// The map that alone makes the stored tile, beside the store.
MapOp mapOf(StoreOp store) {
  auto result = unturned(store.getSource()).getDefiningOp<AllocOp>();
  if (!result)
    return {};
  auto accesses = accessesOf(result);
  auto map = accesses.size() == 2 ? dyn_cast<MapOp>(accesses.front().op) : MapOp();
  const bool alone = map && accesses.front().view == result.getBuffer() &&
                     map.getOutputs().size() == 1 && !map.getCoordinates() &&
                     !llvm::is_contained(map.getInputs(), result.getBuffer()) &&
                     map->getBlock() == store->getBlock() && result->getBlock() == map->getBlock();
  return alone ? map : MapOp();
}

/// The load of an input of `map` that nothing else touches, if TMA can bring it to `staging`.
LoadOp loadOf(mlir::Value input, MapOp map, BufferType staging) {
  auto tile = input.getDefiningOp<AllocOp>();
  if (!tile || tile.getBuffer().getType().getElementType() != staging.getElementType() ||
      tile.getBuffer().getType().getShape() != staging.getShape())
    return {};
  auto accesses = accessesOf(tile);
  auto load = accesses.size() == 2 ? dyn_cast<LoadOp>(accesses.front().op) : LoadOp();
  if (!load || accesses.back().op != map || load->getBlock() != map->getBlock() ||
      llvm::count(map.getInputs(), input) != 1)
    return {};
  const bool turned = load.getDestination().getDefiningOp<TransposeOp>() != nullptr;
  const bool byTma = unturned(load.getDestination()) == tile.getBuffer() && !load.getRows() &&
                     !load.getAsync() && !load.getSource().getDefiningOp<ClipOp>() &&
                     tmaCanLoad(load, turned ? staging.transposed() : staging);
  return byTma ? load : LoadOp();
}

/// The operand is the staging buffer, seen as the tile was that it was.
void putInPlace(mlir::OpOperand &operand, AllocOp staging) {
  auto turned = operand.get().getDefiningOp<TransposeOp>();
  mlir::OpBuilder b(operand.getOwner());
  operand.set(turned ? TransposeOp::create(b, staging.getLoc(),
                                           staging.getBuffer().getType().transposed(),
                                           staging.getBuffer())
                     : staging.getBuffer());
}

/// Columns from `first` on, or all of what has one column or no more than are asked for.
mlir::Value columns(mlir::OpBuilder &b, mlir::Value tile, int64_t first, int64_t count) {
  auto type = mlir::cast<BufferType>(tile.getType());
  if (type.getShape()[1] <= count)
    return tile;
  auto loc = tile.getLoc();
  return SubviewOp::create(b, loc, type.withShape({type.getShape()[0], count}), tile,
                           {constantIndex(b, loc, 0), constantIndex(b, loc, first)});
}

/// Columns of a part: whole matrices of 8 x 8 in pairs, and few registers beside the accumulator.
/// Fewer columns are one part.
constexpr int64_t kColumns = 32;

bool hasParts(BufferType tile) {
  return tile.getShape()[1] < kColumns || tile.getShape()[1] % kColumns == 0;
}

/// `map` part by part; parts of `loaded`, if there is such a tile, come from the staging buffer.
void mapParts(MapOp map, AllocOp loaded, AllocOp result, AllocOp staging, StoreOp store) {
  const int64_t all = result.getBuffer().getType().getShape()[1];
  for (AllocOp tile : {loaded, result})
    if (tile && all > kColumns)
      retype(tile, tile.getBuffer().getType().withShape(
                       {tile.getBuffer().getType().getShape()[0], kColumns}));
  mlir::OpBuilder b(map);
  for (int64_t first = 0; first < all; first += kColumns) {
    mlir::Value place = columns(b, staging.getBuffer(), first, kColumns);
    if (loaded)
      CopyOp::create(b, loaded.getLoc(), place, loaded.getBuffer());
    mlir::IRMapping parts;
    for (mlir::Value input : map.getInputs())
      parts.map(input, columns(b, input, first, kColumns));
    b.clone(*map, parts);
    CopyOp::create(b, store.getLoc(), result.getBuffer(), place);
  }
  map.erase();
}

} // namespace

bool replaceInStaging(StoreOp store, AllocOp staging) {
  MapOp map = mapOf(store);
  if (!map || !hasParts(staging.getBuffer().getType()))
    return false;
  LoadOp load;
  for (mlir::Value input : map.getInputs())
    if (!load)
      load = loadOf(input, map, staging.getBuffer().getType());
  constexpr size_t few = 2; // inputs: the product and a vector
  if (!load && map.getInputs().size() <= few)
    return false;
  auto result = unturned(store.getSource()).getDefiningOp<AllocOp>();
  auto loaded = load ? unturned(load.getDestination()).getDefiningOp<AllocOp>() : AllocOp();
  if (load) {
    staging->moveBefore(load);
    putInPlace(load.getDestinationMutable(), staging);
  } else {
    staging->moveBefore(map);
  }
  putInPlace(store.getSourceMutable(), staging);
  mapParts(map, loaded, result, staging, store);
  return true;
}

/// A box is half the lines of its column: their number is even, so that the parity is that of the
/// box in every iteration around.
constexpr int64_t halves = 2;

bool isLoadedBoxByBox(PipelineOp pipeline) {
  return isFilledByLoads(pipeline) && llvm::any_of(pipeline.getBuffers(), [](mlir::Value buffer) {
           return isLoadedWrittenThenStored(rootOf(buffer)) &&
                  llvm::any_of(accessesOf(rootOf(buffer)), [](const TileAccess &access) {
                    auto load = dyn_cast<LoadOp>(access.op);
                    return load && marks::paced.on(load) &&
                           hasBoxes(load.getDestination().getType(), halves) &&
                           load->getParentOfType<mlir::LoopLikeOpInterface>();
                  });
         });
}

void createPacedLoad(mlir::OpBuilder &b, LoadOp load, mlir::Value barriers) {
  auto loc = load.getLoc();
  mlir::Value zero = constantIndex(b, loc, 0);
  BoxLoop boxes = createBoxLoop(b, loc, load.getDestination(), load.getSource().getType(),
                                load.getOffsets(), halves);
  setValueName(boxes.turn, "half");
  MbarrierArriveExpectTxOp::create(b, loc, barriers, zero, mlir::Value(), boxes.bytes,
                                   mlir::Value(), ir::Exec::one);
  TmaLoadOp::create(b, loc, load.getSource(), boxes.from, boxes.box, barriers, zero, mlir::Value(),
                    0, ir::Exec::one, load.getCache());
  MbarrierWaitOp::create(b, loc, barriers, zero, boxes.turn, mlir::Value(), ir::Exec::threads);
  b.setInsertionPointAfter(boxes.loop);
}

} // namespace sluice

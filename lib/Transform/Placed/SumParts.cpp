#include "Transform/Placed/SumParts.h"

#include "Dialect/Marks.h"
#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace sluice {

using namespace ir;
using mlir::cast;
using mlir::dyn_cast;
using mlir::isa;

namespace {

constexpr int64_t partColumns = 32;

BufferType typeOf(mlir::Value tile) {
  return cast<BufferType>(tile.getType());
}

BufferType partOf(BufferType type) {
  return type.withShape({type.getShape()[0], partColumns});
}

mlir::Value viewOf(mlir::OpBuilder &b, mlir::Value tile, int64_t first) {
  auto loc = tile.getLoc();
  return SubviewOp::create(b, loc, partOf(typeOf(tile)), tile,
                           {constantIndex(b, loc, 0), constantIndex(b, loc, first)});
}

AllocOp partNamed(mlir::OpBuilder &b, AllocOp tile, int64_t first) {
  return AllocOp::create(b, tile.getLoc(), partOf(tile.getBuffer().getType()),
                         tile.getName().str() + std::to_string(first / partColumns),
                         mlir::IntegerAttr());
}

/// Whether what is loaded in front of it is the same behind it.
bool keepsTensors(mlir::Operation *op) {
  return mlir::isPure(op) ||
         isa<AllocOp, SubviewOp, TransposeOp, LoadOp, FillOp, CopyOp, MapOp, ReduceOp>(op);
}

/// What a load fills, or turns on its way.
mlir::Value filledBy(LoadOp load) {
  auto turned = load.getDestination().getDefiningOp<TransposeOp>();
  return turned ? turned.getBuffer() : load.getDestination();
}

/// The load of a tile that it alone writes, and the map alone reads, and that may as well be done
/// where that is.
LoadOp loadFor(mlir::Value input, MapOp map) {
  auto tile = input.getDefiningOp<AllocOp>();
  if (!tile || llvm::is_contained(map.getOutputs(), input))
    return {};
  LoadOp load;
  for (const TileAccess &access : accessesOf(tile)) {
    auto writer = dyn_cast<LoadOp>(access.op);
    if (access.op != map && (!writer || load || filledBy(writer) != input))
      return {};
    load = writer ? writer : load;
  }
  if (!load || load->getBlock() != map->getBlock() || !load->isBeforeInBlock(map))
    return {};
  return std::all_of(std::next(load->getIterator()), map->getIterator(),
                     [](mlir::Operation &op) { return keepsTensors(&op); })
             ? load
             : LoadOp();
}

/// Its columns from `first` on, loaded where the map is.
mlir::Value loadPart(mlir::OpBuilder &b, LoadOp load, int64_t first) {
  AllocOp part = partNamed(b, filledBy(load).getDefiningOp<AllocOp>(), first);
  const bool turned = filledBy(load) != load.getDestination();
  mlir::Value to = part.getBuffer();
  if (turned)
    to = TransposeOp::create(b, load.getLoc(), to);
  auto loaded = cast<LoadOp>(b.clone(*load));
  loaded->removeAttr(marks::paced.name);
  loaded.getDestinationMutable().assign(to);
  const auto along = unsigned(load.getOffsets().size() - (turned ? 2 : 1)); // the columns
  mlir::OpBuilder before(loaded);
  loaded.getOffsetsMutable()[along].set(
      mlir::arith::AddIOp::create(before, load.getLoc(), load.getOffsets()[along],
                                  constantIndex(before, load.getLoc(), first)));
  return part.getBuffer();
}

/// Loads of tiles that the map reads beside the sum, by tile.
using Loads = llvm::MapVector<mlir::Value, LoadOp>;
Loads loadsFor(MapOp map, AllocOp sum) {
  Loads loads;
  for (mlir::Value input : map.getInputs())
    if (input != sum.getBuffer() && typeOf(input).getShape()[1] != 1)
      if (LoadOp load = loadFor(input, map))
        loads[input] = load;
  return loads;
}

mlir::Value takePart(mlir::OpBuilder &b, MapOp map, AllocOp sum, int64_t first) {
  AllocOp part = partNamed(b, sum, first);
  CopyOp::create(b, map.getLoc(), viewOf(b, sum.getBuffer(), first), part.getBuffer());
  return part.getBuffer();
}

mlir::Value inputPart(mlir::OpBuilder &b, mlir::Value input, const Loads &loads, int64_t first) {
  if (typeOf(input).getShape()[1] == 1) // one number a row, or for all
    return input;
  if (LoadOp load = loads.lookup(input))
    return loadPart(b, load, first);
  return viewOf(b, input, first);
}

} // namespace

bool hasSumParts(MapOp map, AllocOp sum) {
  const int64_t columns = sum.getBuffer().getType().getShape()[1];
  return !map.getCoordinates() && llvm::is_contained(map.getInputs(), sum.getBuffer()) &&
         columns > partColumns && columns % partColumns == 0;
}

void mapSumParts(MapOp map, AllocOp sum) {
  mlir::OpBuilder b(map);
  const Loads loads = loadsFor(map, sum);
  const int64_t columns = sum.getBuffer().getType().getShape()[1];
  mlir::Value taken = takePart(b, map, sum, 0);
  for (int64_t first = 0; first < columns; first += partColumns) {
    mlir::IRMapping parts;
    parts.map(sum.getBuffer(), taken);
    for (mlir::Value input : map.getInputs())
      if (!parts.contains(input))
        parts.map(input, inputPart(b, input, loads, first));
    if (first + partColumns < columns) // it comes while this one is computed
      taken = takePart(b, map, sum, first + partColumns);
    for (mlir::Value output : map.getOutputs())
      if (output != sum.getBuffer())
        parts.map(output, viewOf(b, output, first));
    b.clone(*map, parts);
    if (llvm::is_contained(map.getOutputs(), sum.getBuffer()))
      CopyOp::create(b, map.getLoc(), parts.lookup(sum.getBuffer()),
                     viewOf(b, sum.getBuffer(), first));
  }
  map.erase();
  for (auto [tile, load] : loads) {
    auto turned = load.getDestination().getDefiningOp<TransposeOp>();
    load.erase();
    if (turned)
      turned.erase();
    tile.getDefiningOp()->erase();
  }
}

void storeFilledParts(FillOp fill, AllocOp sum) {
  mlir::OpBuilder b(fill);
  AllocOp part = partNamed(b, sum, 0);
  cast<FillOp>(b.clone(*fill)).getDestinationMutable().assign(part.getBuffer());
  const int64_t columns = sum.getBuffer().getType().getShape()[1];
  for (int64_t first = 0; first < columns; first += partColumns)
    CopyOp::create(b, fill.getLoc(), part.getBuffer(), viewOf(b, sum.getBuffer(), first));
}

} // namespace sluice

// Tile -> placed for ascend910b, the part of the vector cores.
#include "Transform/Cores.h"
#include "Transform/Refusal.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::dyn_cast;
using mlir::failure;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;
namespace arith = mlir::arith;

bool isAccumulator(AllocOp buffer) {
  return llvm::any_of(accessesOf(buffer), [](const TileAccess &access) {
    auto mma = dyn_cast<MmaOp>(access.op);
    return mma && mma.getD() == access.view;
  });
}

int64_t halfOf(int64_t rows) {
  return rows == 1 ? 1 : rows / 2;
}

/// First row of this vector core's half.
mlir::Value firstRow(mlir::OpBuilder &b, mlir::Location loc, int64_t rows) {
  mlir::Value number = SubblockOp::create(b, loc);
  return arith::MulIOp::create(b, loc, number, constantIndex(b, loc, halfOf(rows)));
}

/// Whether the rows of `tensor` lie one after the other, as the vector cores' copies need them.
LogicalResult checkTensor(mlir::Operation *op, TensorType tensor, int64_t rows) {
  if (tensor.getRank() < 2 && rows > 1)
    return unsupported(op, "has ") << rows << " rows in a tensor of rank 1";
  if (tensor.getMinor() != tensor.getRank() - 1 && rows > 1)
    return unsupported(op, "the columns of a tile on the vector cores of ascend910b must be "
                           "contiguous in memory; store the tensor row by row");
  return success();
}

/// Moves a load or store of a tile to this vector core's half of it.
template <typename Copy> void takeHalf(Copy op, TensorType tensor, int64_t rows) {
  if (rows == 1)
    return;
  mlir::OpBuilder b(op);
  auto offset = op.getOffsetsMutable().slice(unsigned(tensor.getRows()), 1);
  mlir::Value first = firstRow(b, op.getLoc(), rows);
  offset.assign(
      arith::AddIOp::create(b, op.getLoc(), op.getOffsets()[tensor.getRows()], first).getResult());
}

LogicalResult checkMap(MapOp map) {
  if (map.getCoordinates())
    return unsupported(map, "element functions of coordinates are not supported on ascend910b yet");
  for (mlir::Value operand : map->getOperands()) {
    auto buffer = operand.getDefiningOp<AllocOp>();
    if (!buffer)
      return unsupported(map,
                         "element functions on ascend910b take whole tiles, not parts of them");
    int64_t rows = buffer.getBuffer().getType().getShape()[0];
    if (rows != 1 && rows % 2)
      return unsupported(map, "tile '") << buffer.getName() << "' has " << rows
                                        << " rows; the two vector cores take half of them each";
    if (buffer.getBuffer().getType().getSpace() != Space::unplaced)
      return unsupported(map, "tile '") << buffer.getName() << "' has a place already; element "
                                        << "functions on ascend910b choose it themselves";
  }
  for (mlir::Value output : map.getOutputs())
    if (isAccumulator(rootOf(output)))
      return unsupported(map, "tile '")
             << rootOf(output).getName()
             << "' is the result of a product and cannot be overwritten by "
                "an element function on ascend910b; write another tile";
  return success();
}

/// Half of a tile in the unified buffer, with its loads and stores.
LogicalResult placeInUb(AllocOp buffer) {
  auto type = buffer.getBuffer().getType();
  int64_t rows = type.getShape()[0], cols = type.getShape()[1];
  for (const TileAccess &access : accessesOf(buffer)) {
    if (auto load = dyn_cast<LoadOp>(access.op)) {
      if (failed(checkTensor(load, load.getSource().getType(), rows)))
        return failure();
      takeHalf(load, load.getSource().getType(), rows);
    } else if (auto store = dyn_cast<StoreOp>(access.op)) {
      auto tensor = store.getDestination().getType();
      if (rows == 1)
        return unsupported(store, "both vector cores would store the only row of tile '")
               << buffer.getName() << "'; make it part of a larger tile";
      if (failed(checkTensor(store, tensor, rows)))
        return failure();
      takeHalf(store, tensor, rows);
    } else if (!isa<MapOp, FillOp>(access.op)) {
      return unsupported(access.op, "tile '")
             << buffer.getName() << "' belongs to an element function; on ascend910b it can only "
             << "be loaded, filled, mapped and stored";
    }
  }
  auto half = type.withShape({halfOf(rows), cols});
  retype(buffer, half.in(Space::ub, Layout::row));
  return success();
}

/// The accumulator's way to the vector cores, in front of the map that reads it.
mlir::Value transfer(AllocOp accumulator, MapOp map) {
  mlir::OpBuilder b(map);
  auto loc = map.getLoc();
  auto type = accumulator.getBuffer().getType();
  int64_t rows = type.getShape()[0], cols = type.getShape()[1];
  auto name = [&](const char *end) { return accumulator.getName().str() + end; };
  auto half = type.withShape({halfOf(rows), cols});
  mlir::Value workspace = AllocOp::create(b, loc, type.in(Space::global, Layout::row),
                                          name("_workspace"), mlir::IntegerAttr());
  mlir::Value tile =
      AllocOp::create(b, loc, half.in(Space::ub, Layout::row), name("_ub"), mlir::IntegerAttr());
  CopyOp::create(b, loc, accumulator.getBuffer(), workspace);
  mlir::Value part = workspace;
  if (rows > 1)
    part = SubviewOp::create(b, loc, half.in(Space::global, Layout::row), workspace,
                             mlir::ValueRange{firstRow(b, loc, rows), constantIndex(b, loc, 0)});
  CopyOp::create(b, loc, part, tile);
  return tile;
}

} // namespace

LogicalResult placeElementFunctions(KernelOp kernel) {
  std::vector<MapOp> maps;
  llvm::SetVector<AllocOp> tiles;
  kernel.walk([&](MapOp map) { maps.push_back(map); });
  for (MapOp map : maps) {
    if (failed(checkMap(map)))
      return failure();
    for (mlir::Value operand : map->getOperands())
      if (!isAccumulator(rootOf(operand)))
        tiles.insert(rootOf(operand));
  }
  for (MapOp map : maps) {
    llvm::SmallDenseMap<mlir::Value, mlir::Value> received;
    for (mlir::OpOperand &input : map.getInputsMutable()) {
      auto accumulator = rootOf(input.get());
      if (tiles.contains(accumulator))
        continue;
      mlir::Value &tile = received[input.get()];
      if (!tile)
        tile = transfer(accumulator, map);
      input.set(tile);
    }
  }
  for (AllocOp tile : tiles)
    if (failed(placeInUb(tile)))
      return failure();
  return success();
}

void orderVectorOperations(KernelOp kernel) {
  std::vector<MapOp> maps;
  kernel.walk([&](MapOp map) { maps.push_back(map); });
  for (MapOp map : maps) {
    if (!onVectorCore(agentOf(map)))
      continue;
    bool builds = llvm::any_of(map->getOperands(), [&](mlir::Value operand) {
      return llvm::any_of(accessesOf(rootOf(operand)), [&](const TileAccess &access) {
        return access.writes && access.op != map && agentOf(access.op) == agentOf(map);
      });
    });
    if (!builds)
      continue;
    mlir::OpBuilder b(map);
    auto barrier = PipeBarrierOp::create(b, map.getLoc(), ir::Pipe::V);
    setAgent(barrier, agentOf(map));
  }
}

} // namespace sluice

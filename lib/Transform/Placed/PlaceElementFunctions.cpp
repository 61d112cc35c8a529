// Tile -> placed for Ascend, the part of the vector cores.
#include "Dialect/Marks.h"
#include "Transform/Cores.h"
#include "Transform/Passes.h"
#include "Transform/Placed/TurnedTiles.h"
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

int64_t halfOf(int64_t rows) {
  return rows == 1 ? 1 : rows / 2;
}

/// First row of this vector core's half.
mlir::Value firstRow(mlir::OpBuilder &b, mlir::Location loc, int64_t rows) {
  mlir::Value number = SubblockOp::create(b, loc);
  return arith::MulIOp::create(b, loc, number, constantIndex(b, loc, halfOf(rows)));
}

/// Whether the rows of `tensor` lie one after the other, as the vector cores' copies need them. Of
/// one column they may lie side by side.
LogicalResult checkTensor(mlir::Operation *op, TensorType tensor, BufferType tile) {
  const int64_t rows = tile.getShape()[0], columns = tile.getShape()[1];
  if (tensor.getRank() < 2 && rows > 1)
    return unsupported(op, "has ") << rows << " rows in a tensor of rank 1";
  if (tensor.getMinor() != tensor.getRank() - 1 && rows > 1 && columns > 1 &&
      !liesTurned(tensor, tile))
    return unsupported(op, "rows or columns of a tile on the vector cores of ")
           << targetOf(op) << " must be contiguous in memory; store the tensor so";
  return success();
}

/// Moves a load or store of a tile to this vector core's half of it, along a dimension of the
/// tensor.
template <typename Copy> void takeHalf(Copy op, unsigned dimension, int64_t rows) {
  if (rows == 1)
    return;
  mlir::OpBuilder b(op);
  auto offset = op.getOffsetsMutable().slice(dimension, 1);
  mlir::Value first = firstRow(b, op.getLoc(), rows);
  offset.assign(
      arith::AddIOp::create(b, op.getLoc(), op.getOffsets()[dimension], first).getResult());
}

mlir::ValueRange outputsOf(mlir::Operation *function) {
  auto map = dyn_cast<MapOp>(function);
  return map ? map.getOutputs() : mlir::cast<ReduceOp>(function).getOutputs();
}

LogicalResult checkFunction(mlir::Operation *function) {
  auto fold = dyn_cast<ReduceOp>(function);
  if (fold && fold.getAxis() != 1)
    return unsupported(fold,
                       "folds columns, whose rows are halved between the two vector cores of ")
           << targetOf(fold) << "; only rows are folded there yet";
  for (mlir::Value operand : function->getOperands()) {
    auto buffer = operand.getDefiningOp<AllocOp>();
    if (!buffer)
      return unsupported(function, "element functions on ")
             << targetOf(function) << " take whole tiles, not parts of them";
    int64_t rows = buffer.getBuffer().getType().getShape()[0];
    if (rows != 1 && rows % 2)
      return unsupported(function, "tile '")
             << buffer.getName() << "' has " << rows
             << " rows; the two vector cores take half of them each";
    if (buffer.getBuffer().getType().getSpace() != Space::unplaced)
      return unsupported(function, "tile '")
             << buffer.getName() << "' has a place already; element functions on "
             << targetOf(function) << " choose it themselves";
  }
  for (mlir::Value output : outputsOf(function))
    if (isAccumulator(rootOf(output)))
      return unsupported(function, "tile '")
             << rootOf(output).getName()
             << "' is the result of a product and cannot be overwritten by an element function on "
             << targetOf(function) << "; write another tile";
  return success();
}

/// Rows are numbered in the whole tile, of which this vector core has a half.
void countRowsOfWhole(MapOp map) {
  int64_t rows = mlir::cast<BufferType>(map.getOutputs()[0].getType()).getShape()[0];
  auto &body = map.getBody().front();
  if (!map.getCoordinates() || rows == 1)
    return;
  mlir::Value row = body.getArgument(body.getNumArguments() - 2);
  if (row.use_empty())
    return;
  mlir::OpBuilder b(map);
  mlir::Value first = firstRow(b, map.getLoc(), rows);
  b.setInsertionPointToStart(&body);
  auto whole = arith::AddIOp::create(b, map.getLoc(), row, first);
  row.replaceAllUsesExcept(whole.getResult(), whole);
}

// ---- Between the cores ------------------------------------------------------------------------

/// Whether copies go from core to core.
bool copiesAcross(mlir::Operation *op) {
  return targetOf(op) == name(Target::ascend950);
}

/// A tile that both cores reach, and the half of this vector core.
struct SharedTile {
  mlir::Value whole, half;
};

/// `placed`: of the whole.
SharedTile createShared(mlir::OpBuilder &b, AllocOp tile, BufferType placed, const char *suffix) {
  auto loc = tile.getLoc();
  int64_t rows = placed.getShape()[0], cols = placed.getShape()[1];
  mlir::Value whole =
      AllocOp::create(b, loc, placed, tile.getName().str() + suffix, mlir::IntegerAttr());
  if (rows == 1)
    return {whole, whole};
  mlir::Value half =
      SubviewOp::create(b, loc, placed.withShape({halfOf(rows), cols}), whole,
                        mlir::ValueRange{firstRow(b, loc, rows), constantIndex(b, loc, 0)});
  return {whole, half};
}

SharedTile createWorkspace(mlir::OpBuilder &b, AllocOp tile, BufferType type) {
  return createShared(b, tile, type.in(Space::global, Layout::row), "_workspace");
}

/// Where a tile is complete for `reader`: behind the last that writes it in its block.
void setToCompletion(mlir::OpBuilder &b, AllocOp tile, mlir::Operation *reader) {
  b.setInsertionPoint(reader);
  for (const TileAccess &access : accessesOf(tile)) {
    auto *here = ancestorIn(reader->getBlock(), access.op);
    if (access.writes && here && here->isBeforeInBlock(reader))
      b.setInsertionPointAfter(here);
  }
}

/// The accumulator's way to the vector cores, in the type and by the name of `as`: out when it is
/// complete for `taker`, and, where it goes through global memory, in at `reader`.
mlir::Value toVectors(AllocOp accumulator, AllocOp as, mlir::Operation *taker,
                      mlir::Operation *reader) {
  mlir::OpBuilder b(taker);
  auto loc = reader->getLoc();
  setToCompletion(b, accumulator, taker);
  auto type = as.getBuffer().getType();
  auto half = type.withShape({halfOf(type.getShape()[0]), type.getShape()[1]});
  const auto createTile = [&]() -> mlir::Value {
    return AllocOp::create(b, loc, half.in(Space::ub, Layout::row), as.getName().str() + "_ub",
                           mlir::IntegerAttr());
  };
  if (copiesAcross(reader)) {
    mlir::Value tile = createTile();
    CopyOp::create(b, loc, accumulator.getBuffer(), tile);
    return tile;
  }
  auto workspace = createWorkspace(b, as, type);
  CopyOp::create(b, loc, accumulator.getBuffer(), workspace.whole);
  b.setInsertionPoint(reader);
  mlir::Value tile = createTile();
  CopyOp::create(b, loc, workspace.half, tile);
  return tile;
}

/// Whether what `first` reads of an accumulator is there for all functions: they run after it in
/// its block, and no product between them writes it.
bool servesAll(AllocOp accumulator, mlir::Operation *first,
               llvm::ArrayRef<mlir::Operation *> functions) {
  auto *block = first->getBlock();
  mlir::Operation *last = first;
  for (auto *function : functions) {
    auto *here = ancestorIn(block, function);
    if (!here || here->isBeforeInBlock(first))
      return false;
    last = last->isBeforeInBlock(here) ? here : last;
  }
  return llvm::none_of(accessesOf(accumulator), [&](const TileAccess &access) {
    auto *here = ancestorIn(block, access.op);
    return access.writes && here && first->isBeforeInBlock(here) && !last->isBeforeInBlock(here);
  });
}

/// All functions that read an accumulator get it in the unified buffer: once, where that serves
/// all.
void bring(AllocOp accumulator) {
  std::vector<mlir::Operation *> functions;
  for (const TileAccess &access : accessesOf(accumulator))
    if (isa<MapOp, ReduceOp>(access.op) && !llvm::is_contained(functions, access.op))
      functions.push_back(access.op);
  if (functions.empty())
    return;
  const bool once = servesAll(accumulator, functions.front(), functions);
  mlir::Value tile;
  for (auto *function : functions) {
    if (!tile || !once)
      tile = toVectors(accumulator, accumulator, function, function);
    function->replaceUsesOfWith(accumulator.getBuffer(), tile);
  }
}

/// Whether `access` is an element function that reads what `map` wrote in this turn: it stands
/// behind it, in its block.
bool readsBehind(const TileAccess &access, MapOp map) {
  auto *here = ancestorIn(map->getBlock(), access.op);
  return !access.writes && isa<MapOp, ReduceOp>(access.op) && here && map->isBeforeInBlock(here);
}

/// Whether a function only rounds a sum, for element functions behind it alone: fixpipe rounds it
/// on its way out of L0C.
bool roundsSum(MapOp map) {
  if (!isCast(map) || !isAccumulator(rootOf(map.getInputs()[0])))
    return false;
  const mlir::Value result = map.getOutputs()[0];
  if (*byteSizeOf(mlir::cast<BufferType>(result.getType()).withShape({1})) != 2)
    return false;
  return rootOf(result).getBuffer() == result &&
         llvm::all_of(accessesOf(rootOf(result)), [&](const TileAccess &access) {
           return access.op == map || readsBehind(access, map);
         });
}

/// The statement behind `map`, in its block, that first reads its result; else `map`.
mlir::Operation *firstReader(MapOp map, AllocOp result) {
  mlir::Operation *first = nullptr;
  for (const TileAccess &access : accessesOf(result)) {
    auto *here = access.op == map ? nullptr : ancestorIn(map->getBlock(), access.op);
    if (here && (!first || here->isBeforeInBlock(first)))
      first = here;
  }
  return first && map->isBeforeInBlock(first) ? first : map;
}

/// Such a sum's way to the vector cores: rounded, by way of a workspace of the smaller type.
void bringRounded(MapOp map) {
  auto sum = rootOf(map.getInputs()[0]), result = rootOf(map.getOutputs()[0]);
  mlir::Value tile = toVectors(sum, result, map, firstReader(map, result));
  map.erase();
  result.getBuffer().replaceAllUsesWith(tile);
  result.erase();
}

/// Whether a product adds to what others have written, or what it wrote in another iteration.
bool addsToOthers(MmaOp product) {
  auto sum = rootOf(product.getD());
  return !sum || sum->getBlock() != product->getBlock() ||
         llvm::any_of(accessesOf(sum), [&](const TileAccess &access) {
           return isa<MmaOp>(access.op) && access.op != product;
         });
}

/// The way of a computed tile to a product: to L1, on A2/A3 through global memory. `product` reads
/// the whole tile, perhaps transposed.
LogicalResult bringToCube(AllocOp tile, BufferType type, MmaOp product, mlir::Value view) {
  mlir::OpBuilder b(product);
  auto loc = product.getLoc();
  auto turned = view.getDefiningOp<TransposeOp>();
  if ((turned ? turned.getBuffer() : view) != tile.getBuffer())
    return unsupported(product, "tile '")
           << tile.getName() << "' is computed on the vector cores; products on "
           << targetOf(product) << " take all of it, not parts";
  // The proof would take the places of the workspace for those of the tile (R28).
  if (!copiesAcross(product) && addsToOthers(product) && !marks::anyTiles.on(product))
    return unsupported(product, "adds up products of tile '")
           << tile.getName() << "', which is computed on the vector cores: of such tiles nothing "
           << "tells which belong together on " << targetOf(product)
           << " yet; mark the product {sluice.any_tiles}";
  const auto inL1 = type.in(Space::l1, Layout::zN);
  mlir::Value operand;
  if (copiesAcross(product)) {
    auto shared = createShared(b, tile, inL1, "_l1");
    CopyOp::create(b, loc, tile.getBuffer(), shared.half);
    operand = shared.whole;
  } else {
    auto workspace = createWorkspace(b, tile, type);
    operand = AllocOp::create(b, loc, inL1, tile.getName().str() + "_l1", mlir::IntegerAttr());
    CopyOp::create(b, loc, tile.getBuffer(), workspace.half);
    CopyOp::create(b, loc, workspace.whole, operand);
  }
  if (turned)
    operand = TransposeOp::create(b, loc, operand);
  product->replaceUsesOfWith(view, operand);
  return success();
}

// ---- Tiles of the vector cores ----------------------------------------------------------------

/// This vector core's half of what is loaded to the whole tile.
LogicalResult loadHalf(LoadOp load, AllocOp buffer, BufferType whole) {
  auto tensor = load.getSource().getType();
  if (failed(checkTensor(load, tensor, whole)))
    return failure();
  takeHalf(load, unsigned(tensor.getRows()), whole.getShape()[0]);
  return liesTurned(tensor, whole) ? loadTurned(load, buffer) : success();
}

/// The same of what is stored, perhaps transposed.
LogicalResult storeHalf(StoreOp store, AllocOp buffer, BufferType whole) {
  auto tensor = store.getDestination().getType();
  const int64_t rows = whole.getShape()[0];
  const bool turned = store.getSource().getDefiningOp<TransposeOp>() != nullptr;
  if (rows == 1)
    return unsupported(store, "both vector cores would store the only row of tile '")
           << buffer.getName() << "'; make it part of a larger tile";
  const BufferType stored = turned ? whole.withShape({whole.getShape()[1], rows}) : whole;
  if (failed(checkTensor(store, tensor, stored)))
    return failure();
  if (turned && liesTurned(tensor, stored))
    return unsupported(store, "transposes tile '")
           << buffer.getName()
           << "' to a tensor whose columns are contiguous; declare it the other "
           << "way round";
  takeHalf(store, tensor.dimensionOf(turned ? 1 : 0), rows);
  return turned || liesTurned(tensor, stored) ? storeTurned(store, buffer) : success();
}

/// Half of a tile in the unified buffer, with its loads and stores.
LogicalResult placeInUb(AllocOp buffer) {
  auto type = buffer.getBuffer().getType();
  int64_t rows = type.getShape()[0], cols = type.getShape()[1];
  auto accesses = accessesOf(buffer);
  retype(buffer, BufferType::get(type.getContext(), {halfOf(rows), cols}, type.getElementType(),
                                 Space::ub, Layout::row, 1, type.getSlots()));
  for (const TileAccess &access : accesses) {
    if (auto load = dyn_cast<LoadOp>(access.op)) {
      if (failed(loadHalf(load, buffer, type)))
        return failure();
    } else if (auto store = dyn_cast<StoreOp>(access.op)) {
      if (failed(storeHalf(store, buffer, type)))
        return failure();
    } else if (auto product = dyn_cast<MmaOp>(access.op)) {
      if (failed(bringToCube(buffer, type, product, access.view)))
        return failure();
    } else if (!isa<MapOp, ReduceOp, FillOp>(access.op)) {
      return unsupported(access.op, "tile '")
             << buffer.getName() << "' belongs to an element function; on " << targetOf(buffer)
             << " it can only be loaded, filled, mapped, folded, multiplied and stored";
    }
  }
  return success();
}

} // namespace

bool isAccumulator(AllocOp buffer) {
  return llvm::any_of(accessesOf(buffer), [](const TileAccess &access) {
    auto mma = dyn_cast<MmaOp>(access.op);
    return mma && mma.getD() == access.view;
  });
}

LogicalResult placeElementFunctions(KernelOp kernel) {
  std::vector<mlir::Operation *> functions;
  std::vector<MapOp> rounded;
  llvm::SetVector<AllocOp> tiles, accumulators;
  kernel.walk([&](mlir::Operation *op) {
    if (isa<MapOp, ReduceOp>(op))
      functions.push_back(op);
  });
  for (auto *function : functions) {
    if (failed(checkFunction(function)))
      return failure();
    if (auto map = dyn_cast<MapOp>(function)) {
      countRowsOfWhole(map);
      if (roundsSum(map)) {
        rounded.push_back(map);
        continue;
      }
    }
    for (mlir::Value operand : function->getOperands())
      (isAccumulator(rootOf(operand)) ? accumulators : tiles).insert(rootOf(operand));
  }
  for (MapOp map : rounded) {
    tiles.remove(rootOf(map.getOutputs()[0]));
    bringRounded(map);
  }
  for (AllocOp accumulator : accumulators)
    bring(accumulator);
  for (AllocOp tile : tiles)
    if (failed(placeInUb(tile)))
      return failure();
  return success();
}

// ---- Order on pipe V --------------------------------------------------------------------------

namespace {

bool isVectorOperation(mlir::Operation *op) {
  auto role = op->getParentOfType<RoleOp>(); // an author's
  return isa<MapOp, ReduceOp, FillOp>(op) &&
         (role ? role.getCore() == "aiv" : onVectorCore(agentOf(op)));
}

/// Whether `other` must have ended when `op` starts: one of them writes what both touch.
bool conflict(mlir::Operation *op, mlir::Operation *other) {
  const auto writes = [](mlir::Operation *o, AllocOp tile) {
    return llvm::any_of(accessesOf(tile),
                        [&](const TileAccess &access) { return access.op == o && access.writes; });
  };
  return llvm::any_of(op->getOperands(), [&](mlir::Value operand) {
    AllocOp tile = rootOf(operand);
    return llvm::any_of(accessesOf(tile), [&](const TileAccess &access) {
      return access.op == other && (access.writes || writes(op, tile));
    });
  });
}

/// Vector operations that may still run when control comes to `op`: back to the barrier before it
/// in its block; without one, all of the kernel.
std::vector<mlir::Operation *> runningAt(mlir::Operation *op) {
  std::vector<mlir::Operation *> running;
  const auto add = [&](mlir::Operation *inner) {
    if (isVectorOperation(inner) && inner != op)
      running.push_back(inner);
  };
  for (auto *before = op->getPrevNode(); before; before = before->getPrevNode()) {
    if (isa<PipeBarrierOp>(before))
      return running;
    before->walk(add);
  }
  running.clear();
  op->getParentOfType<KernelOp>().walk(add);
  return running;
}

/// Whether the next turn of the loop around it comes to `op` with no barrier on the way.
bool meetsItself(mlir::Operation *op) {
  for (mlir::Operation *inner = op; inner && !isa<KernelOp, RoleOp>(inner->getParentOp());
       inner = inner->getParentOp()) {
    if (!inner->getBlock()->getOps<PipeBarrierOp>().empty())
      return false;
    if (isa<mlir::scf::ForOp, mlir::scf::WhileOp>(inner->getParentOp()))
      return true;
  }
  return false;
}

void putBarrierBefore(mlir::Operation *op) {
  mlir::OpBuilder b(op);
  auto barrier = PipeBarrierOp::create(b, op->getLoc(), ir::Pipe::V);
  if (!agentOf(op).empty())
    setAgent(barrier, agentOf(op));
}

} // namespace

/// Barriers between operations of pipe V of which one writes what the other touches: on A2/A3
/// they overlap. On 950 pipe V is in order (R33).
LogicalResult orderVectorOperations(KernelOp kernel, const Arch &arch) {
  if (arch.target == Target::ascend950)
    return success();
  std::vector<mlir::Operation *> operations;
  kernel.walk([&](mlir::Operation *op) {
    if (isVectorOperation(op))
      operations.push_back(op);
  });
  for (auto *op : operations)
    if (llvm::any_of(runningAt(op), [&](auto *other) { return conflict(op, other); }))
      putBarrierBefore(op);
  for (auto *op : operations) // each of them writes
    if (meetsItself(op))
      putBarrierBefore(op);
  return success();
}

} // namespace sluice

#include "Transform/Placed/Halves.h"

#include "Dialect/Marks.h"
#include "Transform/Placed/TensorMemory.h"
#include "Transform/Refusal.h"
#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace sluice {

using namespace ir;
using mlir::cast;
using mlir::dyn_cast;
using mlir::failure;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;

namespace {

constexpr int64_t rowsOfHalf = 128;
constexpr llvm::StringLiteral suffixes[] = {"first", "second"};

BufferType typeOf(AllocOp tile) {
  return tile.getBuffer().getType();
}

bool isTakenBy(AllocOp tile, llvm::function_ref<bool(MmaOp, mlir::Value)> takes) {
  return llvm::any_of(accessesOf(tile), [&](const TileAccess &access) {
    auto mma = dyn_cast<MmaOp>(access.op);
    return mma && takes(mma, access.view);
  });
}

/// Both halves read all of it: b of a product, and its factors.
bool liesInShared(AllocOp tile) {
  return isTakenBy(tile, [](MmaOp mma, mlir::Value view) {
    return mma.getB() == view || mma.getScalesB() == view;
  });
}

/// Factors of a, of the first 128 rows and below them of the second.
bool scalesRows(AllocOp tile) {
  return isTakenBy(tile, [](MmaOp mma, mlir::Value view) { return mma.getScalesA() == view; });
}

/// Each half has some rows of it, or a copy of the only one.
LogicalResult verifyHalved(AllocOp tile) {
  const int64_t rows = typeOf(tile).getShape()[0];
  if (rows != 2 * rowsOfHalf && rows != 1)
    return unsupported(tile, "tile '")
           << tile.getName() << "' has " << rows << " rows beside a sum of " << 2 * rowsOfHalf
           << ", of which four warps each take " << rowsOfHalf << "; take as many for both";
  for (const TileAccess &access : accessesOf(tile)) {
    auto mma = dyn_cast<MmaOp>(access.op);
    auto reduce = dyn_cast<ReduceOp>(access.op);
    if (access.view != tile.getBuffer())
      return unsupported(access.op, "takes a part of tile '")
             << tile.getName() << "' of " << rows
             << " rows, or turns it, which is not lowered for sm_100a yet; take 128 rows";
    if ((mma && rows == 1) || (reduce && reduce.getAxis() != 1))
      return unsupported(access.op, "crosses the halves of tile '")
             << tile.getName() << "' of " << rows << " rows; take 128 rows";
  }
  return success();
}

/// The tile of each half, by the tile of both.
using Tiles = llvm::MapVector<mlir::Value, std::array<mlir::Value, 2>>;

std::array<mlir::Value, 2> halvesOf(AllocOp tile) {
  mlir::OpBuilder b(tile);
  auto type = typeOf(tile);
  if (type.getShape()[0] != 1)
    type = type.withShape({type.getShape()[0] / 2, type.getShape()[1]});
  std::array<mlir::Value, 2> halves;
  for (auto [half, suffix] : llvm::zip(halves, suffixes))
    half = AllocOp::create(b, tile.getLoc(), type, tile.getName().str() + "_" + suffix.str(),
                           mlir::IntegerAttr())
               .getBuffer();
  return halves;
}

/// Each half has the factors of its rows, which are loaded by themselves.
LogicalResult loadApart(AllocOp tile, const std::array<mlir::Value, 2> &halves) {
  const int64_t rows = typeOf(tile).getShape()[0] / 2;
  for (const TileAccess &access : accessesOf(tile)) {
    auto load = dyn_cast<LoadOp>(access.op);
    if (!load)
      continue;
    auto part = load.getDestination().getDefiningOp<SubviewOp>();
    const auto first = part ? mlir::getConstantIntValue(part.getOffsets()[0]) : std::nullopt;
    if (!first || *first % rows || part.getView().getType().getShape()[0] != rows)
      return unsupported(load, "loads factors of '")
             << tile.getName() << "' of both halves at once; load those of 128 rows by themselves";
    load.getDestinationMutable().assign(halves[size_t(*first / rows)]);
    if (part.getView().use_empty())
      part.erase();
  }
  return success();
}

/// The second half lies further down in the tensor.
template <typename Copy> void moveDown(Copy op, BufferType tile, TensorType tensor) {
  if (tile.getShape()[0] == 1)
    return;
  mlir::OpBuilder b(op);
  mlir::OpOperand &row = op.getOffsetsMutable()[unsigned(tensor.getRows())];
  row.set(mlir::arith::AddIOp::create(b, op.getLoc(), row.get(),
                                      constantIndex(b, op.getLoc(), rowsOfHalf)));
}

/// Rows are numbered in the whole tile.
void countInWhole(MapOp map) {
  mlir::Block &body = map.getBody().front();
  if (!map.getCoordinates() || cast<BufferType>(map.getOutputs()[0].getType()).getShape()[0] == 1)
    return;
  mlir::Value row = body.getArgument(body.getNumArguments() - 2);
  if (row.use_empty())
    return;
  mlir::OpBuilder b(map);
  mlir::Value first = constantIndex(b, map.getLoc(), rowsOfHalf);
  b.setInsertionPointToStart(&body);
  auto whole = mlir::arith::AddIOp::create(b, map.getLoc(), row, first);
  row.replaceAllUsesExcept(whole.getResult(), whole);
}

void goDown(mlir::Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    moveDown(load, load.getDestination().getType(), load.getSource().getType());
  else if (auto store = dyn_cast<StoreOp>(op))
    moveDown(store, store.getSource().getType(), store.getDestination().getType());
  else if (auto map = dyn_cast<MapOp>(op))
    countInWhole(map);
}

bool isForProduct(mlir::Operation *op) {
  auto load = dyn_cast<LoadOp>(op);
  return isa<MmaOp>(op) ||
         (load && llvm::any_of(accessesOf(rootOf(load.getDestination())),
                               [](const TileAccess &access) { return isa<MmaOp>(access.op); }));
}

/// The statement once for each half. What is stored goes with what computes it.
void halve(mlir::Operation *op, const Tiles &tiles) {
  mlir::OpBuilder b(op);
  const bool named = !isForProduct(op) && !isa<StoreOp>(op);
  for (size_t half = 0; half < 2; ++half) {
    mlir::IRMapping mapping;
    for (const auto &[tile, halves] : tiles)
      mapping.map(tile, halves[half]);
    mlir::Operation *own = b.clone(*op, mapping);
    if (named)
      marks::inRole.set(own, "epilogue_" + suffixes[half].str());
    if (half == 1)
      goDown(own);
  }
}

} // namespace

LogicalResult takeHalves(KernelOp kernel) {
  std::vector<AllocOp> all;
  kernel.walk([&](AllocOp tile) { all.push_back(tile); });
  if (llvm::none_of(all, [](AllocOp tile) {
        return isSum(tile) && typeOf(tile).getShape()[0] == 2 * rowsOfHalf;
      }))
    return success();
  llvm::erase_if(all, liesInShared);
  Tiles tiles;
  for (AllocOp tile : all) {
    const bool factors = scalesRows(tile);
    if (!factors && failed(verifyHalved(tile)))
      return failure();
    const auto &halves = tiles[tile.getBuffer()] = halvesOf(tile);
    if (factors && failed(loadApart(tile, halves)))
      return failure();
  }
  std::vector<mlir::Operation *> statements;
  kernel.walk([&](mlir::Operation *op) {
    if (llvm::any_of(op->getOperands(), [&](mlir::Value v) { return tiles.contains(v); }))
      statements.push_back(op);
  });
  for (mlir::Operation *op : statements)
    halve(op, tiles);
  for (mlir::Operation *op : llvm::reverse(statements))
    op->erase();
  for (AllocOp tile : all)
    tile.erase();
  return success();
}

} // namespace sluice

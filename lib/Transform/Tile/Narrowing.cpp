#include "Transform/Tile/Narrowing.h"

#include "Dialect/ValueNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::failed;
using mlir::failure;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;
using mlir::Value;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

static BufferType withExtent(BufferType type, int dimension, int64_t extent) {
  llvm::SmallVector<int64_t> shape(type.getShape());
  shape[dimension] = extent;
  return type.withShape(shape);
}

AllocOp Narrowing::blockOf(mlir::OpBuilder &b, AllocOp tile) {
  auto type = tile.getBuffer().getType();
  auto block = withExtent(type, dimension_, type.getShape()[dimension_] / blocks_);
  auto sum =
      AllocOp::create(b, tile.getLoc(), block, "sum_" + tile.getName().str(), mlir::IntegerAttr());
  narrow_.insert(sum);
  return sum;
}

void Narrowing::readInstead(AllocOp tile, AllocOp sum) {
  tile.getBuffer().replaceUsesWithIf(sum.getBuffer(), [&](mlir::OpOperand &use) {
    auto *here = ancestorIn(loop_->getBlock(), use.getOwner());
    return loop_->isBeforeInBlock(here) && !isa<ClusterSumOp>(here);
  });
  retypeViews(sum.getBuffer());
}

LogicalResult Narrowing::follow(AllocOp tile) {
  const int64_t block = tile.getBuffer().getType().getShape()[dimension_];
  for (const TileAccess &access : accessesOf(tile)) {
    const bool known = isa<ClusterSumOp>(access.op) || !followed_.insert(access.op).second;
    auto turned = access.view.getDefiningOp<TransposeOp>();
    const bool whole =
        access.view == tile.getBuffer() ||
        (isa<StoreOp, LoadOp>(access.op) && turned && turned.getBuffer() == tile.getBuffer());
    if (!known && (!whole || failed(operation(access.op, block))))
      return refuse(access.op);
  }
  return success();
}

LogicalResult Narrowing::verifyStores() const {
  auto other = loop_->getParentOp()->walk([&](StoreOp store) {
    if (followed_.contains(store))
      return mlir::WalkResult::advance();
    store.emitError("stores no sum of the loop that is split, so that each of its ")
        << whose_ << "s would store it; this is not supported";
    return mlir::WalkResult::interrupt();
  });
  return failure(other.wasInterrupted());
}

LogicalResult Narrowing::operation(mlir::Operation *op, int64_t block) {
  if (auto load = dyn_cast<LoadOp>(op); load && !load.getRows())
    return move(op, load.getOffsetsMutable(), block,
                load.getDestination().getDefiningOp<TransposeOp>() != nullptr);
  if (auto store = dyn_cast<StoreOp>(op)) // of a transposed tile to rows
    return move(op, store.getOffsetsMutable(), block,
                store.getSource().getDefiningOp<TransposeOp>() != nullptr);
  auto map = dyn_cast<MapOp>(op);
  if (!isa<FillOp, CopyOp>(op) && !(map && !map.getCoordinates()))
    return failure();
  for (Value operand : op->getOperands())
    if (failed(narrow(operand, block)))
      return failure();
  return success();
}

/// To the block of this place; the tile's two dimensions are the tensor's last ones.
LogicalResult Narrowing::move(mlir::Operation *op, mlir::MutableOperandRange offsets, int64_t block,
                              bool turned) {
  mlir::OpBuilder b(op);
  b.setInsertionPointAfterValue(place_);
  Value first =
      arith::MulIOp::create(b, op->getLoc(), place_, constantIndex(b, op->getLoc(), block));
  setValueName(first, "block");
  b.setInsertionPoint(op);
  const size_t fromLast = (dimension_ == 1) == turned ? 2 : 1;
  mlir::OpOperand &offset = offsets[offsets.size() - fromLast];
  offset.set(arith::AddIOp::create(b, op->getLoc(), offset.get(), first));
  return success();
}

/// A tile beside one of `block` rows or columns: as many of its own; a single one stays.
LogicalResult Narrowing::narrow(Value operand, int64_t block) {
  auto tile = operand.getDefiningOp<AllocOp>();
  if (!tile)
    return failure();
  const auto type = tile.getBuffer().getType();
  const int64_t extent = type.getShape()[dimension_];
  if (narrow_.contains(tile) || extent == 1)
    return success();
  const bool inLoop = llvm::any_of(accessesOf(tile), [&](const TileAccess &access) {
    return ancestorIn(loop_->getBlock(), access.op) == loop_;
  });
  if (inLoop || extent != block * blocks_)
    return failure();
  narrow_.insert(tile);
  retype(tile, withExtent(type, dimension_, block));
  return follow(tile);
}

LogicalResult Narrowing::refuse(mlir::Operation *op) const {
  return op->emitError("works on the sum of a loop that is split, of which each ")
         << whose_ << " has a block of the " << (dimension_ == 1 ? "columns" : "rows")
         << "; this is not supported";
}

} // namespace sluice

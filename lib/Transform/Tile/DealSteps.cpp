#include "Transform/Tile/DealSteps.h"

#include "Dialect/Marks.h"
#include "Dialect/ValueNames.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Tile/DealtLoop.h"
#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::dyn_cast;
using mlir::failure;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;
using mlir::Value;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

// ---- Columns of the sum -----------------------------------------------------------------------

/// What is behind the loop, on a block of the columns.
class Narrowing {
public:
  Narrowing(scf::ForOp loop, Value place)
      : loop_(loop), sums_(loop), place_(place), ctas_(ctasOf(loop)) {}

  /// Every reader of the accumulator behind the loop shall read the sum of its block of columns.
  AllocOp sumOf(AllocOp tile) {
    auto type = tile.getBuffer().getType();
    mlir::OpBuilder b(loop_);
    b.setInsertionPointAfter(sums_);
    auto block = type.withShape({type.getShape()[0], type.getShape()[1] / ctas_});
    auto sum = AllocOp::create(b, tile.getLoc(), block, "sum_" + tile.getName().str(),
                               mlir::IntegerAttr());
    sums_ =
        ClusterSumOp::create(b, loop_.getLoc(), tile.getBuffer(), sum.getBuffer(), place_, Value());
    putInRole(sums_, roleOfSum(tile));
    tile.getBuffer().replaceUsesWithIf(sum.getBuffer(), [&](mlir::OpOperand &use) {
      auto *here = ancestorIn(loop_->getBlock(), use.getOwner());
      return loop_->isBeforeInBlock(here) && !isa<ClusterSumOp>(here);
    });
    retypeViews(sum.getBuffer());
    narrow_.insert(sum);
    return sum;
  }

  /// `tile` has become narrow; so does what is computed with it.
  LogicalResult follow(AllocOp tile) {
    const int64_t block = tile.getBuffer().getType().getShape()[1];
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

  /// All that the kernel stores is of the sums: anything else every CTA would store.
  LogicalResult verifyStores() const {
    auto kernel = loop_->getParentOfType<KernelOp>();
    auto other = kernel.walk([&](StoreOp store) {
      if (followed_.contains(store))
        return mlir::WalkResult::advance();
      store.emitError("stores no sum of the loop that is split, so that each of its CTAs would "
                      "store it; this is not supported");
      return mlir::WalkResult::interrupt();
    });
    return failure(other.wasInterrupted());
  }

private:
  /// Who multiplies has the parts of it.
  static llvm::StringRef roleOfSum(AllocOp tile) {
    for (const TileAccess &access : accessesOf(tile))
      if (isa<MmaOp>(access.op))
        return roleFor(access.op);
    return "";
  }

  LogicalResult operation(mlir::Operation *op, int64_t block) {
    if (auto load = dyn_cast<LoadOp>(op); load && !load.getRows())
      return move(op, load.getOffsetsMutable(), block,
                  load.getDestination().getDefiningOp<TransposeOp>() ? 2 : 1);
    if (auto store = dyn_cast<StoreOp>(op)) // of a transposed tile to rows
      return move(op, store.getOffsetsMutable(), block,
                  store.getSource().getDefiningOp<TransposeOp>() ? 2 : 1);
    auto map = dyn_cast<MapOp>(op);
    if (!isa<FillOp, CopyOp>(op) && !(map && !map.getCoordinates()))
      return failure();
    for (Value operand : op->getOperands())
      if (failed(narrow(operand, block)))
        return failure();
    return success();
  }

  /// To the columns of this CTA, in the dimension `fromLast`: 1 is the last.
  LogicalResult move(mlir::Operation *op, mlir::MutableOperandRange offsets, int64_t block,
                     size_t fromLast) {
    mlir::OpBuilder b(op);
    b.setInsertionPointAfterValue(place_);
    Value first =
        arith::MulIOp::create(b, op->getLoc(), place_, constantIndex(b, op->getLoc(), block));
    setValueName(first, "block");
    b.setInsertionPoint(op);
    mlir::OpOperand &column = offsets[offsets.size() - fromLast];
    column.set(arith::AddIOp::create(b, op->getLoc(), column.get(), first));
    return success();
  }

  /// A tile beside one of `block` columns: as many of its own; a single column stays.
  LogicalResult narrow(Value operand, int64_t block) {
    auto tile = operand.getDefiningOp<AllocOp>();
    if (!tile)
      return failure();
    const auto type = tile.getBuffer().getType();
    if (narrow_.contains(tile) || type.getShape()[1] == 1)
      return success();
    const bool inLoop = llvm::any_of(accessesOf(tile), [&](const TileAccess &access) {
      return ancestorIn(loop_->getBlock(), access.op) == loop_;
    });
    if (inLoop || type.getShape()[1] != block * ctas_)
      return failure();
    narrow_.insert(tile);
    retype(tile, type.withShape({type.getShape()[0], block}));
    return follow(tile);
  }

  static LogicalResult refuse(mlir::Operation *op) {
    return op->emitError("works on the sum of a loop that is split, of which each CTA has a block "
                         "of the columns; this is not supported");
  }

  scf::ForOp loop_;
  mlir::Operation *sums_; // the last so far, or the loop
  Value place_;
  int64_t ctas_;
  llvm::SmallPtrSet<mlir::Operation *, 8> narrow_;   // tiles
  llvm::SmallPtrSet<mlir::Operation *, 8> followed_; // what works on them
};

} // namespace

int64_t ctasOf(scf::ForOp splitLoop) {
  auto split = splitLoop ? marks::split.of(splitLoop) : nullptr;
  return split ? split.getInt() : 1;
}

mlir::FailureOr<scf::ForOp> findSplitLoop(KernelOp kernel) {
  scf::ForOp found;
  auto wrong = kernel.walk([&](scf::ForOp loop) {
    if (ctasOf(loop) == 1)
      return mlir::WalkResult::advance();
    if (found)
      loop.emitError("a second loop that is split is not supported");
    else if (loop->getParentOp() != kernel)
      loop.emitError("a loop that is split within another loop or a branch is not supported");
    else
      return found = loop, mlir::WalkResult::advance();
    return mlir::WalkResult::interrupt();
  });
  if (wrong.wasInterrupted() || (found && failed(verifyDealtLoop(found, "split", ctasOf(found)))))
    return failure();
  return found;
}

LogicalResult dealSteps(scf::ForOp splitLoop, Value place) {
  mlir::OpBuilder b(splitLoop);
  auto loc = splitLoop.getLoc();
  Narrowing narrowing(splitLoop, place);
  std::vector<AllocOp> sums;
  for (AllocOp tile : accumulatorsOf(splitLoop))
    sums.push_back(narrowing.sumOf(tile));
  for (AllocOp sum : sums)
    if (failed(narrowing.follow(sum)))
      return failure();
  if (failed(narrowing.verifyStores()))
    return failure();
  Value own = named(arith::CeilDivSIOp::create(b, loc, splitLoop.getUpperBound(),
                                               constantIndex(b, loc, ctasOf(splitLoop))),
                    "steps");
  Value first = named(arith::MulIOp::create(b, loc, place, own), "firstStep");
  splitLoop.setUpperBound(own);
  b.setInsertionPointToStart(splitLoop.getBody());
  Value t = splitLoop.getInductionVar();
  auto step = arith::AddIOp::create(b, loc, first, t);
  setValueName(step, "step");
  t.replaceAllUsesExcept(step, step);
  marks::split.remove(splitLoop);
  return success();
}

} // namespace sluice

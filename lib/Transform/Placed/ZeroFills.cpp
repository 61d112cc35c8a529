// Zeros that the first product of a sum overwrites instead.
#include "Transform/Placed/ZeroFills.h"

#include "Transform/KernelRanges.h"
#include "Transform/Passes.h"
#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::dyn_cast;

// ---- Loops that may have no trips -------------------------------------------------------------

/// What the first iteration of a loop would multiply in a launch that gives the loop no trips:
/// zeros where an operand of the product then lies outside its tensor.
class WithoutTrips {
public:
  WithoutTrips(MmaOp mma, mlir::scf::ForOp loop)
      : mma_(mma), loop_(loop), ranges_(loop->getParentOfType<KernelOp>()) {}

  /// It has trips in every launch.
  bool runs() const { return reaches(loop_.getUpperBound()); }
  /// It may have none, and then its first iteration would add zeros.
  bool isFolded() const { return !runs() && endsOutside(loop_.getUpperBound()); }

private:
  bool reaches(mlir::Value upper) const {
    return ranges_.of(upper).least > ranges_.of(loop_.getLowerBound()).most;
  }

  /// Where the loop begins at `upper` or behind, so does an operand behind its tensor's end.
  bool endsOutside(mlir::Value upper) const {
    if (reaches(upper))
      return true; // no launch begins there
    if (auto least = upper.getDefiningOp<mlir::arith::MinSIOp>())
      return endsOutside(least.getLhs()) && endsOutside(least.getRhs());
    int64_t size = 1; // of the steps that the extent is counted in
    while (auto count = upper.getDefiningOp<mlir::arith::CeilDivSIOp>()) {
      size *= mlir::getConstantIntValue(count.getRhs()).value_or(0);
      upper = count.getLhs();
    }
    auto extent = upper.getDefiningOp<DimOp>();
    return extent && size > 0 &&
           (isBehind(mma_.getA(), extent, size) || isBehind(mma_.getB(), extent, size));
  }

  /// The tile is loaded from the tensor, which has no elements if the loop begins at 0, else t
  /// times `size` elements or more along that dimension.
  bool isBehind(mlir::Value operand, DimOp extent, int64_t size) const {
    AllocOp tile = rootOf(operand);
    if (!tile)
      return false;
    LoadOp load;
    for (const TileAccess &access : accessesOf(tile)) {
      if (access.writes && load)
        return false;
      if (access.writes && !(load = dyn_cast<LoadOp>(access.op)))
        return false;
    }
    const bool fromZero = mlir::getConstantIntValue(loop_.getLowerBound()) == 0;
    return load && loop_->isAncestor(load) && load.getSource() == extent.getTensor() &&
           (fromZero ||
            (!load.getRows() && factor(load.getOffsets()[extent.getDimension()]) >= size));
  }

  /// Of the loop's variable in an offset; 0: it is more than a product by a constant.
  int64_t factor(mlir::Value offset) const {
    const mlir::Value t = loop_.getInductionVar();
    if (offset == t)
      return 1;
    auto product = offset.getDefiningOp<mlir::arith::MulIOp>();
    if (!product || (product.getLhs() != t && product.getRhs() != t))
      return 0;
    const mlir::Value other = product.getLhs() == t ? product.getRhs() : product.getLhs();
    return mlir::getConstantIntValue(other).value_or(0);
  }

  mutable MmaOp mma_;
  mutable mlir::scf::ForOp loop_;
  mutable KernelRanges ranges_;
};

/// Whether a value follows from extents and coordinates of the grid alone.
bool isOfExtents(mlir::Value value) {
  auto *op = value.getDefiningOp();
  if (!op || mlir::isa<ScalarLoadOp>(op) || op->getNumRegions() > 0)
    return false;
  return mlir::isa<DimOp>(op) || llvm::all_of(op->getOperands(), isOfExtents);
}

/// Whether an iteration in which its products add zeros changes nothing that is read outside of the
/// loop. `prints`: what is printed in it counts, too.
bool leavesNoTrace(mlir::scf::ForOp loop, bool prints) {
  const auto isOwn = [&](AllocOp tile) {
    return llvm::all_of(accessesOf(tile), [&](const TileAccess &access) {
      return !access.reads || loop->isAncestor(access.op);
    });
  };
  const auto writesOthers = [&](mlir::Operation *op) {
    return llvm::any_of(op->getOperands(), [&](mlir::Value v) {
      AllocOp tile = isa<BufferType>(v.getType()) ? rootOf(v) : AllocOp();
      return tile && !isOwn(tile) && llvm::any_of(accessesOf(tile), [&](const TileAccess &access) {
               return access.op == op && access.writes;
             });
    });
  };
  const auto changes = [&](mlir::Operation *op) {
    if (auto mma = dyn_cast<MmaOp>(op)) {
      const WithoutTrips check(mma, loop);
      return !check.runs() && !check.isFolded();
    }
    if (isa<PrintOp>(op))
      return prints;
    if (isa<AllocOp, mlir::scf::ForOp, mlir::scf::IfOp>(op) || mlir::isMemoryEffectFree(op))
      return false;
    return !isa<LoadOp, FillOp, CopyOp, MapOp, ReduceOp>(op) || writesOthers(op);
  };
  const auto found = loop->walk([&](mlir::Operation *op) {
    return changes(op) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return loop.getNumResults() == 0 && !found.wasInterrupted();
}

/// A loop whose product must define the accumulator runs at least once.
void runAtLeastOnce(mlir::scf::ForOp loop) {
  mlir::OpBuilder b(loop);
  auto loc = loop.getLoc();
  mlir::Value one =
      mlir::arith::AddIOp::create(b, loc, loop.getLowerBound(), constantIndex(b, loc, 1));
  loop.setUpperBound(mlir::arith::MaxSIOp::create(b, loc, loop.getUpperBound(), one));
}

// ---- Folding ----------------------------------------------------------------------------------

/// The value "some loop is past its first iteration"; null without loops.
mlir::Value pastFirst(mlir::OpBuilder &b, mlir::Location loc,
                      llvm::ArrayRef<mlir::scf::ForOp> loops) {
  mlir::Value past;
  for (auto loop : loops) {
    auto mutableLoop = loop;
    mlir::Value later =
        mlir::arith::CmpIOp::create(b, loc, mlir::arith::CmpIPredicate::ne,
                                    mutableLoop.getInductionVar(), mutableLoop.getLowerBound());
    past = past ? mlir::arith::OrIOp::create(b, loc, past, later).getResult() : later;
  }
  return past;
}

/// Whether an operation in `around` may be left out where loops alone would come to it.
bool isUnderCondition(mlir::Operation *op, mlir::Operation *around) {
  for (op = op->getParentOp(); op != around; op = op->getParentOp())
    if (!isa<mlir::scf::ForOp>(op))
      return true;
  return false;
}

mlir::LogicalResult foldZeroFill(FillOp fill, bool mayStay) {
  auto accesses = accessesOf(rootOf(fill.getDestination()));
  auto at = llvm::find_if(accesses, [&](const TileAccess &a) { return a.op == fill; });
  if (!fill.getValue().isZero() || std::next(at) == accesses.end())
    return mlir::success();
  auto mma = dyn_cast<MmaOp>(std::next(at)->op);
  if (!mma || mma.getAccumulate() || mma.getD() != std::next(at)->view ||
      !fill->getBlock()->findAncestorOpInBlock(*mma))
    return mlir::success();
  auto loops = loopsAround(mma, fill->getParentOp());
  if (isUnderCondition(mma, fill->getParentOp()))
    return mlir::success();
  // Which iteration is the first of a loop from an unknown, the proof does not follow.
  const auto fromConstant = [](mlir::scf::ForOp loop) {
    return mlir::getConstantIntValue(loop.getLowerBound()).has_value();
  };
  if (mayStay && !llvm::all_of(loops, fromConstant))
    return mlir::success();
  if (!llvm::all_of(loops, [](auto loop) { return isOfExtents(loop.getUpperBound()); }))
    return mlir::success();
  std::vector<mlir::scf::ForOp> mayNotRun;
  for (auto loop : loops) {
    const WithoutTrips check(mma, loop);
    if (check.isFolded() && leavesNoTrace(loop, mayStay))
      mayNotRun.push_back(loop);
    else if (!check.runs())
      return mlir::success();
  }
  for (auto loop : mayNotRun)
    runAtLeastOnce(loop);
  mlir::OpBuilder b(mma);
  mlir::Value accumulate = pastFirst(b, mma.getLoc(), loops);
  if (!accumulate)
    accumulate = mlir::arith::ConstantIntOp::create(b, mma.getLoc(), 0, 1);
  mma.getAccumulateMutable().assign(accumulate);
  fill.erase();
  return mlir::success();
}

} // namespace

/// Makes products overwrite accumulators that were filled with zero right before. Where loops lie
/// between, each has trips in every launch, or without any its first iteration would multiply a
/// tile outside its tensor, which loads as zeros: then the loop runs at least once. Other fills
/// stay; so do, where not only products can write accumulators, those before loops from an unknown.
/// See docs/architecture.md.
mlir::LogicalResult foldZeroFills(KernelOp kernel, const Arch &arch) {
  const bool mayStay = arch.target == Target::sm_90a;
  std::vector<FillOp> fills;
  kernel.walk([&](FillOp fill) {
    if (rootOf(fill.getDestination()))
      fills.push_back(fill);
  });
  for (FillOp fill : fills)
    if (failed(foldZeroFill(fill, mayStay)))
      return mlir::failure();
  return mlir::success();
}

/// The bound that runAtLeastOnce() gives a loop.
bool runsAtLeastOnce(mlir::scf::ForOp loop) {
  auto most = loop.getUpperBound().getDefiningOp<mlir::arith::MaxSIOp>();
  auto once = most ? most.getRhs().getDefiningOp<mlir::arith::AddIOp>() : mlir::arith::AddIOp();
  return once && once.getLhs() == loop.getLowerBound() &&
         mlir::getConstantIntValue(once.getRhs()) == 1;
}

} // namespace sluice

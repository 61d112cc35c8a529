#include "Transform/Barrier/TakeTurns.h"
#include "Dialect/Marks.h"
#include "Transform/Barrier/RingEnds.h"
#include "Transform/Refusal.h"

#include "Dialect/ValueNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::isa;
using mlir::Value;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

constexpr int64_t groups = 2;

scf::ForOp tileLoopOf(RoleOp role) {
  scf::ForOp found;
  role.walk([&](scf::ForOp loop) {
    if (marks::turns.on(loop))
      found = loop;
  });
  return found;
}

/// One of the two roles.
class TurnOfRole {
public:
  TurnOfRole(RoleOp role, int64_t number) : role_(role), loop_(tileLoopOf(role)), number_(number) {}

  mlir::LogicalResult take(MbarrierAllocOp turns, llvm::ArrayRef<RingBarriers> rings) {
    for (size_t i = 0; i < loop_.getNumRegionIterArgs(); ++i)
      if (mlir::failed(skipOthers(i)))
        return mlir::failure();
    stride();
    waitForTurns(turns, rings);
    marks::turns.remove(loop_);
    return mlir::success();
  }

private:
  /// Every other tile of those that the loop counts: their number stays the one that the loading
  /// role's loop has, which is how the proof knows that the loops fit together.
  void stride() {
    mlir::OpBuilder b(loop_);
    auto loc = loop_.getLoc();
    Value first = loop_.getLowerBound(), step = loop_.getStep(), tile = loop_.getInductionVar();
    Value length = arith::SubIOp::create(b, loc, loop_.getUpperBound(), first);
    Value tiles = arith::CeilDivSIOp::create(b, loc, length, step);
    setValueName(tiles, "tilesHere");
    loop_.setLowerBound(constantIndex(b, loc, number_));
    loop_.setUpperBound(tiles);
    loop_.setStep(constantIndex(b, loc, groups));
    marks::name.set(loop_, "round");
    b.setInsertionPointToStart(loop_.getBody());
    Value moved = arith::MulIOp::create(b, loc, tile, step);
    Value own = arith::AddIOp::create(b, loc, first, moved);
    setValueName(own, "tile");
    tile.replaceAllUsesExcept(own, moved.getDefiningOp());
  }

  /// Moves what a value is computed from to the start of the tile loop's body; false where it
  /// depends on the tile.
  bool hoist(Value value, mlir::Operation *before) {
    auto *op = value.getDefiningOp();
    if (!op || op->getBlock() != loop_.getBody())
      return op || !loop_->isAncestor(value.getParentBlock()->getParentOp());
    if (!mlir::isMemoryEffectFree(op) || op->getNumRegions() > 0)
      return false;
    for (Value operand : op->getOperands())
      if (!hoist(operand, before))
        return false;
    if (before->isBeforeInBlock(op))
      op->moveBefore(before);
    return true;
  }

  /// Trips of a loop inside a tile, at the start of its body; null where they depend on the tile.
  Value tripsOf(scf::ForOp inner, mlir::Operation *start) {
    for (Value bound : {inner.getLowerBound(), inner.getUpperBound(), inner.getStep()})
      if (!hoist(bound, start))
        return nullptr;
    mlir::OpBuilder b(start);
    auto loc = inner.getLoc();
    Value length = inner.getUpperBound();
    if (mlir::getConstantIntValue(inner.getLowerBound()) != 0)
      length = arith::SubIOp::create(b, loc, length, inner.getLowerBound());
    if (mlir::getConstantIntValue(inner.getStep()) != 1)
      length = arith::CeilDivSIOp::create(b, loc, length, inner.getStep());
    return length;
  }

  /// How far a tile moves the cursor, or a step of a loop inside it: from `argument` to `yielded`;
  /// null: not at all, or it follows another one. Fails where that differs between tiles.
  mlir::FailureOr<Value> advanceOf(Value argument, Value yielded, mlir::Operation *start) {
    mlir::OpBuilder b(start);
    if (auto advance = yielded.getDefiningOp<CursorAdvanceOp>();
        advance && advance.getCursor() == argument)
      return constantIndex(b, advance.getLoc(), advance.getBy());
    if (auto branch = yielded.getDefiningOp<scf::IfOp>())
      return unsupported(branch, "tiles are computed in turns, and those that take this branch are "
                                 "not known ahead; leave out the turns (pingpong)");
    auto inner = yielded.getDefiningOp<scf::ForOp>();
    if (!inner || yielded == argument)
      return Value();
    const auto result = mlir::cast<mlir::OpResult>(yielded).getResultNumber();
    auto step = advanceOf(inner.getRegionIterArg(result), inner.getYieldedValues()[result], start);
    if (mlir::failed(step) || !*step)
      return step; // the cursor of the step before
    Value trips = inner.getInitArgs()[result] == argument ? tripsOf(inner, start) : Value();
    if (trips && mlir::getConstantIntValue(*step) == 1)
      return trips;
    b.setInsertionPoint(start);
    if (trips)
      return arith::MulIOp::create(b, inner.getLoc(), trips, *step).getResult();
    return unsupported(inner,
                       "tiles are computed in turns, and the steps of this loop differ between "
                       "them; leave out the turns (pingpong)");
  }

  /// The slots of the tiles in between belong to the other group: of the tile before, or the next.
  mlir::LogicalResult skipOthers(size_t carried) {
    Value argument = loop_.getRegionIterArg(carried);
    if (!isa<CursorType>(argument.getType()))
      return mlir::success();
    auto top = mlir::OpBuilder::atBlockBegin(loop_.getBody());
    // What is computed before the tile goes in front of this.
    mlir::Operation *start = constantIndex(top, loop_.getLoc(), 0).getDefiningOp();
    auto advance = advanceOf(argument, loop_.getYieldedValues()[carried], start);
    if (mlir::failed(advance))
      return mlir::failure();
    if (!*advance)
      return mlir::success();
    auto *end = loop_.getBody()->getTerminator();
    mlir::OpBuilder b(number_ == 0 ? end : start);
    Value from = number_ == 0 ? end->getOperand(carried) : argument;
    auto skipped = CursorAdvanceDynOp::create(b, loop_.getLoc(), from, *advance);
    if (number_ == 0)
      end->setOperand(carried, skipped);
    else
      argument.replaceAllUsesExcept(skipped, skipped);
    return mlir::success();
  }

  /// The statements of a tile that wait for a ring. Arrivals need no turn: who has waited for the
  /// phase before may arrive.
  std::pair<mlir::Operation *, mlir::Operation *> spanOf(const RingBarriers &ring) {
    mlir::Operation *first = nullptr, *last = nullptr;
    for (Value barrier : {ring.full, ring.empty}) {
      if (!barrier)
        continue;
      for (mlir::Operation *user : barrier.getUsers()) {
        if (!isa<MbarrierWaitOp>(user) || !loop_->isProperAncestor(user))
          continue;
        auto *op = ancestorIn(loop_.getBody(), user);
        first = !first || op->isBeforeInBlock(first) ? op : first;
        last = !last || last->isBeforeInBlock(op) ? op : last;
      }
    }
    return {first, last};
  }

  /// Around the waits for each ring: wait for the own turn, then give it to the other group. Group
  /// 0 begins.
  void waitForTurns(MbarrierAllocOp turns, llvm::ArrayRef<RingBarriers> rings) {
    auto loc = loop_.getLoc();
    Value cursor = carryTurn();
    mlir::OpBuilder b(loop_.getBody(), loop_.getBody()->begin());
    Value phase = CursorPhaseOp::create(b, loc, b.getIndexType(), cursor);
    if (number_ == 0)
      phase = arith::XOrIOp::create(b, loc, phase, constantIndex(b, loc, 1));
    for (size_t i = 0; i < rings.size(); ++i) {
      auto [first, last] = spanOf(rings[i]);
      if (!first)
        continue;
      const int64_t own = groups * int64_t(i) + number_, other = groups * int64_t(i) + 1 - number_;
      b.setInsertionPoint(first);
      MbarrierWaitOp::create(b, loc, turns.getBarriers(), constantIndex(b, loc, own), phase,
                             Value(), ir::Exec::threads);
      b.setInsertionPointAfter(last);
      MbarrierArriveOp::create(b, loc, turns.getBarriers(), constantIndex(b, loc, other), Value(),
                               1, ir::Exec::warp);
    }
  }

  /// Tiles of this group so far, as a cursor of one slot.
  Value carryTurn() {
    auto loc = loop_.getLoc();
    mlir::IRRewriter rewriter(loop_);
    Value start = CursorOp::create(rewriter, loc, CursorType::get(rewriter.getContext(), 1));
    auto attributes = llvm::to_vector(loop_->getDiscardableAttrs());
    auto replaced = loop_.replaceWithAdditionalYields(
        rewriter, {start}, /*replaceInitOperandUsesInLoop=*/false,
        [&](mlir::OpBuilder &b, mlir::Location, llvm::ArrayRef<mlir::BlockArgument> arguments) {
          return llvm::SmallVector<Value>{CursorAdvanceOp::create(b, loc, arguments.back())};
        });
    loop_ = mlir::cast<scf::ForOp>(replaced->getOperation());
    for (auto attribute : attributes)
      loop_->setDiscardableAttr(attribute.getName(), attribute.getValue());
    if (auto names = marks::carries.of(loop_)) {
      auto all = llvm::to_vector(names.getValue());
      all.push_back(rewriter.getStringAttr("turn"));
      marks::carries.set(loop_, rewriter.getArrayAttr(all));
    }
    return loop_.getRegionIterArgs().back();
  }

  RoleOp role_;
  scf::ForOp loop_;
  int64_t number_;
};

/// Two groups share a staging tile in turn only where a ring orders them.
mlir::LogicalResult verifyHandedOn(RoleOp role) {
  auto result = role.walk([](mlir::Operation *op) {
    if (!isa<TmaStoreOp, BarSyncOp>(op))
      return mlir::WalkResult::advance();
    breaks("R16", op,
           "tiles are computed in turns (pingpong), and their results do not fit into shared "
           "memory as a whole, for a warp of its own to store them; use fewer stages, "
           "staging=1, or a smaller tile");
    return mlir::WalkResult::interrupt();
  });
  return mlir::failure(result.wasInterrupted());
}

} // namespace

mlir::FailureOr<std::optional<Turns>> takeTurns(KernelOp kernel,
                                                llvm::ArrayRef<RingBarriers> rings) {
  RoleOp first;
  for (RoleOp role : kernel.getOps<RoleOp>())
    if (role.getFirst() && *role.getFirst() == 0)
      first = role;
  if (!first || !tileLoopOf(first))
    return std::optional<Turns>();
  if (mlir::failed(verifyHandedOn(first)))
    return mlir::failure();
  if (rings.empty())
    return first.emitError("tiles are computed in turns, and nothing is brought in for them that "
                           "the groups could take in turn; leave out the turns (pingpong)");
  mlir::OpBuilder b(first);
  auto type = MbarrierType::get(b.getContext(), groups * int64_t(rings.size()));
  auto turns = MbarrierAllocOp::create(b, first.getLoc(), type, "turn", mlir::IntegerAttr());
  b.setInsertionPointAfter(first);
  auto second = mlir::cast<RoleOp>(b.clone(*first));
  second.setFirst(warpsOf(first));
  second.setEnd(groups * warpsOf(first));
  first.setName((first.getName() + "0").str());
  second.setName((second.getName() + "1").str());
  if (mlir::failed(TurnOfRole(first, 0).take(turns, rings)) ||
      mlir::failed(TurnOfRole(second, 1).take(turns, rings)))
    return mlir::failure();
  return std::optional(Turns{turns, warpsOf(first)});
}

} // namespace sluice

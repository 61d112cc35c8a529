// Barrier level, sm_90a, of a loop that says so (`sluice.in_turn`): the warpgroups of a
// role issue the products of a step one after another, so that one multiplies while the others do
// the rest of theirs. Named barrier `first + g` gives group g its turn, the group before hands it
// on; the first turn is there from the start, and the last one is taken behind all loops.
#include "Dialect/Marks.h"
#include "Dialect/ValueNames.h"
#include "Transform/Barrier/Meeting.h"
#include "Transform/Passes.h"
#include "Transform/Refusal.h"
#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::LogicalResult;
using mlir::Value;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

/// What a role issues in a turn.
struct Turn {
  mlir::Operation *first = nullptr, *last = nullptr; // a fence and a commit of the loop's own block
};

/// The products at the beginning of a step, up to the first that is waited for.
Turn turnOf(scf::ForOp loop) {
  Turn turn;
  for (mlir::Operation &op : *loop.getBody()) {
    if (!turn.first && mlir::isa<WgmmaFenceOp>(op))
      turn.first = &op;
    if (turn.last && mlir::isa<WgmmaWaitOp>(op))
      break;
    if (mlir::isa<WgmmaCommitOp>(op))
      turn.last = &op;
  }
  return turn;
}

bool multiplies(scf::ForOp loop) {
  const auto stop = [](WgmmaOp) { return mlir::WalkResult::interrupt(); };
  return loop->walk(stop).wasInterrupted();
}

Value isGroup(mlir::OpBuilder &b, mlir::Location loc, Value group, int64_t number) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, group,
                               constantIndex(b, loc, number));
}

/// The loop of one role. Its barriers are those from `first` on.
class Taking {
public:
  Taking(RoleOp role, scf::ForOp loop, int64_t first)
      : role_(role), loop_(loop), groups_((*role.getEnd() - *role.getFirst()) / 4), first_(first) {}

  int64_t groups() const { return groups_; }

  LogicalResult lower() {
    const Turn turn = turnOf(loop_);
    if (!turn.first || !turn.last || turn.last->isBeforeInBlock(turn.first))
      return loop_.emitError("sluice.in_turn: its products stand in a loop or branch of their own");
    if (groups_ < 2)
      return loop_.emitError("sluice.in_turn: role '")
             << role_.getName() << "' has one warpgroup, which waits for no other; leave it out";
    if (first_ + groups_ > 16)
      return unsupported(loop_, "sluice.in_turn: a barrier for the turn of each of ")
             << groups_ << " warpgroups; " << first_ - 1 << " of 15 are taken";
    numberGroups();
    mlir::OpBuilder b(turn.first);
    sync(b, mine_);
    b.setInsertionPointAfter(turn.last);
    arrive(b, theirs_);
    startAndEnd();
    return mlir::success();
  }

private:
  void numberGroups() {
    group_ = warpgroupOf(role_, loop_.getLoc());
    mlir::OpBuilder b(loop_.getContext());
    b.setInsertionPointAfterValue(group_);
    auto loc = loop_.getLoc();
    Value first = constantIndex(b, loc, first_);
    mine_ = named(arith::AddIOp::create(b, loc, group_, first), "mine");
    Value next = arith::AddIOp::create(b, loc, mine_, constantIndex(b, loc, 1));
    Value isLast = isGroup(b, loc, group_, groups_ - 1);
    theirs_ = named(arith::SelectOp::create(b, loc, isLast, first, next), "theirs");
  }

  /// In front of all loops around it and behind them, those that go on while tiles are drawn too.
  void startAndEnd() {
    mlir::Operation *outermost = loop_;
    for (mlir::Operation *op = loop_->getParentOp(); op != role_; op = op->getParentOp())
      if (mlir::isa<scf::ForOp, scf::WhileOp>(op))
        outermost = op;
    auto loc = loop_.getLoc();
    mlir::OpBuilder b(outermost);
    auto last = scf::IfOp::create(b, loc, isGroup(b, loc, group_, groups_ - 1), false);
    auto inside = last.getThenBodyBuilder();
    arrive(inside, theirs_);
    b.setInsertionPointAfter(outermost);
    auto firstGroup = scf::IfOp::create(b, loc, isGroup(b, loc, group_, 0), false);
    inside = firstGroup.getThenBodyBuilder();
    sync(inside, mine_);
  }

  void sync(mlir::OpBuilder &b, Value id) {
    BarSyncOp::create(b, loop_.getLoc(), mlir::IntegerAttr(), id, threads);
  }
  void arrive(mlir::OpBuilder &b, Value id) {
    BarArriveOp::create(b, loop_.getLoc(), mlir::IntegerAttr(), id, threads);
  }

  static constexpr int64_t threads = 256; // of who waits and who hands on

  RoleOp role_;
  scf::ForOp loop_;
  int64_t groups_, first_;
  Value group_, mine_, theirs_;
};

} // namespace

LogicalResult takeGroupTurns(KernelOp kernel, const Arch & /*arch*/) {
  std::vector<std::pair<RoleOp, scf::ForOp>> loops;
  std::vector<scf::ForOp> marked;
  kernel.walk([&](scf::ForOp loop) {
    if (!marks::inTurn.on(loop))
      return;
    marked.push_back(loop);
    if (auto role = loop->getParentOfType<RoleOp>(); role && multiplies(loop))
      loops.emplace_back(role, loop);
  });
  if (!marked.empty() && loops.empty())
    return marked.front().emitError(
        "sluice.in_turn: it is no loop of a role that multiplies; leave it out");
  int64_t first = lastBarrier(kernel) + 1;
  for (auto [role, loop] : loops) {
    Taking taking(role, loop, first);
    if (mlir::failed(taking.lower()))
      return mlir::failure();
    first += taking.groups();
  }
  for (scf::ForOp loop : marked)
    marks::inTurn.remove(loop);
  return mlir::success();
}

} // namespace sluice

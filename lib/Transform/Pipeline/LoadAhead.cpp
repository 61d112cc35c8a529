// Pipeline level, NVIDIA, of a grid that says so: no role loads. Who computes issues the loads too,
// each as many steps before its tile is read as the ring has slots, or one fewer where slots are
// released one step late. A loop in front fills the ring; then every step loads anew into the slot
// that it has just released. With `prefetch` it is so many steps, and where that leaves a slot free
// a step issues the load before it waits for its own tile. A warp releases before it waits for
// anything loaded later, so the one that issues the loads waits for none that waits for it.
#include "Dialect/Marks.h"
#include "Dialect/ValueNames.h"
#include "Transform/Passes.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Refusal.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::isa;
using mlir::LogicalResult;
using mlir::Value;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

/// Acquire, loads and commit of a ring, in order.
std::vector<mlir::Operation *> fillOf(KernelOp kernel, PipelineOp ring) {
  std::vector<mlir::Operation *> fill;
  kernel.walk([&](mlir::Operation *op) {
    auto load = mlir::dyn_cast<LoadOp>(op);
    const bool verb =
        isa<AcquireOp, CommitOp, TailOp>(op) && op->getOperand(0) == ring.getPipeline();
    if (verb ||
        (load && llvm::is_contained(ring.getBuffers(), rootOf(load.getDestination()).getBuffer())))
      fill.push_back(op);
  });
  return fill;
}

/// The loop that carries the cursor under which a ring is filled; null: none, or a branch in one.
scf::ForOp loopOf(llvm::ArrayRef<mlir::Operation *> fill) {
  auto cursor =
      mlir::dyn_cast<mlir::BlockArgument>(mlir::cast<AcquireOp>(fill.front()).getCursor());
  auto loop = cursor ? mlir::dyn_cast<scf::ForOp>(cursor.getOwner()->getParentOp()) : scf::ForOp();
  return loop && fill.front()->getParentOp() == loop ? loop : scf::ForOp();
}

/// The loads of a ring in a loop, moved ahead.
class Ahead {
public:
  Ahead(PipelineOp ring, scf::ForOp loop, std::vector<mlir::Operation *> fill)
      : ring_(ring), loop_(loop), fill_(std::move(fill)) {
    llvm::erase_if(fill_, [](mlir::Operation *op) { return isa<TailOp>(op); });
    cursor_ = mlir::cast<mlir::BlockArgument>(mlir::cast<AcquireOp>(fill_.front()).getCursor());
  }

  LogicalResult move() {
    if (mlir::failed(fillRing()) || mlir::failed(refill()))
      return mlir::failure();
    for (auto *op : fill_)
      op->erase();
    return mlir::success();
  }

private:
  /// Whether slots are released one step late: with the cursor of the step before.
  bool isLate() {
    return llvm::any_of(ring_->getUsers(), [&](mlir::Operation *user) {
      auto release = mlir::dyn_cast<ReleaseOp>(user);
      return release && loop_->isAncestor(release) && release.getCursor() != cursor_;
    });
  }

  /// In steps.
  int64_t distance() {
    auto asked = marks::prefetch.of(loop_);
    return asked ? asked.getInt() : most();
  }
  int64_t most() { return ring_.getPipeline().getType().getSlots() - (isLate() ? 1 : 0); }

  /// `step` and so many steps more.
  Value later(mlir::OpBuilder &b, Value step) {
    auto loc = loop_.getLoc();
    Value far = constantIndex(b, loc, distance());
    if (mlir::getConstantIntValue(loop_.getStep()) != 1)
      far = arith::MulIOp::create(b, loc, far, loop_.getStep());
    return arith::AddIOp::create(b, loc, step, far);
  }

  LogicalResult fillRing() {
    if (distance() == 0)
      return mlir::success();
    mlir::OpBuilder b(loop_);
    auto loc = loop_.getLoc();
    Value end =
        arith::MinSIOp::create(b, loc, loop_.getUpperBound(), later(b, loop_.getLowerBound()));
    auto first = scf::ForOp::create(b, loc, loop_.getLowerBound(), end, loop_.getStep(),
                                    mlir::ValueRange{loop_.getTiedLoopInit(cursor_)->get()});
    marks::name.set(first, "first");
    marks::carries.set(first, b.getStrArrayAttr({"filled"}));
    b.setInsertionPointToStart(first.getBody());
    Value cursor = first.getRegionIterArgs()[0];
    if (mlir::failed(copyFill(b, first.getInductionVar(), cursor)))
      return mlir::failure();
    if (!loop_->getParentOfType<scf::ForOp>()) // else the slots have been used in the last round
      first.walk([&](AcquireOp op) { marks::unused.set(op); });
    scf::YieldOp::create(b, loc, CursorAdvanceOp::create(b, loc, cursor).getResult());
    return mlir::success();
  }

  LogicalResult refill() {
    mlir::OpBuilder b(loop_.getContext());
    if (distance() < most())
      b.setInsertionPoint(fill_.front());
    else
      b.setInsertionPointAfter(release());
    auto loc = loop_.getLoc();
    Value step = named(later(b, loop_.getInductionVar()), "next");
    Value more =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, step, loop_.getUpperBound());
    auto branch = scf::IfOp::create(b, loc, more, /*withElseRegion=*/false);
    b = branch.getThenBodyBuilder();
    Value ahead = CursorAdvanceOp::create(b, loc, cursor_, distance());
    return copyFill(b, step, named(ahead, "ahead"));
  }

  /// The statement of the loop's body that gives the slot back.
  mlir::Operation *release() {
    mlir::Operation *last = nullptr;
    for (mlir::Operation *user : ring_->getUsers())
      if (auto *op = loop_.getBody()->findAncestorOpInBlock(*user); isa<ReleaseOp>(user) && op)
        last = !last || last->isBeforeInBlock(op) ? op : last;
    return last;
  }

  /// What fills the slot under `cursor` in step `step`.
  LogicalResult copyFill(mlir::OpBuilder &b, Value step, Value cursor) {
    mlir::IRMapping map;
    map.map(loop_.getInductionVar(), step);
    map.map(cursor_, cursor);
    for (auto *op : fill_)
      for (Value operand : op->getOperands())
        if (mlir::failed(copyValue(b, operand, map)))
          return unsupported(op, "what it loads is not known ahead: it depends on more than the "
                                 "number of the step; leave out sluice.load_ahead");
    for (auto *op : fill_)
      b.clone(*op, map);
    return mlir::success();
  }

  /// What a value of a step is computed from; fails where that is more than the step's number.
  LogicalResult copyValue(mlir::OpBuilder &b, Value value, mlir::IRMapping &map) {
    if (map.contains(value) || !loop_->isAncestor(value.getParentRegion()->getParentOp()))
      return mlir::success();
    auto *op = value.getDefiningOp();
    if (!op || !mlir::isMemoryEffectFree(op) || op->getNumRegions() > 0)
      return mlir::failure();
    for (Value operand : op->getOperands())
      if (mlir::failed(copyValue(b, operand, map)))
        return mlir::failure();
    b.clone(*op, map);
    return mlir::success();
  }

  PipelineOp ring_;
  scf::ForOp loop_;
  mlir::BlockArgument cursor_;
  std::vector<mlir::Operation *> fill_;
};

/// Who computes with a tile loads it: that is one role.
LogicalResult refuseSeveral(PipelineOp ring) {
  const auto readers = ring.getConsumers().getAsValueRange<mlir::StringAttr>();
  return unsupported(ring, "tile '")
         << rootOf(ring.getBuffers().front()).getName() << "' is read by role '" << *readers.begin()
         << "' and by role '" << *std::next(readers.begin())
         << "', and with sluice.load_ahead who computes with a tile loads it; leave it out, or let "
            "each load a tile of its own";
}

LogicalResult refuse(KernelOp kernel) {
  for (GridOp grid : kernel.getOps<GridOp>())
    if (marks::loadAhead.on(grid))
      return grid.emitError("sluice.load_ahead: no loop with stages loads tiles, so that there "
                            "is no step to load ahead of; leave it out");
  return mlir::success();
}

} // namespace

LogicalResult loadAhead(KernelOp kernel, const Arch & /*arch*/) {
  if (!loadsAhead(kernel))
    return mlir::success();
  bool found = false;
  const auto takeLoads = [&](PipelineOp ring) {
    if (mlir::cast<mlir::StringAttr>(ring.getProducers()[0]).getValue() != nameOf(Duty::load))
      return mlir::success();
    if (ring.getConsumers().size() > 1)
      return refuseSeveral(ring);
    ring.setProducersAttr(ring.getConsumers());
    auto fill = fillOf(kernel, ring);
    for (auto *op : fill)
      setAgent(op, mlir::cast<mlir::StringAttr>(ring.getConsumers()[0]).getValue());
    scf::ForOp loop = loopOf(fill);
    found |= bool(loop);
    return loop ? Ahead(ring, loop, std::move(fill)).move() : mlir::success();
  };
  return mlir::failed(forEach<PipelineOp>(kernel, takeLoads)) ? mlir::failure()
         : found                                              ? mlir::success()
                                                              : refuse(kernel);
}

} // namespace sluice

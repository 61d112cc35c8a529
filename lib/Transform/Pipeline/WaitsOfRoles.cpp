// Products in roles that an author wrote are waited for where something needs them: their
// registers, or room in what they read. What stands between runs beside them, and so may other
// products. Releases stay where the author put them.
#include "Transform/Pipeline/WaitsOfRoles.h"

#include "Transform/Tiles.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;

namespace {

bool isTile(mlir::Value value) {
  return isa<BufferType>(value.getType());
}

/// What is of the product alone, as toWgmma leaves it, or of another one.
bool isProduct(mlir::Operation *op) {
  return isa<WgmmaFenceOp, WgmmaOp, WgmmaCommitOp>(op);
}

/// A wait right behind its product: how far it may move down in its block.
class SinkingProduct {
public:
  SinkingProduct(WgmmaOp product, WgmmaWaitOp wait) : product_(product), wait_(wait) {
    for (mlir::Value tile : {product.getD(), product.getA(), product.getB()}) {
      const bool held = mlir::cast<BufferType>(tile.getType()).getSpace() == Space::reg;
      (held ? registers_ : read_).push_back(rootOf(tile));
    }
  }

  /// `others`: the products with waits behind this one. Where one of these tells of it too, it has
  /// none of its own.
  void sink(llvm::MutableArrayRef<SinkingProduct> others) {
    auto next = std::next(wait_->getIterator());
    int64_t pending = 0; // groups that are issued behind it
    bool works = false;
    for (; !stops(&*next); ++next) {
      pending += isa<WgmmaCommitOp>(*next);
      works |= !mlir::isPure(&*next);
    }
    if (!works)
      return;
    auto other = llvm::find_if(others, [&](const SinkingProduct &o) { return o.wait_ == &*next; });
    if (other != others.end() && int64_t(other->wait_.getPending()) <= pending) {
      other->with_.push_back(this);
      wait_.erase();
      wait_ = {};
      return;
    }
    wait_->moveBefore(&*next);
    wait_.setPending(pending);
  }

  /// From iteration to iteration: what needs the products is preceded by a wait for all but those
  /// of its own iteration, and all are waited for behind the loop. Where nothing in front of them
  /// needs them, they are waited for where they were.
  void sinkRound() {
    if (!wait_ || !endsLoop())
      return;
    int64_t pending = 0;
    for (mlir::Operation &op : *wait_->getBlock()) {
      if (&op == wait_)
        return;
      const auto needs = [&](const SinkingProduct *product) { return product->stops(&op, true); };
      if (needs(this) || llvm::any_of(with_, needs))
        return pending > 0 ? goRound(&op, pending) : void();
      pending += isa<WgmmaCommitOp>(op);
    }
  }

private:
  void goRound(mlir::Operation *before, int64_t pending) {
    auto loop = mlir::cast<mlir::scf::ForOp>(wait_->getParentOp());
    mlir::OpBuilder b(loop);
    b.setInsertionPointAfter(loop);
    WgmmaWaitOp::create(b, wait_.getLoc(), 0);
    wait_->moveBefore(before);
    wait_.setPending(pending);
  }

  /// Whether nothing happens behind the wait in the body of its loop.
  bool endsLoop() const {
    mlir::Block *body = wait_->getBlock();
    return isa<mlir::scf::ForOp>(wait_->getParentOp()) &&
           std::all_of(std::next(wait_->getIterator()), body->getTerminator()->getIterator(),
                       [](mlir::Operation &op) { return mlir::isPure(&op); });
  }

  bool isHeld(mlir::Value tile) const { return llvm::is_contained(registers_, rootOf(tile)); }
  bool isRead(mlir::Value tile) const { return llvm::is_contained(read_, rootOf(tile)); }

  /// One that adds to the same sum comes after it.
  bool goesOn(mlir::Operation *op) const {
    auto next = dyn_cast<WgmmaOp>(op);
    WgmmaOp own = product_;
    return next && rootOf(next.getD()) == rootOf(own.getD()) && !isHeld(next.getA());
  }
  bool touches(mlir::Operation *op) const {
    return llvm::any_of(op->getOperands(), [&](mlir::Value v) { return isTile(v) && isHeld(v); }) ||
           llvm::any_of(op->getResults(), [&](mlir::Value v) { return isTile(v) && isHeld(v); });
  }
  /// What only names a part of a tile.
  static bool isView(mlir::Operation *op) {
    return isa<SlotOp, SubviewOp, TransposeOp, AllocOp>(op);
  }

  bool fills(mlir::Operation *op) const {
    if (auto copy = dyn_cast<CopyOp>(op))
      return isRead(copy.getDestination());
    if (auto load = dyn_cast<LoadOp>(op))
      return isRead(load.getDestination());
    if (auto fill = dyn_cast<FillOp>(op))
      return isRead(fill.getDestination());
    return false;
  }
  bool isOver(mlir::Value pipeline, AllocOp tile) const {
    auto ring = pipeline.getDefiningOp<PipelineOp>();
    return llvm::any_of(ring.getBuffers(), [&](mlir::Value b) { return rootOf(b) == tile; });
  }
  /// Whether somebody may take a signal at this ring for the end of the product: it is over what
  /// that reads, or nothing else tells of that.
  bool tells(mlir::Value pipeline) const {
    return llvm::any_of(read_, [&](AllocOp tile) {
      const bool told = llvm::any_of(tile->getUsers(), [](mlir::Operation *user) {
        auto ring = dyn_cast<PipelineOp>(user);
        return ring && !ring.getEmpty();
      });
      return !told || isOver(pipeline, tile);
    });
  }

  /// The cursor of the slot that the product reads of a ring.
  mlir::Value cursorIn(mlir::Value pipeline) const {
    WgmmaOp own = product_;
    for (mlir::Value tile : {own.getA(), own.getB()})
      if (auto view = slotOf(tile); view && isOver(pipeline, rootOf(tile)))
        if (auto slot = view.getIndex().getDefiningOp<CursorSlotOp>())
          return slot.getCursor();
    return {};
  }
  static SlotOp slotOf(mlir::Value view) {
    while (auto *op = view.getDefiningOp()) {
      if (auto slot = dyn_cast<SlotOp>(op))
        return slot;
      if (!isView(op) || isa<AllocOp>(op))
        break;
      view = op->getOperand(0);
    }
    return {};
  }
  /// Whether it gives back the slot of the iteration before: its cursor is handed on from there.
  bool isLate(ReleaseOp release) const {
    const mlir::Value own = cursorIn(release.getPipeline());
    auto at = dyn_cast_or_null<mlir::BlockArgument>(own);
    auto before = dyn_cast<mlir::BlockArgument>(release.getCursor());
    auto loop = at ? dyn_cast<mlir::scf::ForOp>(at.getOwner()->getParentOp()) : nullptr;
    if (!loop || !before || before.getOwner() != at.getOwner() || before == at)
      return false;
    auto next = loop.getTiedLoopYieldedValue(at)->get().getDefiningOp<CursorAdvanceOp>();
    const int64_t slots = mlir::cast<CursorType>(at.getType()).getSlots();
    return loop.getTiedLoopYieldedValue(before)->get() == at && next && next.getCursor() == at &&
           int64_t(next.getBy()) % slots != 0;
  }

  /// `round`: seen from the iteration before.
  bool stops(mlir::Operation *op, bool round = false) const {
    if (op->hasTrait<mlir::OpTrait::IsTerminator>())
      return op->getBlock() == product_->getBlock();
    if (isa<mlir::scf::IfOp, mlir::scf::ForOp>(op))
      return op
          ->walk([&](mlir::Operation *inner) {
            const bool stop = inner != op && (isProduct(inner) || stops(inner, round));
            return stop ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
          })
          .wasInterrupted();
    if (isView(op) || goesOn(op))
      return false;
    if (touches(op) || fills(op))
      return true;
    if (auto release = dyn_cast<ReleaseOp>(op))
      return tells(release.getPipeline()) && (round || !isLate(release));
    if (auto commit = dyn_cast<CommitOp>(op))
      return tells(commit.getPipeline());
    return !isProduct(op) && !mlir::isPure(op) &&
           !isa<MapOp, ReduceOp, FillOp, CopyOp, LoadOp, StoreOp, WaitOp, AcquireOp, TryWaitOp,
                TryAcquireOp>(op);
  }

  WgmmaOp product_;
  WgmmaWaitOp wait_;
  std::vector<AllocOp> registers_, read_;    // read: from shared memory
  std::vector<const SinkingProduct *> with_; // products that the wait tells of too
};

} // namespace

void sinkWaitsOfRoles(const std::vector<WgmmaWaitOp> &waits) {
  std::vector<SinkingProduct> all;
  for (WgmmaWaitOp wait : waits)
    all.emplace_back(mlir::cast<WgmmaOp>(wait->getPrevNode()->getPrevNode()), wait);
  for (size_t i = all.size(); i-- > 0;)
    all[i].sink(llvm::MutableArrayRef(all).drop_front(i + 1));
  for (SinkingProduct &product : all)
    product.sinkRound();
}

} // namespace sluice

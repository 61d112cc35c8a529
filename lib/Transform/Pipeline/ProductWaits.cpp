// Waits for products move down to where their results are needed, or what they read is written
// anew: what stands between runs beside them, and so may the next products. Releases of the slots
// that they read go along.
#include "Transform/Passes.h"
#include "Transform/Pipeline/Rings.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;

namespace {

/// One product of a group of its own, as toWgmma leaves it: fence, product, commit, wait.
struct Issued {
  WgmmaOp product;
  WgmmaWaitOp wait;
  std::vector<ReleaseOp> releases; // of slots that it reads, behind the wait
};

bool isInRegisters(mlir::Value tile) {
  return mlir::cast<BufferType>(tile.getType()).getSpace() == Space::reg;
}

/// The declaration of a ring's first buffer, whose block is the ring's.
AllocOp firstOf(mlir::Value pipeline) {
  return rootOf(pipeline.getDefiningOp<PipelineOp>().getBuffers().front());
}

class Sinking {
public:
  explicit Sinking(Issued issued) : issued_(std::move(issued)) {
    for (mlir::Value tile : {issued_.product.getD(), issued_.product.getA()})
      if (isInRegisters(tile))
        registers_.push_back(rootOf(tile));
  }

  void sink() {
    mlir::Operation *last = issued_.wait;
    if (!issued_.releases.empty())
      last = issued_.releases.back();
    mlir::Block *block = last->getBlock();
    auto next = std::next(last->getIterator());
    bool works = false; // between the product and what needs it
    for (; next != block->end() && !isStop(&*next); ++next) {
      pending_ += isa<WgmmaCommitOp>(*next);
      works |= agentOf(&*next) == agentOf(issued_.wait) && !agentOf(&*next).empty();
    }
    if (!works)
      return;
    issued_.wait->moveBefore(block, next);
    issued_.wait.setPending(pending_);
    for (ReleaseOp release : issued_.releases)
      release->moveBefore(block, next);
  }

private:
  bool touches(mlir::Operation *op) const {
    return llvm::any_of(op->getOperands(), [&](mlir::Value value) {
      return isa<BufferType>(value.getType()) && llvm::is_contained(registers_, rootOf(value));
    });
  }
  /// Its slot comes without one that this product still holds: both rings are filled in one block,
  /// once each, so what fills this one does not wait for what is released here.
  bool comesBeside(WaitOp wait) const {
    mlir::Block *block = firstOf(wait.getPipeline())->getBlock();
    return llvm::all_of(issued_.releases, [&](ReleaseOp release) {
      return firstOf(release.getPipeline())->getBlock() == block;
    });
  }
  bool isStop(mlir::Operation *op) const {
    if (op->hasTrait<mlir::OpTrait::IsTerminator>() && op->getBlock() == issued_.wait->getBlock())
      return true;
    const llvm::StringRef agent = agentOf(op);
    if (!agent.empty() && agent != agentOf(issued_.wait))
      return false; // somebody else's
    if (isa<mlir::scf::IfOp>(op))
      return op
          ->walk([&](mlir::Operation *inner) {
            const bool stops = inner != op && (isStop(inner) || isProduct(inner));
            return stops ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
          })
          .wasInterrupted();
    if (touches(op))
      return true;
    if (auto wait = dyn_cast<WaitOp>(op))
      return !comesBeside(wait);
    const bool passes =
        isa<MapOp, ReduceOp, FillOp, SlotOp, SubviewOp, TransposeOp, AllocOp, PipelineOp>(op) ||
        (isProduct(op) && !isa<WgmmaWaitOp>(op)) || op->hasTrait<mlir::OpTrait::IsTerminator>();
    return !passes && !mlir::isPure(op);
  }
  static bool isProduct(mlir::Operation *op) {
    return isa<WgmmaFenceOp, WgmmaOp, WgmmaCommitOp, WgmmaWaitOp>(op);
  }

  Issued issued_;
  std::vector<AllocOp> registers_; // that it reads or writes
  int64_t pending_ = 0;            // groups that are issued behind it
};

/// Whether a product reads a buffer of the ring.
bool reads(WgmmaOp product, ReleaseOp release) {
  auto pipeline = release.getPipeline().getDefiningOp<PipelineOp>();
  return llvm::any_of(pipeline.getBuffers(), [&](mlir::Value buffer) {
    return rootOf(buffer) == rootOf(product.getA()) || rootOf(buffer) == rootOf(product.getB());
  });
}

} // namespace

mlir::LogicalResult sinkProductWaits(KernelOp kernel, const Arch & /*arch*/) {
  std::vector<Issued> all;
  kernel.walk([&](WgmmaOp product) {
    auto commit = dyn_cast<WgmmaCommitOp>(product->getNextNode());
    auto wait = commit ? dyn_cast<WgmmaWaitOp>(commit->getNextNode()) : WgmmaWaitOp();
    if (!wait || wait.getPending() != 0)
      return;
    Issued issued{product, wait, {}};
    for (auto *op = wait->getNextNode(); op; op = op->getNextNode()) {
      auto release = dyn_cast<ReleaseOp>(op);
      if (!release || !reads(product, release))
        break;
      issued.releases.push_back(release);
    }
    all.push_back(std::move(issued));
  });
  for (Issued &issued : llvm::reverse(all)) // a wait stops at the next one
    Sinking(std::move(issued)).sink();
  return mlir::success();
}

} // namespace sluice

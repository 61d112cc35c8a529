#include "Transform/Barrier/HandOver.h"

#include "Dialect/Marks.h"
#include "Dialect/ValueNames.h"
#include "Transform/Refusal.h"
#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

constexpr int64_t keeps = 2, handsOver = 3; // of MmadOp

class HandOver {
public:
  HandOver(PipelineOp ring, StoreOp store) : ring_(ring), store_(store) {}

  mlir::LogicalResult run() {
    if (mlir::failed(findAccesses()) || mlir::failed(findVerbs()) ||
        mlir::failed(verifyProducts()) || mlir::failed(verifyOffsets()))
      return mlir::failure();
    mlir::OpBuilder b(acquire_);
    whole_ = named(liesInside(b), "whole");
    auto free = scf::IfOp::create(b, ring_.getLoc(), whole_, /*withElseRegion=*/true);
    meet(free.getElseBodyBuilder()); // the store of a tile before may still be at work
    for (MmadOp product : products_)
      multiply(product);
    take();
    for (mlir::Operation *verb : {acquire_, commit_, wait_, release_})
      verb->erase();
    return mlir::success();
  }

private:
  mlir::InFlightDiagnostic refuse(mlir::Operation *at) {
    return unsupported(at, "sums of '") << ring_.getName() << "' by units: ";
  }

  static bool isWhole(mlir::Value view) { return isa<AllocOp, SlotOp>(view.getDefiningOp()); }

  mlir::LogicalResult findAccesses() {
    if (ring_.getBuffers().size() != 1 || ring_.getPrimed() || ring_.getFirst())
      return refuse(ring_)
             << "a ring of one tile alone, whose slots start empty, is handed over so";
    for (const TileAccess &access : accessesOf(rootOf(ring_.getBuffers().front()))) {
      auto product = dyn_cast<MmadOp>(access.op);
      if (product && isWhole(access.view))
        products_.push_back(product);
      else if (access.op != store_ || !isWhole(access.view))
        return refuse(access.op) << "M sums them up and one store takes them, all of the tile; "
                                    "leave units out";
    }
    return products_.empty() ? refuse(store_) << "no product sums them up; leave units out"
                             : mlir::success();
  }

  mlir::LogicalResult findVerbs() {
    for (mlir::Operation *verb : ring_->getUsers()) {
      mlir::Operation **place = isa<AcquireOp>(verb)   ? &acquire_
                                : isa<CommitOp>(verb)  ? &commit_
                                : isa<WaitOp>(verb)    ? &wait_
                                : isa<ReleaseOp>(verb) ? &release_
                                                       : nullptr;
      if (!place || *place || verb->getBlock() != store_->getBlock())
        return refuse(verb) << "acquire, commit, wait and release stand once in the block of the "
                               "store; leave units out";
      *place = verb;
    }
    const bool all = acquire_ && commit_ && wait_ && release_;
    return all ? mlir::success() : refuse(store_) << "a verb is missing; leave units out";
  }

  /// Loops alone around them: the last product has to be told.
  mlir::LogicalResult verifyProducts() {
    for (MmadOp product : products_)
      for (auto *op = product->getParentOp(); op != store_->getParentOp(); op = op->getParentOp())
        if (!op || !isa<scf::ForOp>(op))
          return refuse(product) << "which product is the last one is told of loops alone; leave "
                                    "units out";
    return mlir::success();
  }

  mlir::LogicalResult verifyOffsets() {
    const mlir::DominanceInfo dominance(ring_->getParentOfType<KernelOp>());
    for (mlir::Value offset : store_.getOffsets())
      if (!dominance.properlyDominates(offset, acquire_))
        return refuse(store_) << "where the tile is stored is not known before its products; leave "
                                 "units out";
    return isClipped(store_) ? refuse(store_) << "the tensor is clipped; leave units out"
                             : mlir::success();
  }

  /// Whether the box that is stored lies in its tensor, which is then all of the tile.
  mlir::Value liesInside(mlir::OpBuilder &b) {
    auto loc = store_.getLoc();
    const TensorType tensor = store_.getDestination().getType();
    const BufferType tile = store_.getSource().getType();
    mlir::Value inside;
    for (auto [d, offset] : llvm::enumerate(store_.getOffsets())) {
      const bool rows = int(d) == int(tensor.getRows()), cols = int(d) + 1 == int(tensor.getRank());
      const int64_t length = rows ? tile.getShape()[0] : cols ? tile.getShape()[1] : 1;
      mlir::Value end = arith::AddIOp::create(b, loc, offset, constantIndex(b, loc, length));
      mlir::Value extent = DimOp::create(b, loc, b.getIndexType(), store_.getDestination(), d);
      mlir::Value here = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, end, extent);
      inside = inside ? mlir::Value(arith::AndIOp::create(b, loc, inside, here)) : here;
    }
    return inside;
  }

  /// All loops around the product, in the block of the verbs, are in their last rounds.
  mlir::Value isLast(mlir::OpBuilder &b, MmadOp product) {
    auto loc = product.getLoc();
    mlir::Value last;
    for (auto *op = product->getParentOp(); op != store_->getParentOp(); op = op->getParentOp()) {
      auto loop = mlir::cast<scf::ForOp>(op);
      mlir::Value next = arith::AddIOp::create(b, loc, loop.getInductionVar(), loop.getStep());
      mlir::Value here =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, next, loop.getUpperBound());
      last = last ? mlir::Value(arith::AndIOp::create(b, loc, last, here)) : here;
    }
    return last ? named(last, "last") : last;
  }

  static void create(mlir::OpBuilder b, MmadOp product, int64_t units) {
    auto clone = mlir::cast<MmadOp>(b.clone(*product));
    clone.setUnits(units);
  }

  void multiply(MmadOp product) {
    mlir::OpBuilder b(product);
    auto loc = product.getLoc();
    mlir::Value last = product == products_.back() ? isLast(b, product) : mlir::Value();
    const int64_t only = product == products_.back() ? handsOver : keeps;
    auto whole = scf::IfOp::create(b, loc, whole_, /*withElseRegion=*/true);
    create(whole.getElseBodyBuilder(), product, 0);
    mlir::OpBuilder inside = whole.getThenBodyBuilder();
    if (last) {
      auto branch = scf::IfOp::create(inside, loc, last, /*withElseRegion=*/true);
      create(branch.getThenBodyBuilder(), product, handsOver);
      create(branch.getElseBodyBuilder(), product, keeps);
    } else {
      create(inside, product, only);
    }
    product.erase();
  }

  /// Where a tile goes as a whole.
  void meet(mlir::OpBuilder b) { PipeBarrierOp::create(b, ring_.getLoc(), ir::Pipe::ALL); }

  void take() {
    mlir::OpBuilder b(store_);
    store_->removeAttr(marks::byUnits.name);
    auto branch = scf::IfOp::create(b, store_.getLoc(), whole_, /*withElseRegion=*/true);
    auto byUnits = mlir::cast<StoreOp>(branch.getThenBodyBuilder().clone(*store_.getOperation()));
    byUnits.setUnits(true);
    mlir::OpBuilder asWhole = branch.getElseBodyBuilder();
    meet(asWhole);
    asWhole.clone(*store_.getOperation());
    meet(asWhole);
    store_.erase();
  }

  PipelineOp ring_;
  StoreOp store_;
  std::vector<MmadOp> products_; // in the order of the text
  mlir::Operation *acquire_ = nullptr, *commit_ = nullptr, *wait_ = nullptr, *release_ = nullptr;
  mlir::Value whole_; // whether the tile that is summed up will be stored as a whole
};

} // namespace

StoreOp storeByUnits(PipelineOp ring) {
  for (mlir::Value buffer : ring.getBuffers())
    for (const TileAccess &access : accessesOf(rootOf(buffer)))
      if (auto store = dyn_cast<StoreOp>(access.op); store && marks::byUnits.on(store))
        return store;
  return {};
}

mlir::LogicalResult handOverByUnits(PipelineOp ring, StoreOp store) {
  return HandOver(ring, store).run();
}

} // namespace sluice

// Pipeline -> barrier for sm_90a. A pipeline becomes an array of full and an array of empty
// mbarriers; counts, bytes and parities follow from who signals. Loads become TMA where it can do
// them, copies by the producer's threads where not; staged stores become TMA stores of one elected
// thread. Slots that several CTAs of a cluster fill are released to all of them.
#include "Transform/ClusterSum.h"
#include "Transform/Marks.h"
#include "Transform/Pace.h"
#include "Transform/Passes.h"
#include "Transform/Share.h"
#include "Transform/StagedLoad.h"
#include "Transform/StagedStore.h"
#include "Transform/TakeTurns.h"
#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;

/// One lowered pipeline.
struct Lowered {
  MbarrierAllocOp full, empty; // empty: absent when elided
  int64_t tmaBytes = 0;        // announced per phase
  bool threadCopies = false;
  bool own = false;          // who reads it fills it too, ahead of the step
  MbarrierAllocOp pace;      // of loads that come box by box; absent otherwise
  bool allRead = false;      // by all lanes of its consumer, not by the tensor core alone
  bool staging = false;      // filled from registers, emptied by stores
  bool threadStores = false; // some of these are copies by threads
  bool tmaStores = false;    // some are TMA's
  std::vector<Share> shares; // with whom the slots are filled: one for each direction

  /// CTAs that fill this CTA's slots, and whose slots it fills.
  int64_t ctas() const {
    int64_t count = 1;
    for (const Share &share : shares)
      count += share.count() - 1;
    return count;
  }
};

class LowerToMbarriers : public mlir::PassWrapper<LowerToMbarriers, mlir::OperationPass<KernelOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerToMbarriers)
  explicit LowerToMbarriers(const Arch &) {}
  llvm::StringRef getArgument() const override { return "sluice-lower-to-mbarriers"; }
  llvm::StringRef getDescription() const override { return "pipeline -> barrier for sm_90a"; }

  void runOnOperation() override;

private:
  Lowered createBarriers(PipelineOp pipeline, bool alone);
  void initialise(mlir::Operation *before);
  void waitForKernelBefore(mlir::OpBuilder &b);
  void lowerVerbs(PipelineOp pipeline, const Lowered &lowered);
  Exec acquiredBy(const Lowered &lowered) const;
  void release(ReleaseOp op, const Lowered &lowered);
  void tail(TailOp op, const Lowered &lowered);
  mlir::Value rank();
  mlir::LogicalResult lowerLoad(LoadOp load);
  void lowerClusterSums();
  void meetAtEnd();
  mlir::LogicalResult orderGroups(llvm::ArrayRef<PipelineOp> pipelines);

  KernelOp kernel_;
  Warps warps_;
  llvm::DenseMap<mlir::Operation *, Lowered> lowered_; // by pipeline
  std::vector<std::pair<MbarrierAllocOp, int64_t>> counts_;
  ClusterRankOp rank_;
  bool meetsAtEnd_ = false; // the CTAs of the cluster
};

mlir::Value slotOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value cursor) {
  if (mlir::cast<CursorType>(cursor.getType()).getSlots() == 1)
    return constantIndex(b, loc, 0);
  return CursorSlotOp::create(b, loc, b.getIndexType(), cursor);
}

mlir::Value phaseOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value cursor) {
  return CursorPhaseOp::create(b, loc, b.getIndexType(), cursor);
}

void waitEmpty(mlir::OpBuilder &b, mlir::Location loc, const Lowered &lowered, mlir::Value cursor,
               Exec by = Exec::threads) {
  mlir::Value flipped =
      mlir::arith::XOrIOp::create(b, loc, phaseOf(b, loc, cursor), constantIndex(b, loc, 1));
  MbarrierWaitOp::create(b, loc, MbarrierAllocOp(lowered.empty).getBarriers(),
                         slotOf(b, loc, cursor), flipped, by);
}

/// What the loads into the buffers of a pipeline bring per use of a slot. Who loads ahead has them
/// twice, in two blocks: in the loop that fills the ring, and in that which refills it.
void countLoads(PipelineOp pipeline, Lowered &lowered) {
  mlir::Block *block = nullptr;
  for (mlir::Value buffer : pipeline.getBuffers())
    for (const TileAccess &access : accessesOf(rootOf(buffer))) {
      auto load = dyn_cast<LoadOp>(access.op);
      block = load && !block ? load->getBlock() : block;
      if (!load || load->getBlock() != block)
        continue;
      auto type = load.getDestination().getType();
      if (tmaCanLoad(load, type))
        lowered.tmaBytes += *byteSizeOf(type);
      else
        lowered.threadCopies = true;
      auto share = shareOf(load);
      if (share && llvm::none_of(lowered.shares, [&](auto &s) { return s.along == share->along; }))
        lowered.shares.push_back(*share);
    }
}

/// One lane of a warp hands a slot back for all that read it.
bool readByLanes(PipelineOp pipeline) {
  return llvm::any_of(pipeline.getBuffers(), [](mlir::Value buffer) {
    return llvm::any_of(accessesOf(rootOf(buffer)), [](const TileAccess &access) {
      return access.reads && isa<CopyOp, MapOp, ReduceOp>(access.op);
    });
  });
}

Lowered LowerToMbarriers::createBarriers(PipelineOp pipeline, bool alone) {
  mlir::OpBuilder b(pipeline);
  auto loc = pipeline.getLoc();
  Lowered lowered;
  lowered.allRead = readByLanes(pipeline);
  lowered.staging = isStaging(pipeline);
  lowered.own = pipeline.getProducers() == pipeline.getConsumers();
  lowered.threadStores = lowered.staging && isStoredByThreads(pipeline);
  lowered.tmaStores = lowered.staging && isStoredByTma(pipeline);
  if (isPaced(pipeline))
    lowered.pace = MbarrierAllocOp::create(b, loc, MbarrierType::get(b.getContext(), 1),
                                           "pace_" + pipeline.getName().str(), mlir::IntegerAttr());
  else if (!lowered.staging)
    countLoads(pipeline, lowered);
  std::string suffix = alone ? "" : "_" + pipeline.getName().str();
  auto type = MbarrierType::get(b.getContext(), pipeline.getPipeline().getType().getSlots());
  lowered.full = MbarrierAllocOp::create(b, loc, type, "full" + suffix, mlir::IntegerAttr());
  const int64_t copying = lowered.own ? warps_.consumer : warps_.producer;
  const int64_t arrivals = lowered.pace ? 1
                           : lowered.staging
                               ? warps_.consumer
                               : (lowered.tmaBytes ? 1 : 0) + (lowered.threadCopies ? copying : 0);
  counts_.push_back({lowered.full, arrivals});
  if (lowered.pace)
    counts_.push_back({lowered.pace, 1});
  if (!pipeline.getEmpty()) {
    lowered.empty = MbarrierAllocOp::create(b, loc, type, "empty" + suffix, mlir::IntegerAttr());
    const int64_t readers = lowered.threadStores ? warps_.store : 1;
    counts_.push_back(
        {lowered.empty, lowered.staging ? readers : warps_.consumer * lowered.ctas()});
  }
  return lowered;
}

/// One thread initialises; the fence and the barrier make it visible to every warp, to TMA and to
/// the other CTAs of the cluster.
void LowerToMbarriers::initialise(mlir::Operation *before) {
  mlir::OpBuilder b(before);
  auto loc = before->getLoc();
  for (auto [barriers, count] : counts_)
    MbarrierInitOp::create(b, loc, barriers.getBarriers(), mlir::Value(), count, Exec::one);
  FenceOp::create(b, loc, FenceKind::mbarrier_init, Exec::one);
  if (kernel_.getCluster()) {
    ClusterArriveOp::create(b, loc);
    ClusterWaitOp::create(b, loc);
  } else {
    BarSyncOp::create(b, loc, 0, 32 * kernel_.getWarps().value_or(warps_.all()));
  }
  waitForKernelBefore(b);
}

/// Whether it, or what is in it, reads or writes a tensor.
bool touchesTensor(mlir::Operation &op) {
  const auto touches = [](mlir::Operation *inner) {
    const bool takes = llvm::any_of(inner->getOperandTypes(), llvm::IsaPred<TensorType>);
    return takes && !isa<DimOp>(inner) ? mlir::WalkResult::interrupt()
                                       : mlir::WalkResult::advance();
  };
  return op.walk(touches).wasInterrupted();
}

/// The kernel may be launched before the one in front of it has ended: what its roles do before
/// their first loop or access runs beside that one, and who touches no tensor need not wait.
/// Numbers that decide how a kernel runs are read before the roles, and by all: such a kernel
/// starts last.
void LowerToMbarriers::waitForKernelBefore(mlir::OpBuilder &b) {
  if (kernel_.walk([](ScalarLoadOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted())
    return;
  GridDependencyOp::create(b, kernel_.getLoc(), /*launch=*/true);
  for (RoleOp role : kernel_.getOps<RoleOp>()) {
    if (!touchesTensor(*role))
      continue;
    auto first = llvm::find_if(role.getBody().front(), [](mlir::Operation &op) {
      return op.getNumRegions() > 0 || touchesTensor(op);
    });
    b.setInsertionPoint(&*first);
    GridDependencyOp::create(b, first->getLoc(), /*launch=*/false);
  }
  for (auto argument : kernel_.getBody().getArguments())
    if (isa<TensorType>(argument.getType()))
      kernel_.setArgAttr(argument.getArgNumber(), "sluice.previous", b.getUnitAttr());
}

/// Rank of the CTA, at the top of the kernel.
mlir::Value LowerToMbarriers::rank() {
  if (!rank_) {
    auto b = mlir::OpBuilder::atBlockBegin(&kernel_.getBody().front());
    rank_ = ClusterRankOp::create(b, kernel_.getLoc(), b.getIndexType());
  }
  return rank_.getRank();
}

/// Who waits for an empty slot: of several warps, where TMA alone fills it, the one that issues.
/// The others go on, and would miss phases that nobody hears of their having seen.
Exec LowerToMbarriers::acquiredBy(const Lowered &lowered) const {
  const bool byTma = !lowered.threadCopies && !lowered.staging;
  return byTma && (lowered.own || warps_.producer > 1) ? Exec::one : Exec::threads;
}

/// To the own CTA and to all that fill its slots.
void LowerToMbarriers::release(ReleaseOp op, const Lowered &lowered) {
  mlir::OpBuilder b(op);
  auto loc = op.getLoc();
  if (lowered.tmaStores)
    BulkWaitOp::create(b, loc, 0, true, Exec::one);
  if (lowered.threadStores)
    WarpSyncOp::create(b, loc);
  if (!lowered.empty)
    return;
  mlir::Value slot = slotOf(b, loc, op.getCursor());
  mlir::Value empty = MbarrierAllocOp(lowered.empty).getBarriers();
  if (lowered.staging) {
    const Exec exec = lowered.threadStores ? Exec::warp : Exec::one;
    MbarrierArriveOp::create(b, loc, empty, slot, mlir::Value(), 1, exec);
    return;
  }
  if (lowered.allRead)
    WarpSyncOp::create(b, loc);
  MbarrierArriveOp::create(b, loc, empty, slot, mlir::Value(), 1, Exec::warp);
  for (const Share &share : lowered.shares)
    for (int64_t distance = 1; distance < share.count(); ++distance) {
      mlir::OpBuilder top(b.getContext());
      top.setInsertionPointAfter(rank().getDefiningOp());
      MbarrierArriveOp::create(b, loc, empty, slot, neighbour(top, loc, rank(), share, distance), 1,
                               Exec::warp);
    }
}

/// Every slot has come back: no CTA will signal this one any more.
void LowerToMbarriers::tail(TailOp op, const Lowered &lowered) {
  if (!lowered.empty || lowered.shares.empty())
    return;
  mlir::OpBuilder b(op);
  auto loc = op.getLoc();
  const int64_t slots = op.getPipeline().getType().getSlots();
  auto loop =
      mlir::scf::ForOp::create(b, loc, constantIndex(b, loc, 0), constantIndex(b, loc, slots),
                               constantIndex(b, loc, 1), mlir::ValueRange{op.getCursor()});
  loop->setAttr("sluice.name", b.getStringAttr("tail"));
  b.setInsertionPointToStart(loop.getBody());
  mlir::Value cursor = loop.getRegionIterArgs()[0];
  waitEmpty(b, loc, lowered, cursor, acquiredBy(lowered));
  mlir::scf::YieldOp::create(b, loc, CursorAdvanceOp::create(b, loc, cursor).getResult());
}

void LowerToMbarriers::lowerVerbs(PipelineOp pipeline, const Lowered &lowered) {
  for (mlir::Operation *user : llvm::make_early_inc_range(pipeline->getUsers())) {
    mlir::OpBuilder b(user);
    auto loc = user->getLoc();
    mlir::Value cursor = user->getOperand(1);
    auto fullOf = [&]() -> mlir::Value { return MbarrierAllocOp(lowered.full).getBarriers(); };
    if (isa<AcquireOp>(user)) {
      mlir::Value slot = slotOf(b, loc, cursor);
      if (lowered.empty && !user->hasAttr("sluice.unused"))
        waitEmpty(b, loc, lowered, cursor, acquiredBy(lowered));
      if (lowered.tmaBytes)
        MbarrierArriveExpectTxOp::create(b, loc, fullOf(), slot, mlir::Value(), lowered.tmaBytes,
                                         mlir::Value(), Exec::one);
    } else if (isa<CommitOp>(user) && (lowered.threadCopies || lowered.staging)) {
      if (lowered.threadCopies || lowered.tmaStores)
        FenceOp::create(b, loc, FenceKind::proxy_async, Exec::threads);
      WarpSyncOp::create(b, loc);
      MbarrierArriveOp::create(b, loc, fullOf(), slotOf(b, loc, cursor), mlir::Value(), 1,
                               Exec::warp);
    } else if (isa<CommitOp>(user) && lowered.pace) {
      MbarrierArriveOp::create(b, loc, fullOf(), slotOf(b, loc, cursor), mlir::Value(), 1,
                               Exec::one);
    } else if (isa<WaitOp>(user)) {
      MbarrierWaitOp::create(b, loc, fullOf(), slotOf(b, loc, cursor), phaseOf(b, loc, cursor),
                             Exec::threads);
    } else if (auto op = dyn_cast<ReleaseOp>(user)) {
      release(op, lowered);
    } else if (auto op = dyn_cast<TailOp>(user)) {
      tail(op, lowered);
    }
  }
}

/// The acquire of a load's pipeline stands before it in its block.
AcquireOp acquireOf(LoadOp load) {
  auto root = rootOf(load.getDestination());
  for (auto *op = load->getPrevNode(); op; op = op->getPrevNode())
    if (auto acquire = dyn_cast<AcquireOp>(op))
      if (auto pipeline = acquire.getPipeline().getDefiningOp<PipelineOp>())
        if (llvm::is_contained(pipeline.getBuffers(), root.getBuffer()))
          return acquire;
  return {};
}

mlir::LogicalResult LowerToMbarriers::lowerLoad(LoadOp load) {
  auto type = load.getDestination().getType();
  const bool paced = load->hasAttr("sluice.paced");
  if (type.getSpace() != Space::smem || !tmaCanLoad(load, type))
    return paced ? refusePace(load) : mlir::success();
  auto acquire = acquireOf(load);
  if (!acquire)
    return load.emitError("no acquire of a pipeline over its buffer stands before this load in its "
                          "block; a load by TMA signals the pipeline that it fills");
  mlir::OpBuilder b(load);
  auto loc = load.getLoc();
  auto &lowered = lowered_[acquire.getPipeline().getDefiningOp()];
  mlir::Value slot = slotOf(b, loc, acquire.getCursor());
  if (paced && !lowered.pace)
    return refusePace(load);
  if (lowered.pace)
    createPacedLoad(b, load, lowered.pace.getBarriers());
  else if (auto share = shareOf(load))
    createMulticast(b, load, *share, rank(), lowered.full.getBarriers(), slot);
  else
    TmaLoadOp::create(b, loc, load.getSource(), load.getOffsets(), load.getDestination(),
                      lowered.full.getBarriers(), slot, mlir::Value(), 0, Exec::one,
                      load.getCache());
  load.erase();
  return mlir::success();
}

void LowerToMbarriers::lowerClusterSums() {
  std::vector<ClusterSumOp> sums;
  kernel_.walk([&](ClusterSumOp op) { sums.push_back(op); });
  if (sums.empty())
    return;
  for (MbarrierAllocOp barrier : sluice::lowerClusterSums(sums, rank()))
    counts_.push_back({barrier, 1});
  meetsAtEnd_ = true;
}

/// No CTA leaves before all have what it sent them: who still copies, copies into live memory. Of
/// slots that come back a tail knows it; shared tiles that are loaded once, and sums, meet here.
void LowerToMbarriers::meetAtEnd() {
  for (const auto &[pipeline, lowered] : lowered_)
    meetsAtEnd_ |= !lowered.empty && !lowered.shares.empty();
  if (!meetsAtEnd_)
    return;
  auto b = mlir::OpBuilder::atBlockEnd(&kernel_.getBody().front());
  ClusterArriveOp::create(b, kernel_.getLoc(), /*relaxed=*/true);
  ClusterWaitOp::create(b, kernel_.getLoc());
}

/// Where two groups of warps compute in turn.
mlir::LogicalResult LowerToMbarriers::orderGroups(llvm::ArrayRef<PipelineOp> pipelines) {
  std::vector<RingBarriers> rings;
  for (PipelineOp pipeline : pipelines) {
    auto &lowered = lowered_[pipeline];
    rings.push_back(
        {lowered.full.getBarriers(), lowered.empty ? lowered.empty.getBarriers() : mlir::Value()});
  }
  auto turns = takeTurns(kernel_, warps_, rings);
  if (mlir::succeeded(turns) && *turns)
    counts_.push_back({*turns, warps_.consumer});
  return turns;
}

void LowerToMbarriers::runOnOperation() {
  kernel_ = getOperation();
  warps_ = warpsOf(kernel_);
  std::vector<PipelineOp> pipelines;
  kernel_.walk([&](PipelineOp op) { pipelines.push_back(op); });
  const auto loaded = llvm::count_if(pipelines, [](auto p) { return !isStaging(p); });
  for (PipelineOp pipeline : pipelines)
    lowered_[pipeline] = createBarriers(pipeline, loaded == 1 && !isStaging(pipeline));
  std::vector<LoadOp> loads;
  std::vector<StoreOp> stores;
  kernel_.walk([&](LoadOp op) { loads.push_back(op); });
  kernel_.walk([&](StoreOp op) { stores.push_back(op); });
  for (LoadOp load : loads)
    if (failed(lowerLoad(load)))
      return signalPassFailure();
  for (StoreOp store : stores)
    if (failed(lowerStagedStore(store, warps_)))
      return signalPassFailure();
  for (PipelineOp pipeline : pipelines)
    lowerVerbs(pipeline, lowered_[pipeline]);
  lowerClusterSums();
  meetAtEnd();
  if (failed(orderGroups(pipelines)))
    return signalPassFailure();
  for (auto &op : kernel_.getBody().front())
    if (isa<RoleOp>(op)) {
      initialise(&op);
      break;
    }
  std::vector<mlir::Operation *> done;
  kernel_.walk([&](mlir::Operation *op) {
    if (isa<AcquireOp, CommitOp, WaitOp, ReleaseOp, TailOp>(op))
      done.push_back(op);
  });
  for (auto *op : done)
    op->erase();
  dropCachePolicies(kernel_); // of what is left to threads
  for (PipelineOp pipeline : pipelines)
    pipeline.erase();
  enterPhase(kernel_, "barrier");
}

} // namespace

std::unique_ptr<mlir::Pass> createLowerToMbarriersPass(const Arch &arch) {
  return std::make_unique<LowerToMbarriers>(arch);
}

} // namespace sluice

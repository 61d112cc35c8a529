// Pipeline -> barrier for sm_90a. A pipeline becomes an array of full and an array of empty
// mbarriers; counts, bytes and parities follow from who signals. Loads become TMA where it can do
// them, copies by the producer's threads where not; staged stores become TMA stores of one elected
// thread. Slots that several CTAs of a cluster fill are released to all of them.
#include "Dialect/Marks.h"
#include "Transform/Barrier/BarrierOrder.h"
#include "Transform/Barrier/ClusterGather.h"
#include "Transform/Barrier/ClusterSum.h"
#include "Transform/Barrier/Commits.h"
#include "Transform/Barrier/KernelBefore.h"
#include "Transform/Barrier/LaneOrder.h"
#include "Transform/Barrier/Meeting.h"
#include "Transform/Barrier/Pace.h"
#include "Transform/Barrier/Peers.h"
#include "Transform/Barrier/RingEnds.h"
#include "Transform/Barrier/RingWaits.h"
#include "Transform/Barrier/SharedRegisters.h"
#include "Transform/Barrier/StagedStore.h"
#include "Transform/Barrier/TakeTurns.h"
#include "Transform/Barrier/TensorMemory.h"
#include "Transform/LoadedBy.h"
#include "Transform/Passes.h"
#include "Transform/Pipeline/Rings.h"
#include "Transform/Placed/StagedLoad.h"
#include "Transform/Refusal.h"
#include "Transform/Tile/Pairs.h"
#include "Transform/Tile/Share.h"
#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;

/// One lowered pipeline.
struct Lowered {
  MbarrierAllocOp full, empty; // absent: elided
  MbarrierAllocOp pace;        // of loads that come box by box; absent otherwise
  Protocol protocol;
  llvm::DenseMap<mlir::Operation *, int64_t> bytes; // that TMA brings behind each acquire
};

/// Slots that start full: the arrivals of their producers are made for them, where somebody waits.
struct Primed {
  MbarrierAllocOp full;
  int64_t slots, arrivals;
  bool ofLeader; // alone
};

class LowerToMbarriers {
public:
  explicit LowerToMbarriers(KernelOp kernel) : kernel_(kernel) {}
  mlir::LogicalResult run();

private:
  Lowered createBarriers(PipelineOp pipeline);
  void mergeFull(PipelineOp pipeline);
  void prime(mlir::OpBuilder b, mlir::Location loc, const Primed &primed);
  void initialise(mlir::Operation *before);
  mlir::LogicalResult askBarriers(PipelineOp pipeline, const Lowered &lowered);
  void lowerVerbs(PipelineOp pipeline, const Lowered &lowered);
  mlir::LogicalResult arrangeMeetings(llvm::ArrayRef<PipelineOp> pipelines);
  void acquire(AcquireOp op, const Lowered &lowered);
  void gather(mlir::OpBuilder &b, mlir::Location loc, RoleOp role, Lanes by);
  void signal(mlir::Operation *verb, const Signal &signal, MbarrierAllocOp barriers,
              llvm::ArrayRef<Share> peers);
  void signalAfar(mlir::Operation *verb, const Signal &signal, mlir::Value barriers,
                  mlir::Value slot);
  llvm::SmallVector<mlir::Value> ranksOf(mlir::Operation *of, PipelineOp pipeline, Across to);
  void tail(TailOp op, const Lowered &lowered);
  mlir::Value rank();
  mlir::LogicalResult lowerLoad(LoadOp load);
  mlir::LogicalResult lowerRequest(ClcTryCancelOp ask);
  void lowerClusterSums();
  mlir::LogicalResult lowerClusterGathers();
  template <typename Op, typename Lower> mlir::LogicalResult lowerRemote(Op op, Lower lowerTo);
  void meetAtEnd();
  mlir::LogicalResult orderGroups(llvm::ArrayRef<PipelineOp> pipelines);
  std::vector<MbarrierAllocOp> barriersOfLoads(llvm::ArrayRef<PipelineOp> pipelines);

  KernelOp kernel_;
  llvm::DenseMap<mlir::Operation *, Lowered> lowered_; // by pipeline
  std::vector<CountedBarriers> counts_;
  std::vector<Primed> primed_;
  llvm::StringMap<Meeting> meetings_; // by role: of those for whom one lane signals
  ClusterRankOp rank_;
  bool meetsAtEnd_ = false;  // the CTAs of the cluster
  bool signalsAfar_ = false; // then they meet behind the last signal
};

/// Whether it has, without waiting. A side without barriers has nothing to ask.
template <typename Verb>
mlir::LogicalResult askFor(Verb verb, MbarrierAllocOp barriers, const Part &part) {
  if (!barriers)
    return unsupported(verb, "asking for a slot of '")
           << verb.getPipeline().template getDefiningOp<PipelineOp>().getName()
           << "' that nobody signals on this side; leave the test and its token out";
  mlir::OpBuilder b(verb);
  verb.getToken().replaceAllUsesWith(testFor(b, verb.getLoc(), barriers, verb.getCursor(), part));
  return mlir::success();
}

/// What the role that executes a verb does on its side of the ring.
const Part &partIn(mlir::Operation *verb, const std::vector<Part> &side) {
  return *partOf(side, roleOf(verb).str());
}

Lowered LowerToMbarriers::createBarriers(PipelineOp pipeline) {
  mlir::OpBuilder b(pipeline);
  const auto create = [&](const std::string &name, int64_t slots) {
    auto type = MbarrierType::get(b.getContext(), slots);
    return MbarrierAllocOp::create(b, pipeline.getLoc(), type, name, mlir::IntegerAttr());
  };
  const Ends ends = endsOf(pipeline);
  Lowered lowered;
  lowered.protocol = protocolOf(ends);
  for (mlir::Operation *user : pipeline->getUsers())
    if (auto acquire = dyn_cast<AcquireOp>(user))
      lowered.bytes[acquire] = bytesBehind(acquire);
  const int64_t slots = pipeline.getPipeline().getType().getSlots();
  if (llvm::any_of(ends.producers, [](const End &end) { return end.by(Means::boxes); }))
    lowered.pace = create("pace_" + pipeline.getName().str(), 1);
  if (!pipeline.getFull() && !pipeline.getMerge())
    lowered.full = create(barriersOf(pipeline, true), slots);
  if (lowered.protocol.empty > 0)
    lowered.empty = create(barriersOf(pipeline, false), slots);
  if (lowered.full)
    counts_.push_back({lowered.full, lowered.protocol.full});
  if (lowered.pace)
    counts_.push_back({lowered.pace, 1});
  if (lowered.empty)
    counts_.push_back({lowered.empty, lowered.protocol.empty});
  return lowered;
}

/// The full side is that of another: who waits for either waits for both.
void LowerToMbarriers::mergeFull(PipelineOp pipeline) {
  Lowered &lowered = lowered_[pipeline];
  const int64_t arrivals = lowered.protocol.full;
  if (auto name = pipeline.getMerge()) {
    for (auto &[other, found] : lowered_)
      if (mlir::cast<PipelineOp>(other).getName() == *name)
        lowered.full = found.full;
    for (auto &[barriers, count] : counts_)
      count += barriers == lowered.full ? arrivals : 0;
  }
  if (lowered.protocol.primed == 0)
    return;
  const auto &signal = lowered.protocol.producers.front().signal;
  primed_.push_back(
      {lowered.full, lowered.protocol.primed, arrivals, signal && signal->to == Across::leader});
}

/// Whether more than a warp comes together before one lane of it signals.
bool meetsWidely(const Part &part) {
  return part.signal && part.signal->together &&
         (part.signal->by == Lanes::ofGroups || part.signal->by == Lanes::one);
}

/// Named barriers behind those that the kernel has, for the roles of which one lane signals for
/// several warps: one for each of its warpgroups, and one for all.
mlir::LogicalResult LowerToMbarriers::arrangeMeetings(llvm::ArrayRef<PipelineOp> pipelines) {
  int64_t next = lastBarrier(kernel_) + 1;
  std::set<std::string> roles;
  for (PipelineOp pipeline : pipelines) {
    const Protocol &protocol = lowered_[pipeline].protocol;
    for (const auto *side : {&protocol.producers, &protocol.consumers})
      for (const Part &part : *side)
        if (meetsWidely(part))
          roles.insert(part.agent);
  }
  for (RoleOp role : kernel_.getOps<RoleOp>()) {
    const int64_t warps = warpsOf(role), groups = warps / 4;
    if (warps == 1 || !roles.contains(role.getName().str()))
      continue;
    auto group = groups > 1 ? warpgroupOf(role, role.getLoc()) : mlir::Value();
    meetings_[role.getName()] = {groups, 128, group, next};
    next += groups > 1 ? groups + 1 : 1;
    if (next > 16)
      return unsupported(role, "role '")
             << role.getName() << "': a barrier where its threads meet before one of them signals; "
             << "a CTA has no more than 15";
  }
  return mlir::success();
}

void LowerToMbarriers::prime(mlir::OpBuilder b, mlir::Location loc, const Primed &primed) {
  if (primed.ofLeader) {
    auto leads = mlir::arith::CmpIOp::create(b, loc, mlir::arith::CmpIPredicate::eq, rank(),
                                             constantIndex(b, loc, 0));
    b = mlir::scf::IfOp::create(b, loc, leads, /*withElseRegion=*/false).getThenBodyBuilder();
  }
  for (int64_t slot = 0; slot < primed.slots; ++slot)
    MbarrierArriveOp::create(b, loc, MbarrierAllocOp(primed.full).getBarriers(),
                             constantIndex(b, loc, slot), mlir::Value(), primed.arrivals,
                             ir::Exec::one);
}

/// One thread initialises; the fence and the barrier make it visible to every warp, to TMA and to
/// the other CTAs of the cluster.
void LowerToMbarriers::initialise(mlir::Operation *before) {
  mlir::OpBuilder b(before);
  auto loc = before->getLoc();
  for (auto [barriers, count] : counts_)
    MbarrierInitOp::create(b, loc, barriers.getBarriers(), mlir::Value(), count, ir::Exec::one);
  for (const Primed &primed : primed_)
    prime(b, loc, primed);
  const bool any = !counts_.empty();
  if (any)
    FenceOp::create(b, loc, FenceKind::mbarrier_init, ir::Exec::one);
  const auto tensorMemory = allocateTensorMemory(b, kernel_);
  if (kernel_.getCluster()) {
    ClusterArriveOp::create(b, loc);
    ClusterWaitOp::create(b, loc);
  } else if (any || tensorMemory) {
    BarSyncOp::create(b, loc, 0, 32 * *kernel_.getWarps());
  }
  if (tensorMemory)
    useTensorMemory(b, kernel_, *tensorMemory);
  pairUp(kernel_);
  waitForKernelBefore(kernel_, b);
}

/// Rank of the CTA, at the top of the kernel.
mlir::Value LowerToMbarriers::rank() {
  if (!rank_) {
    auto b = mlir::OpBuilder::atBlockBegin(&kernel_.getBody().front());
    rank_ = ClusterRankOp::create(b, kernel_.getLoc(), b.getIndexType());
  }
  return rank_.getRank();
}

void LowerToMbarriers::acquire(AcquireOp op, const Lowered &lowered) {
  mlir::OpBuilder b(op);
  auto loc = op.getLoc();
  const Part &part = partIn(op, lowered.protocol.producers);
  mlir::Value slot = slotOf(b, loc, op.getCursor());
  if (lowered.empty && !marks::unused.on(op)) {
    waitFor(b, loc, lowered.empty, op.getCursor(), part, op.getToken());
    fenceAfter(b, op);
  }
  if (part.bytes == 0)
    return;
  mlir::Value full = MbarrierAllocOp(lowered.full).getBarriers();
  for (mlir::Value rank : ranksOf(op, op.getPipeline().getDefiningOp<PipelineOp>(), part.fills))
    if (const int64_t bytes = lowered.bytes.lookup(op))
      MbarrierArriveExpectTxOp::create(b, loc, full, slot, rank, bytes, mlir::Value(),
                                       ir::Exec::one);
    else // something comes to other uses: each counts one arrival for it
      MbarrierArriveOp::create(b, loc, full, slot, rank, 1, ir::Exec::one);
}

/// Nothing: the own CTA.
llvm::SmallVector<mlir::Value> LowerToMbarriers::ranksOf(mlir::Operation *of, PipelineOp pipeline,
                                                         Across to) {
  if (to == Across::own)
    return {mlir::Value()};
  mlir::OpBuilder b(of);
  const OtherCtas others{to, peerOf(pipeline), ctasOf(kernel_), rank()};
  return sluice::ranksOf(b, of->getLoc(), others);
}

/// Those for whom one lane is to signal.
void LowerToMbarriers::gather(mlir::OpBuilder &b, mlir::Location loc, RoleOp role, Lanes by) {
  const auto meeting = meetings_.find(role.getName());
  if (by == Lanes::ofWarps || meeting == meetings_.end()) {
    WarpSyncOp::create(b, loc);
    return;
  }
  Meeting place = meeting->second;
  if (by == Lanes::one) { // all of the role, at the barrier behind those of its groups
    place.barrier += place.group ? place.groups : 0;
    place.threads = 32 * warpsOf(role);
    place.group = {};
  }
  meet(b, loc, place);
}

/// To the leader, from it to every CTA, or to a peer.
void LowerToMbarriers::signalAfar(mlir::Operation *verb, const Signal &signal, mlir::Value barriers,
                                  mlir::Value slot) {
  mlir::OpBuilder b(verb);
  auto pipeline = verb->getOperand(0).getDefiningOp<PipelineOp>();
  for (mlir::Value rank : ranksOf(verb, pipeline, signal.to))
    MbarrierArriveOp::create(b, verb->getLoc(), barriers, slot, rank, 1, execOf(signal.by),
                             signal.orders ? ir::Scope::cluster : ir::Scope::cta);
  signalsAfar_ |= signal.orders;
}

/// To the own CTA, and to those that a tile of a cluster is shared with.
void LowerToMbarriers::signal(mlir::Operation *verb, const Signal &signal, MbarrierAllocOp barriers,
                              llvm::ArrayRef<Share> peers) {
  mlir::OpBuilder b(verb);
  auto loc = verb->getLoc();
  if (signal.ended) {
    CpAsyncCommitOp::create(b, loc, ir::Exec::threads);
    CpAsyncWaitOp::create(b, loc, 0, ir::Exec::threads);
  }
  if (signal.read)
    BulkWaitOp::create(b, loc, 0, true, ir::Exec::one);
  if (signal.fence)
    FenceOp::create(b, loc, FenceKind::proxy_async, ir::Exec::threads);
  if (signal.ofLanes)
    FenceOp::create(b, loc, FenceKind::tcgen05_before, ir::Exec::threads);
  if (!barriers)
    return;
  if (signal.together)
    gather(b, loc, verb->getParentOfType<RoleOp>(), signal.by);
  mlir::Value slot = slotOf(b, loc, verb->getOperand(1)), at = barriers.getBarriers();
  if (signal.byCopies) {
    CpAsyncArriveOp::create(b, loc, at, slot);
    return;
  }
  if (signal.byCommit) {
    if (signal.to == Across::all)
      Tcgen05CommitOp::create(b, loc, at, slot, (int64_t{1} << ctasOf(kernel_)) - 1);
    else if (peers.empty())
      Tcgen05CommitOp::create(b, loc, at, slot);
    else
      commitToPeers(b, loc, peers, rank(), at, slot);
    return;
  }
  const auto by = execOf(signal.by);
  if (signal.to != Across::own)
    return signalAfar(verb, signal, at, slot);
  MbarrierArriveOp::create(b, loc, at, slot, mlir::Value(), 1, by);
  for (const Share &share : peers)
    for (int64_t distance = 1; distance < share.count(); ++distance) {
      mlir::OpBuilder top(b.getContext());
      top.setInsertionPointAfter(rank().getDefiningOp());
      MbarrierArriveOp::create(b, loc, at, slot, neighbour(top, loc, rank(), share, distance), 1,
                               by);
    }
}

/// Every slot has come back: no CTA will signal this one any more.
void LowerToMbarriers::tail(TailOp op, const Lowered &lowered) {
  if (!lowered.protocol.tail)
    return;
  mlir::OpBuilder b(op);
  auto loc = op.getLoc();
  const int64_t slots = op.getPipeline().getType().getSlots();
  auto loop =
      mlir::scf::ForOp::create(b, loc, constantIndex(b, loc, 0), constantIndex(b, loc, slots),
                               constantIndex(b, loc, 1), mlir::ValueRange{op.getCursor()});
  marks::name.set(loop, "tail");
  b.setInsertionPointToStart(loop.getBody());
  mlir::Value cursor = loop.getRegionIterArgs()[0];
  waitFor(b, loc, lowered.empty, cursor, partIn(op, lowered.protocol.producers));
  mlir::scf::YieldOp::create(b, loc, CursorAdvanceOp::create(b, loc, cursor).getResult());
}

mlir::LogicalResult LowerToMbarriers::askBarriers(PipelineOp pipeline, const Lowered &lowered) {
  const Protocol &protocol = lowered.protocol;
  for (mlir::Operation *user : pipeline->getUsers()) {
    mlir::LogicalResult asked = mlir::success();
    if (auto verb = dyn_cast<TryAcquireOp>(user))
      asked = askFor(verb, lowered.empty, partIn(verb, protocol.producers));
    else if (auto verb = dyn_cast<TryWaitOp>(user))
      asked = askFor(verb, lowered.full, partIn(verb, protocol.consumers));
    if (mlir::failed(asked))
      return mlir::failure();
  }
  return mlir::success();
}

void LowerToMbarriers::lowerVerbs(PipelineOp pipeline, const Lowered &lowered) {
  const Protocol &protocol = lowered.protocol;
  for (mlir::Operation *user : llvm::make_early_inc_range(pipeline->getUsers())) {
    mlir::OpBuilder b(user);
    if (auto op = dyn_cast<AcquireOp>(user)) {
      acquire(op, lowered);
    } else if (isa<CommitOp>(user)) {
      if (const auto &commit = partIn(user, protocol.producers).signal)
        signal(user, *commit, lowered.full, {});
    } else if (auto op = dyn_cast<WaitOp>(user)) {
      if (lowered.full)
        waitFor(b, op.getLoc(), lowered.full, op.getCursor(), partIn(op, protocol.consumers),
                op.getToken());
      fenceAfter(b, op);
    } else if (isa<ReleaseOp>(user)) {
      signal(user, *partIn(user, protocol.consumers).signal, lowered.empty, protocol.peers);
    } else if (auto op = dyn_cast<TailOp>(user)) {
      tail(op, lowered);
    }
  }
}

mlir::LogicalResult LowerToMbarriers::lowerLoad(LoadOp load) {
  auto type = load.getDestination().getType();
  const bool paced = marks::paced.on(load);
  load.setAsync(isAsync(load));
  if (type.getSpace() != Space::smem || !tmaCanLoad(load, type))
    return paced ? refusePace(load) : mlir::success();
  auto acquire = acquireFor(load);
  if (!acquire)
    return load.emitError("no acquire of a pipeline over its buffer stands before this load in its "
                          "block; a load by TMA signals the pipeline that it fills");
  mlir::OpBuilder b(load);
  auto loc = load.getLoc();
  auto &lowered = lowered_[acquire.getPipeline().getDefiningOp()];
  mlir::Value slot = slotOf(b, loc, acquire.getCursor());
  if (paced && !lowered.pace)
    return refusePace(load);
  const Across fills = partIn(acquire, lowered.protocol.producers).fills;
  mlir::Value leader; // of a pair, whose barrier the bytes complete on
  if (fills == Across::leader)
    leader = ranksOf(load, acquire.getPipeline().getDefiningOp<PipelineOp>(), fills).front();
  if (lowered.pace)
    createPacedLoad(b, load, lowered.pace.getBarriers());
  else if (auto share = shareOf(load))
    createMulticast(b, load, *share, rank(), lowered.full.getBarriers(), slot);
  else
    TmaLoadOp::create(b, loc, load.getSource(), load.getOffsets(), load.getDestination(),
                      lowered.full.getBarriers(), slot, leader, 0, ir::Exec::one, load.getCache());
  load.erase();
  return mlir::success();
}

mlir::LogicalResult LowerToMbarriers::lowerRequest(ClcTryCancelOp ask) {
  auto acquire = acquireOf(ask, ask.getResponse());
  if (!acquire)
    return ask.emitError("no acquire of a pipeline over its slot stands before it in its block; a "
                         "response counts on the barrier of a pipeline");
  mlir::OpBuilder b(ask);
  const Lowered &lowered = lowered_[acquire.getPipeline().getDefiningOp()];
  const bool toAll = partIn(acquire, lowered.protocol.producers).fills == Across::all;
  ClcTryCancelOp::create(b, ask.getLoc(), ask.getResponse(),
                         MbarrierAllocOp(lowered.full).getBarriers(),
                         slotOf(b, ask.getLoc(), acquire.getCursor()), toAll, ir::Exec::one);
  ask.erase();
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

mlir::LogicalResult LowerToMbarriers::lowerClusterGathers() {
  return forEach<ClusterGatherOp>(kernel_, [&](ClusterGatherOp gather) -> mlir::LogicalResult {
    auto acquire = acquireOf(gather, gather.getDestination());
    if (!acquire)
      return gather.emitError("no acquire of a pipeline over its destination stands before it in "
                              "its block; what CTAs send counts on the barrier of a pipeline");
    mlir::OpBuilder b(gather);
    lowerClusterGather(gather, rank(),
                       lowered_[acquire.getPipeline().getDefiningOp()].full.getBarriers(),
                       slotOf(b, gather.getLoc(), acquire.getCursor()));
    meetsAtEnd_ = true;
    return mlir::success();
  });
}

/// `lowerTo`: with the ranks that it goes to, the barriers there and the slot.
template <typename Op, typename Lower>
mlir::LogicalResult LowerToMbarriers::lowerRemote(Op op, Lower lowerTo) {
  const auto users = rootOf(op.getDestination())->getUsers();
  const auto ring = llvm::find_if(users, [](mlir::Operation *user) {
    return isa<PipelineOp>(user) && goesFar(mlir::cast<PipelineOp>(user));
  });
  if (ring == users.end())
    return mlir::success();
  auto acquire = acquireOf(op, op.getDestination());
  if (!acquire)
    return op.emitError("no acquire of a pipeline over its destination stands before it in its "
                        "block; what goes to another CTA counts on the barrier of a pipeline");
  mlir::OpBuilder b(op);
  const Lowered &lowered = lowered_[*ring];
  const Across to = partIn(acquire, lowered.protocol.producers).fills;
  meetsAtEnd_ |= !lowered.empty;
  lowerTo(op, ranksOf(op, mlir::cast<PipelineOp>(*ring), to),
          MbarrierAllocOp(lowered.full).getBarriers(), slotOf(b, op.getLoc(), acquire.getCursor()));
  return mlir::success();
}

/// No CTA leaves before all have what it sent them: who still copies, copies into live memory. Of
/// slots that come back a tail knows it; shared tiles that are loaded once, sums and gathers meet
/// here.
void LowerToMbarriers::meetAtEnd() {
  for (const auto &[pipeline, lowered] : lowered_)
    meetsAtEnd_ |= !lowered.empty && !lowered.protocol.peers.empty();
  if ((!meetsAtEnd_ && !signalsAfar_) || usesTensorMemory(kernel_)) // they meet to free that
    return;
  auto b = mlir::OpBuilder::atBlockEnd(&kernel_.getBody().front());
  ClusterArriveOp::create(b, kernel_.getLoc(), /*relaxed=*/!signalsAfar_);
  ClusterWaitOp::create(b, kernel_.getLoc());
}

/// Where two groups of warps compute in turn.
mlir::LogicalResult LowerToMbarriers::orderGroups(llvm::ArrayRef<PipelineOp> pipelines) {
  std::vector<RingBarriers> rings;
  for (PipelineOp pipeline : pipelines) {
    auto &lowered = lowered_[pipeline];
    rings.push_back({lowered.full ? lowered.full.getBarriers() : mlir::Value(),
                     lowered.empty ? lowered.empty.getBarriers() : mlir::Value()});
  }
  auto turns = takeTurns(kernel_, rings);
  if (mlir::succeeded(turns) && *turns)
    if (auto asked = kernel_.walk([](MbarrierTestOp op) { // the other group has the next slots
          unsupported(op, "asking for slots where two groups take turns; leave the test and its "
                          "token out");
          return mlir::WalkResult::interrupt();
        });
        asked.wasInterrupted())
      return mlir::failure();
  if (mlir::succeeded(turns) && *turns)
    counts_.push_back({(*turns)->barriers, (*turns)->warps});
  return turns;
}

std::vector<MbarrierAllocOp>
LowerToMbarriers::barriersOfLoads(llvm::ArrayRef<PipelineOp> pipelines) {
  std::vector<MbarrierAllocOp> found;
  for (PipelineOp pipeline : pipelines)
    if (isFilledByLoads(pipeline))
      for (MbarrierAllocOp side : {lowered_[pipeline].full, lowered_[pipeline].empty})
        found.push_back(side);
  return found;
}

mlir::LogicalResult LowerToMbarriers::run() {
  kernel_.setWarps(warpsOfAll(kernel_));
  std::vector<PipelineOp> pipelines;
  kernel_.walk([&](PipelineOp op) { pipelines.push_back(op); });
  for (PipelineOp pipeline : pipelines)
    lowered_[pipeline] = createBarriers(pipeline);
  for (PipelineOp pipeline : pipelines)
    mergeFull(pipeline);
  const int64_t taken = lastBarrier(kernel_);
  std::vector<LoadOp> loads;
  std::vector<StoreOp> stores;
  kernel_.walk([&](LoadOp op) { loads.push_back(op); });
  kernel_.walk([&](StoreOp op) { stores.push_back(op); });
  for (LoadOp load : loads)
    if (failed(lowerLoad(load)))
      return mlir::failure();
  const auto copies = [&](CopyOp op) { return lowerRemote(op, lowerRemoteCopy); };
  const auto numbers = [&](ScalarWriteOp op) { return lowerRemote(op, copyNumber); };
  const auto requests = [&](ClcTryCancelOp op) { return lowerRequest(op); };
  if (failed(forEach<ClcTryCancelOp>(kernel_, requests)) || failed(lowerPrefetches(kernel_)) ||
      failed(lowerClusterGathers()) || failed(forEach<CopyOp>(kernel_, copies)) ||
      failed(forEach<ScalarWriteOp>(kernel_, numbers)))
    return mlir::failure();
  for (StoreOp store : stores)
    if (failed(lowerStagedStore(store, taken)))
      return mlir::failure();
  orderLanes(kernel_);
  if (failed(arrangeMeetings(pipelines)))
    return mlir::failure();
  for (PipelineOp pipeline : pipelines)
    if (failed(askBarriers(pipeline, lowered_[pipeline])))
      return mlir::failure();
  for (PipelineOp pipeline : pipelines)
    lowerVerbs(pipeline, lowered_[pipeline]);
  lowerClusterSums();
  meetAtEnd();
  if (failed(orderGroups(pipelines)))
    return mlir::failure();
  if (isOfPairs(kernel_))
    orderByArrivals(counts_, barriersOfLoads(pipelines));
  for (auto &op : kernel_.getBody().front())
    if (isa<RoleOp>(op)) {
      initialise(&op);
      break;
    }
  std::vector<mlir::Operation *> done;
  kernel_.walk([&](mlir::Operation *op) {
    if (isa<AcquireOp, TryAcquireOp, CommitOp, WaitOp, TryWaitOp, ReleaseOp, TailOp>(op))
      done.push_back(op);
  });
  for (auto *op : done)
    op->erase();
  dropCachePolicies(kernel_); // of what is left to threads
  for (PipelineOp pipeline : pipelines)
    pipeline.erase();
  return mlir::success();
}

} // namespace

mlir::LogicalResult lowerToMbarriers(KernelOp kernel, const Arch & /*arch*/) {
  shareRegisters(kernel);
  return LowerToMbarriers(kernel).run();
}

} // namespace sluice

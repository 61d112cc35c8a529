#include "Transform/Barrier/RingEnds.h"

#include "Program/Program.h"
#include "Transform/LoadedBy.h"
#include "Transform/Placed/ReplacedTiles.h"
#include "Transform/Placed/StagedLoad.h"
#include "Transform/Tile/Share.h"
#include "Transform/Tiles.h"

#include "llvm/ADT/StringSwitch.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;

int64_t ctasOf(KernelOp kernel) {
  int64_t ctas = 1;
  for (int64_t extent : kernel.getCluster().value_or(llvm::ArrayRef<int64_t>()))
    ctas *= extent;
  return ctas;
}

int64_t warpsOf(RoleOp role) {
  return int64_t(role.getEnd().value_or(0)) - int64_t(role.getFirst().value_or(0));
}

int64_t warpsOf(KernelOp kernel, llvm::StringRef name) {
  int64_t warps = 0;
  for (RoleOp role : kernel.getOps<RoleOp>())
    warps += role.getName() == name ? warpsOf(role) : 0;
  return warps;
}

int64_t warpsOfAll(KernelOp kernel) {
  int64_t end = 0, group = 1;
  for (RoleOp role : kernel.getOps<RoleOp>()) {
    end = std::max(end, int64_t(role.getEnd().value_or(0)));
    group = role.getRegisters().value_or(0) ? 4 : group;
  }
  return kernel.getWarps() ? int64_t(*kernel.getWarps()) : (end + group - 1) / group * group;
}

AcquireOp acquireOf(mlir::Operation *fills, mlir::Value tile) {
  auto root = rootOf(tile);
  for (auto *op = fills->getPrevNode(); op; op = op->getPrevNode())
    if (auto acquire = dyn_cast<AcquireOp>(op))
      if (auto pipeline = acquire.getPipeline().getDefiningOp<PipelineOp>())
        if (llvm::is_contained(pipeline.getBuffers(), root.getBuffer()))
          return acquire;
  return {};
}

bool isOfPair(PipelineOp pipeline) {
  const auto ofPair = [](const TileAccess &access) {
    auto product = dyn_cast<Tcgen05MmaOp>(access.op);
    return product && product.getCtas() == 2;
  };
  return llvm::any_of(pipeline.getBuffers(), [&](mlir::Value buffer) {
    return llvm::any_of(accessesOf(rootOf(buffer)), ofPair);
  });
}

/// Whether its producers ask for clusters.
static bool isOfRequests(PipelineOp pipeline) {
  return llvm::any_of(pipeline.getBuffers(), [](mlir::Value buffer) {
    return llvm::any_of(sluice::accessesOf(rootOf(buffer)),
                        [](const TileAccess &access) { return isa<ClcTryCancelOp>(access.op); });
  });
}

/// Whether a side is of the leader alone, as Ends have it.
static bool leads(PipelineOp pipeline, bool producers) {
  const auto side = producers ? pipeline.getProducers() : pipeline.getConsumers();
  bool any = false, all = true;
  for (RoleOp role : pipeline->getParentOfType<KernelOp>().getOps<RoleOp>())
    if (llvm::is_contained(side.getAsValueRange<mlir::StringAttr>(), role.getName())) {
      any |= role.getLeader();
      all &= role.getLeader();
    }
  return !producers && isOfRequests(pipeline) ? all : any;
}

bool goesFar(PipelineOp pipeline) {
  return pipeline.getPeer() || pipeline.getPartner() ||
         (leads(pipeline, true) != leads(pipeline, false) && !isOfPair(pipeline));
}

Peer peerOf(PipelineOp pipeline) {
  auto kernel = pipeline->getParentOfType<KernelOp>();
  if (!pipeline.getPeer() && !pipeline.getPartner())
    return {};
  const auto along = pipeline.getAlong();
  const Share among = along ? Share{kernel.getCluster()->vec(), static_cast<size_t>(*along)}
                            : Share{{ctasOf(kernel)}, 0};
  return {int64_t(pipeline.getPartner().value_or(pipeline.getPeer().value_or(0))),
          pipeline.getPartner().has_value(), among};
}

namespace {

std::vector<TileAccess> accessesThrough(PipelineOp pipeline, llvm::StringRef role) {
  std::vector<TileAccess> own;
  for (mlir::Value buffer : pipeline.getBuffers())
    for (const TileAccess &access : accessesOf(rootOf(buffer)))
      if (roleOf(access.op) == role)
        own.push_back(access);
  return own;
}

bool isOf(mlir::Value tile, PipelineOp pipeline) {
  return llvm::is_contained(pipeline.getBuffers(), rootOf(tile).getBuffer());
}

bool isOfRing(mlir::Value tile) {
  return llvm::any_of(rootOf(tile)->getUsers(), [](auto *user) { return isa<PipelineOp>(user); });
}

/// The loads that fill a slot between its acquire and its commit, and those that ride with them.
std::vector<LoadOp> loadsBehind(AcquireOp acquire) {
  auto pipeline = acquire.getPipeline().getDefiningOp<PipelineOp>();
  std::vector<LoadOp> loads;
  for (auto *op = acquire->getNextNode(); op; op = op->getNextNode()) {
    if (auto commit = dyn_cast<CommitOp>(op); commit && commit.getPipeline() == pipeline)
      break;
    if (auto load = dyn_cast<LoadOp>(op); load && acquireFor(load) == acquire)
      loads.push_back(load);
  }
  return loads;
}

/// The vectors of all CTAs that come to a slot between its acquire and its commit.
std::vector<ClusterGatherOp> gathersBehind(AcquireOp acquire) {
  auto pipeline = acquire.getPipeline().getDefiningOp<PipelineOp>();
  std::vector<ClusterGatherOp> gathers;
  for (auto *op = acquire->getNextNode(); op; op = op->getNextNode()) {
    if (auto commit = dyn_cast<CommitOp>(op); commit && commit.getPipeline() == pipeline)
      break;
    if (auto gather = dyn_cast<ClusterGatherOp>(op);
        gather && isOf(gather.getDestination(), pipeline))
      gathers.push_back(gather);
  }
  return gathers;
}

/// Requests whose responses come to a slot between its acquire and its commit.
int64_t requestsBehind(AcquireOp acquire) {
  auto pipeline = acquire.getPipeline().getDefiningOp<PipelineOp>();
  int64_t requests = 0;
  for (auto *op = acquire->getNextNode(); op; op = op->getNextNode()) {
    if (auto commit = dyn_cast<CommitOp>(op); commit && commit.getPipeline() == pipeline)
      break;
    auto ask = dyn_cast<ClcTryCancelOp>(op);
    requests += ask && isOf(ask.getResponse(), pipeline);
  }
  return requests;
}

/// Whether cp.async does it, and its author leaves the wait for that to the ring.
bool copies(LoadOp load) {
  auto role = load->getParentOfType<RoleOp>();
  return isAsync(load) && role &&
         !role.walk([](CpAsyncWaitOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted();
}

/// Tiles that copies bring to a slot of another CTA between its acquire and its commit.
std::vector<mlir::Value> copiedBehind(AcquireOp acquire) {
  auto pipeline = acquire.getPipeline().getDefiningOp<PipelineOp>();
  std::vector<mlir::Value> tiles;
  for (auto *op = acquire->getNextNode(); op && goesFar(pipeline); op = op->getNextNode()) {
    if (auto commit = dyn_cast<CommitOp>(op); commit && commit.getPipeline() == pipeline)
      break;
    auto copy = dyn_cast<CopyOp>(op);
    auto number = dyn_cast<ScalarWriteOp>(op);
    if (copy && isOf(copy.getDestination(), pipeline))
      tiles.push_back(copy.getDestination());
    else if (number && isOf(number.getDestination(), pipeline))
      tiles.push_back(number.getDestination());
  }
  return tiles;
}

/// What one load does for the slot that it fills.
void addLoad(End &end, LoadOp load, bool paced) {
  const bool byTma = tmaCanLoad(load, load.getDestination().getType());
  end.means.insert(!byTma  ? copies(load) ? Means::copies : Means::threads
                   : paced ? Means::boxes
                           : Means::tma);
  if (auto share = shareOf(load))
    end.shares.push_back(*share);
}

bool isInTensorMemory(mlir::Value tile) {
  return mlir::cast<BufferType>(tile.getType()).getSpace() == Space::tmem;
}

/// What one thread asks the tensor core for: a product, or a copy of factors (tcgen05.cp).
bool endsByCommit(mlir::Operation *op) {
  return isa<Tcgen05MmaOp>(op) || bringsFactors(op);
}

/// A tile that it loads may be computed on in its place, later: that fills nothing. Who fills
/// nothing at all says with its threads what it has to say.
End producerOf(PipelineOp pipeline, llvm::StringRef role, int64_t warps) {
  End end{.agent = role.str(), .means = {}, .warps = warps};
  llvm::SmallPtrSet<mlir::Operation *, 4> loaded;
  for (const TileAccess &access : accessesThrough(pipeline, role))
    if (auto load = dyn_cast<LoadOp>(access.op)) {
      loaded.insert(rootOf(access.view));
      addLoad(end, load, isLoadedBoxByBox(pipeline));
    }
  for (const TileAccess &access : accessesThrough(pipeline, role))
    if (access.writes && !loaded.contains(rootOf(access.view)))
      end.means.insert(isa<ClusterGatherOp>(access.op)  ? Means::peers
                       : isa<ClcTryCancelOp>(access.op) ? Means::responses
                       : endsByCommit(access.op)        ? Means::commits
                       : isInTensorMemory(access.view)  ? Means::lanes
                       : !goesFar(pipeline)             ? Means::threads
                       : isa<ScalarWriteOp>(access.op)  ? Means::numbers
                                                        : Means::remote);
  for (mlir::Operation *user : pipeline->getUsers())
    if (auto acquire = dyn_cast<AcquireOp>(user); acquire && roleOf(acquire) == role)
      end.bytes = std::max(end.bytes, bytesBehind(acquire));
  if (end.means.empty())
    end.means.insert(Means::threads);
  return end;
}

/// Stores of results are waited for by who releases the slot. Those of loaded tiles as they are,
/// and prints, end before that.
std::set<Means> meansOf(const TileAccess &reader, bool results) {
  if (isa<WgmmaOp>(reader.op))
    return {Means::tensorCore};
  if (endsByCommit(reader.op))
    return {Means::commits};
  if (isInTensorMemory(reader.view))
    return {Means::lanes};
  if (auto raw = dyn_cast<RawOp>(reader.op); raw && raw.getAsync())
    return {Means::threads, Means::tensorCore};
  auto store = dyn_cast<StoreOp>(reader.op);
  if (isa<PrintOp>(reader.op) || (store && !results))
    return {};
  return {store && !isStoredByThreads(store) ? Means::tma : Means::threads};
}

bool isByTma(mlir::Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return tmaCanLoad(load, load.getDestination().getType());
  auto store = dyn_cast<StoreOp>(op);
  return store && !isStoredByThreads(store) && tmaCanStore(store, store.getSource().getType());
}

/// Whether one wait is for this ring and another one.
bool isMerged(PipelineOp pipeline) {
  const auto others = pipeline->getParentOfType<KernelOp>().getOps<PipelineOp>();
  return pipeline.getMerge() || llvm::any_of(others, [&](PipelineOp other) {
           return other.getMerge() == pipeline.getName();
         });
}

End consumerOf(PipelineOp pipeline, llvm::StringRef role, int64_t warps) {
  End end{.agent = role.str(), .means = {}, .warps = warps};
  const bool results =
      !isFilledByLoads(pipeline) ||
      llvm::any_of(pipeline.getBuffers(), [](auto b) { return isReplaced(rootOf(b)); });
  const auto accesses = accessesThrough(pipeline, role);
  for (const TileAccess &access : accesses) {
    if (access.reads)
      end.means.merge(meansOf(access, results));
    end.touches |= !isByTma(access.op) && (access.writes || isa<PrintOp, StoreOp>(access.op));
  }
  // What comes by the other ring may be for all threads.
  end.touches |= end.means == std::set<Means>{Means::tma} && isMerged(pipeline);
  if (accesses.empty())
    end.means.insert(Means::threads);
  return end;
}

Lanes lanesOf(llvm::StringRef arrive) {
  return llvm::StringSwitch<Lanes>(arrive)
      .Case("thread", Lanes::all)
      .Case("warp", Lanes::ofWarps)
      .Case("warpgroup", Lanes::ofGroups)
      .Default(Lanes::one);
}

} // namespace

AcquireOp acquireFor(LoadOp load) {
  const bool ofRing = isOfRing(load.getDestination());
  if (!ofRing && load.getDestination().getType().getSpace() != Space::smem)
    return {};
  for (auto *op = load->getPrevNode(); op; op = op->getPrevNode()) {
    if (!ofRing && isa<CommitOp>(op))
      return {};
    auto acquire = dyn_cast<AcquireOp>(op);
    auto pipeline = acquire ? acquire.getPipeline().getDefiningOp<PipelineOp>() : PipelineOp();
    if (pipeline && (!ofRing || isOf(load.getDestination(), pipeline)))
      return acquire;
  }
  return {};
}

int64_t bytesBehind(AcquireOp acquire) {
  int64_t bytes = 0;
  if (isLoadedBoxByBox(acquire.getPipeline().getDefiningOp<PipelineOp>()))
    return bytes;
  for (LoadOp load : loadsBehind(acquire))
    if (auto type = load.getDestination().getType(); tmaCanLoad(load, type))
      bytes += bytesInTensors(*dtypeOf(type.getElementType()), // without margins and padding
                              type.getShape()[0] * type.getShape()[1]);
  for (ClusterGatherOp gather : gathersBehind(acquire))
    bytes += *byteSizeOf(gather.getDestination().getType());
  bytes += requestsBehind(acquire) * ClcTryCancel::responseBytes;
  for (mlir::Value tile : copiedBehind(acquire))
    bytes += *byteSizeOf(mlir::cast<BufferType>(tile.getType()));
  return bytes;
}

bool isFilledByLoads(PipelineOp pipeline) {
  const auto loads = [](const TileAccess &access) { return isa<LoadOp, TmaLoadOp>(access.op); };
  return llvm::any_of(
      pipeline.getProducers().getAsValueRange<mlir::StringAttr>(),
      [&](llvm::StringRef role) { return llvm::any_of(accessesThrough(pipeline, role), loads); });
}

std::string barriersOf(PipelineOp pipeline, bool full) {
  auto kernel = pipeline->getParentOfType<KernelOp>();
  int64_t loaded = 0;
  kernel.walk([&](PipelineOp other) { loaded += isFilledByLoads(other); });
  const bool alone = loaded == 1 && isFilledByLoads(pipeline);
  return (full ? "full" : "empty") + (alone ? "" : "_" + pipeline.getName().str());
}

Ends endsOf(PipelineOp pipeline) {
  auto kernel = pipeline->getParentOfType<KernelOp>();
  Ends ends;
  for (llvm::StringRef role : pipeline.getProducers().getAsValueRange<mlir::StringAttr>())
    ends.producers.push_back(producerOf(pipeline, role, warpsOf(kernel, role)));
  for (llvm::StringRef role : pipeline.getConsumers().getAsValueRange<mlir::StringAttr>())
    ends.consumers.push_back(consumerOf(pipeline, role, warpsOf(kernel, role)));
  for (RoleOp role : kernel.getOps<RoleOp>())
    for (auto *side : {&ends.producers, &ends.consumers})
      for (End &end : *side)
        end.leader |= role.getLeader() && end.agent == role.getName();
  ends.ctas = ctasOf(kernel);
  ends.peer = peerOf(pipeline);
  ends.returns = !pipeline.getEmpty();
  ends.announces = !pipeline.getFull();
  ends.slots = pipeline.getPipeline().getType().getSlots();
  ends.primed = int64_t(pipeline.getPrimed().value_or(0));
  if (auto first = pipeline.getFirst())
    ends.empty = int64_t(*first);
  if (auto arrive = pipeline.getArrive())
    ends.arrive = lanesOf(*arrive);
  return ends;
}

} // namespace sluice

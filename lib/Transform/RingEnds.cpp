#include "Transform/RingEnds.h"

#include "Transform/Share.h"
#include "Transform/StagedLoad.h"
#include "Transform/Tiles.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;

int64_t warpsOf(RoleOp role) {
  return int64_t(role.getEnd().value_or(0)) - int64_t(role.getFirst().value_or(0));
}

int64_t warpsOf(KernelOp kernel, llvm::StringRef name) {
  int64_t warps = 0;
  for (RoleOp role : kernel.getOps<RoleOp>())
    warps += role.getName() == name ? warpsOf(role) : 0;
  return warps;
}

namespace {

std::vector<TileAccess> accessesOf(PipelineOp pipeline, llvm::StringRef role) {
  std::vector<TileAccess> own;
  for (mlir::Value buffer : pipeline.getBuffers())
    for (const TileAccess &access : sluice::accessesOf(rootOf(buffer)))
      if (roleOf(access.op) == role)
        own.push_back(access);
  return own;
}

std::vector<LoadOp> loadsOf(PipelineOp pipeline, llvm::StringRef role) {
  std::vector<LoadOp> loads;
  for (const TileAccess &access : accessesOf(pipeline, role))
    if (auto load = dyn_cast<LoadOp>(access.op))
      loads.push_back(load);
  return loads;
}

/// Who loads ahead has its loads twice, in two blocks: in the loop that fills the ring, and in that
/// which refills it. A use of a slot is one of them.
void addLoads(End &end, PipelineOp pipeline, llvm::ArrayRef<LoadOp> loads) {
  for (LoadOp load : loads) {
    if (load->getBlock() != loads.front()->getBlock())
      continue;
    auto type = load.getDestination().getType();
    const bool byTma = tmaCanLoad(load, type), paced = isPaced(pipeline);
    end.means.insert(!byTma ? Means::threads : paced ? Means::boxes : Means::tma);
    if (byTma && !paced)
      end.bytes += *byteSizeOf(type);
    if (auto share = shareOf(load))
      end.shares.push_back(*share);
  }
}

/// A tile that it loads may be computed on in its place, later: that fills nothing.
End producerOf(PipelineOp pipeline, llvm::StringRef role, int64_t warps) {
  End end{.agent = role.str(), .means = {}, .warps = warps};
  const auto loads = loadsOf(pipeline, role);
  const auto isLoaded = [&](AllocOp buffer) {
    return llvm::any_of(loads,
                        [&](LoadOp load) { return rootOf(load.getDestination()) == buffer; });
  };
  addLoads(end, pipeline, loads);
  for (const TileAccess &access : accessesOf(pipeline, role))
    if (access.writes && !isLoaded(rootOf(access.view)))
      end.means.insert(Means::threads);
  return end;
}

/// Stores of results are waited for by who releases the slot. Those of loaded tiles, and prints,
/// end before that.
std::set<Means> meansOf(const TileAccess &reader, bool results) {
  if (isa<WgmmaOp>(reader.op))
    return {Means::tensorCore};
  if (auto raw = dyn_cast<RawOp>(reader.op); raw && raw.getAsync())
    return {Means::threads, Means::tensorCore};
  auto store = dyn_cast<StoreOp>(reader.op);
  if (isa<PrintOp>(reader.op) || (store && !results))
    return {};
  return {store && !isClipped(store) ? Means::tma : Means::threads};
}

End consumerOf(PipelineOp pipeline, llvm::StringRef role, int64_t warps) {
  End end{.agent = role.str(), .means = {}, .warps = warps};
  const bool results = !isFilledByLoads(pipeline);
  for (const TileAccess &access : accessesOf(pipeline, role))
    if (access.reads)
      end.means.merge(meansOf(access, results));
  return end;
}

} // namespace

bool isFilledByLoads(PipelineOp pipeline) {
  const auto loads = [](const TileAccess &access) { return isa<LoadOp, TmaLoadOp>(access.op); };
  return llvm::any_of(
      pipeline.getProducers().getAsValueRange<mlir::StringAttr>(),
      [&](llvm::StringRef role) { return llvm::any_of(accessesOf(pipeline, role), loads); });
}

Ends endsOf(PipelineOp pipeline) {
  auto kernel = pipeline->getParentOfType<KernelOp>();
  Ends ends;
  for (llvm::StringRef role : pipeline.getProducers().getAsValueRange<mlir::StringAttr>())
    ends.producers.push_back(producerOf(pipeline, role, warpsOf(kernel, role)));
  for (llvm::StringRef role : pipeline.getConsumers().getAsValueRange<mlir::StringAttr>())
    ends.consumers.push_back(consumerOf(pipeline, role, warpsOf(kernel, role)));
  ends.returns = !pipeline.getEmpty();
  return ends;
}

} // namespace sluice

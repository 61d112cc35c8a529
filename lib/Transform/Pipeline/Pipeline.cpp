// Placed -> pipeline. Every data operation gets its agent (a role on NVIDIA, a pipe on Ascend);
// every buffer that one agent writes and another reads becomes part of a ring, and the four verbs
// are put around its accesses: acquire before the first write, commit after the last, wait before
// the first read, release after the last. One cursor per ring is carried through the loops around
// it.
#include "Transform/Cores.h"
#include "Transform/Marks.h"
#include "Transform/Passes.h"
#include "Transform/Pipeline/Rings.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Tiles.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;

/// Role or pipe of a placed operation; empty for what belongs to nobody.
llvm::StringRef ascendAgent(mlir::Operation *op) {
  auto space = [](mlir::Value v) { return mlir::cast<BufferType>(v.getType()).getSpace(); };
  if (auto load = dyn_cast<LoadOp>(op))
    return space(load.getDestination()) == Space::ub ? "aiv.MTE2" : "MTE2";
  if (auto copy = dyn_cast<CopyOp>(op)) {
    if (space(copy.getSource()) == Space::ub)
      return "aiv.MTE3";
    if (space(copy.getSource()) == Space::global)
      return space(copy.getDestination()) == Space::ub ? "aiv.MTE2" : "MTE2";
    return space(copy.getSource()) == Space::l1 ? "MTE1" : "FIX";
  }
  if (isa<MmaOp>(op))
    return "M";
  if (auto store = dyn_cast<StoreOp>(op))
    return space(store.getSource()) == Space::l0c ? "FIX" : "aiv.MTE3";
  return isa<MapOp, ReduceOp, FillOp>(op) ? "aiv.V" : "";
}

llvm::StringRef hopperAgent(mlir::Operation *op) {
  const auto duty = dutyOf(op);
  return duty ? nameOf(*duty) : "";
}

/// A number that a kernel reads of a tensor steers every role that needs it: nobody writes it.
void markScalars(KernelOp kernel) {
  std::vector<ScalarLoadOp> loads;
  kernel.walk([&](ScalarLoadOp load) { loads.push_back(load); });
  for (ScalarLoadOp load : loads) {
    mlir::OpBuilder b(load);
    b.setInsertionPointAfter(load);
    auto mark = UniformOp::create(b, load.getLoc(), load.getValue());
    load.getValue().replaceAllUsesExcept(mark.getResult(), mark);
  }
}

class Pipeline : public mlir::PassWrapper<Pipeline, mlir::OperationPass<KernelOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Pipeline)
  explicit Pipeline(const Arch &arch) : arch_(&arch) {}
  llvm::StringRef getArgument() const override { return "sluice-pipeline"; }
  llvm::StringRef getDescription() const override { return "placed -> pipeline"; }

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const Arch &arch = archFor(kernel, *arch_);
    bool ascend = isAscend(arch.target);
    markScalars(kernel);
    kernel.walk([&](mlir::Operation *op) {
      auto agent = ascend ? ascendAgent(op) : hopperAgent(op);
      if (!agent.empty())
        setAgent(op, agent);
    });
    auto rings = findRings(kernel, arch);
    if (mlir::failed(rings))
      return signalPassFailure();
    if (mlir::failed(verifyAskedSlots(kernel, *rings)))
      return signalPassFailure();
    carryCursors(kernel, *rings);
    for (Ring &ring : *rings)
      insertVerbs(kernel, ring);
    if (ascend) {
      lowerProductsToMmad(kernel);
      orderVectorOperations(kernel);
    } else {
      lowerProductsToWgmma(kernel, *rings);
      sinkProductWaits(kernel);
      acquireUnderProducts(kernel);
    }
    hoistAllocs(kernel);
    markPipelinedLoop(kernel);
    if (mlir::failed(loadAhead(kernel, *rings)))
      return signalPassFailure();
    enterPhase(kernel, "pipeline");
  }

private:
  const Arch *arch_;
};

} // namespace

std::unique_ptr<mlir::Pass> createPipelinePass(const Arch &arch) {
  return std::make_unique<Pipeline>(arch);
}

} // namespace sluice

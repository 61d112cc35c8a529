// The driver: the passes in their order, each followed by a dump for those who asked.
#include "Dialect/Phases.h"
#include "Transform/Passes.h"
#include "Transform/Supported.h"
#include "Transform/Uniform.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace sluice {
namespace {

/// Passes from the kernel's phase on.
void addPasses(mlir::OpPassManager &pm, const Arch &arch, ir::KernelOp kernel) {
  const bool ascend = isAscend(arch.target);
  const llvm::StringRef phase = kernel.getPhase();
  if (hasWhile(kernel))
    pm.addPass(createCountingLoopsPass());
  if (phase == "tile") {
    pm.addPass(createMapGridPass(arch));
    pm.addPass(ascend ? createPlaceAscendPass(arch) : createPlaceHopperPass(arch));
  }
  if (phase == "tile" || phase == "placed")
    pm.addPass(createPipelinePass(arch));
  if (!ascend && (phase == "tile" || phase == "placed" || isUndivided(kernel)))
    pm.addPass(createSplitRolesPass(arch));
  if (phase != "barrier" && phase != "allocated")
    pm.addPass(ascend ? createLowerToFlagsPass(arch) : createLowerToMbarriersPass(arch));
  if (hasLeaders(kernel))
    pm.addPass(createLeadersPass());
  pm.addPass(mlir::createCanonicalizerPass());
  pm.addPass(mlir::createCSEPass());
  pm.addPass(createAllocatePass(arch));
}

/// Calls the dump after every pass.
class Dump : public mlir::PassInstrumentation {
public:
  explicit Dump(const DumpFn &dump) : dump_(dump) {}
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override {
    std::string text;
    llvm::raw_string_ostream(text) << *op;
    dump_(pass->getArgument().str(), text);
  }

private:
  const DumpFn &dump_;
};

} // namespace

const Arch &archFor(ir::KernelOp kernel, const Arch &arch) {
  auto target = kernel.getTarget() ? parseTarget(kernel.getTarget()->str()) : std::nullopt;
  // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): machines outlive every compilation
  return target && *target != arch.target ? defaultArch(*target) : arch;
}

mlir::LogicalResult lower(ir::KernelOp kernel, const Arch &arch, const DumpFn &dump) {
  const bool tiles = kernel.getPhase() == "tile";
  const bool written = kernel.getPhase() == "barrier" || kernel.getPhase() == "allocated";
  const bool known = arch.target == Target::sm_90a || arch.target == Target::ascend910b ||
                     (arch.target == Target::ascend950 && written);
  if (!known)
    return kernel.emitError("lowering to ")
           << name(arch.target).data() << " is not supported yet"
           << (arch.target == Target::ascend950 ? "; write the kernel at the barrier level" : "");
  if (mlir::failed(mlir::verify(kernel)) || // the target may be new to it
      mlir::failed(ir::verifyPhase(kernel, kernel.getPhase())) ||
      mlir::failed(verifyScalarLoads(kernel)) ||
      mlir::failed(verifyNothingIgnored(kernel, arch.target)) ||
      mlir::failed(verifyRawTexts(kernel, arch.target)) || mlir::failed(verifySupported(kernel)) ||
      (written && mlir::failed(verifyUniform(kernel))))
    return mlir::failure();
  mlir::PassManager pm(kernel.getContext(), ir::KernelOp::getOperationName());
  if (dump)
    pm.addInstrumentation(std::make_unique<Dump>(dump));
  addPasses(pm, arch, kernel);
  if (mlir::failed(pm.run(kernel)))
    return mlir::failure();
  if (tiles && mlir::failed(verifyOutputs(kernel)))
    return mlir::failure();
  return written ? mlir::success() : verifyUniform(kernel);
}

void registerPasses() {
  const Arch &hopper = defaultArch(Target::sm_90a), &ascend = defaultArch(Target::ascend910b);
  mlir::registerPass(createCountingLoopsPass);
  mlir::registerPass(createLeadersPass);
  mlir::registerPass([&] { return createMapGridPass(ascend); });
  mlir::registerPass([&] { return createPlaceHopperPass(hopper); });
  mlir::registerPass([&] { return createPlaceAscendPass(ascend); });
  mlir::registerPass([&] { return createPipelinePass(hopper); });
  mlir::registerPass([&] { return createSplitRolesPass(hopper); });
  mlir::registerPass([&] { return createLowerToMbarriersPass(hopper); });
  mlir::registerPass([&] { return createLowerToFlagsPass(ascend); });
  mlir::registerPass([&] { return createAllocatePass(hopper); });
}

} // namespace sluice

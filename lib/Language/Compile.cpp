// The way of a kernel through the compiler.
#include "sluice/Compile.h"

#include "Dialect/Marks.h"
#include "Language/Diagnostics.h"
#include "Language/KernelState.h"
#include "Transform/Passes.h"
#include "Transform/Program/ToProgram.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace sluice {

/// A kernel that names another target was written for its units and cannot be retargeted.
static std::optional<Error> checkTarget(ir::KernelOp kernel, Target target) {
  auto own = kernel.getTarget();
  if (!own || *own == StringRef(name(target)))
    return std::nullopt;
  return unsupportedError("kernel '" + kernel.getSymName().str() + "' is written for " +
                              own->str() + ", not for " + std::string(name(target)),
                          authorLocation(kernel.getLoc()));
}

OpenBuffering openBuffering(const Kernel &kernel) {
  OpenBuffering open;
  ir::KernelOp op = kernel.state()->kernel;
  op.walk([&](scf::ForOp loop) { open.stages |= ir::marks::stages.on(loop); });
  op.walk([&](ir::StoreOp store) { open.staging |= !ir::marks::staging.on(store); });
  open.staging &= op.getPhase() == "tile";
  return open;
}

static void setBuffering(ir::KernelOp kernel, const Buffering &buffering) {
  if (buffering.stages)
    kernel.walk([&](scf::ForOp loop) {
      if (ir::marks::stages.on(loop))
        ir::marks::stages.set(loop, *buffering.stages);
    });
  if (buffering.staging)
    kernel.walk([&](ir::StoreOp store) {
      if (!ir::marks::staging.on(store))
        ir::marks::staging.set(store, *buffering.staging);
    });
}

Result<Program> compile(const Kernel &kernel, const CompileOptions &options) {
  const Arch &arch = options.arch ? *options.arch : defaultArch(options.target);
  if (arch.target != options.target)
    return inputError("machine '" + arch.name + "' is a " + std::string(name(arch.target)) +
                      ", the target is " + std::string(name(options.target)));
  auto &state = *kernel.state();
  if (auto error = checkTarget(state.kernel, options.target))
    return *error;
  OwningOpRef<ModuleOp> module = state.module->clone();
  ir::KernelOp copy = *module->getOps<ir::KernelOp>().begin();
  copy.setTarget(StringRef(name(options.target)));
  setBuffering(copy, options.buffering);
  FirstDiagnostic diagnostics(&*state.context);
  if (failed(lower(copy, arch, options.dumpAfterEach)) || diagnostics.failed())
    return diagnostics.error("the compiler failed without saying why");
  return toProgram(*module->getOps<ir::KernelOp>().begin());
}

} // namespace sluice

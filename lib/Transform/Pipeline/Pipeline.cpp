// Placed -> pipeline. Every data operation gets its agent (a role on NVIDIA, a pipe on Ascend);
// every buffer that one agent writes and another reads becomes part of a ring, and the four verbs
// are put around its accesses: acquire before the first write, commit after the last, wait before
// the first read, release after the last. One cursor per ring is carried through the loops around
// it.
#include "Transform/Cores.h"
#include "Transform/Passes.h"
#include "Transform/Pipeline/JoinedRings.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Tiles.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;

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

} // namespace

mlir::LogicalResult assignAgents(KernelOp kernel, const Arch &arch) {
  markScalars(kernel);
  kernel.walk([&](mlir::Operation *op) {
    auto agent = isAscend(arch.target) ? pipeFor(op) : hopperAgent(op);
    if (!agent.empty())
      setAgent(op, agent);
  });
  return mlir::success();
}

mlir::LogicalResult insertRings(KernelOp kernel, const Arch &arch) {
  auto rings = findRings(kernel, arch);
  if (mlir::failed(rings) || mlir::failed(verifyAskedSlots(kernel, *rings)))
    return mlir::failure();
  joinRings(kernel, *rings, arch);
  carryCursors(kernel, *rings);
  chainCursors(*rings);
  for (Ring &ring : *rings)
    insertVerbs(kernel, *rings, ring);
  if (isAscend(arch.target))
    lowerProductsToMmad(kernel);
  else
    lowerProductsToWgmma(kernel, *rings);
  shareBuffers(*rings);
  hoistDeclarations(kernel);
  return mlir::success();
}

} // namespace sluice

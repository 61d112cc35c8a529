// Placed -> pipeline. Every data operation gets its agent (a role on NVIDIA, a pipe on Ascend);
// every buffer that one agent writes and another reads becomes part of a ring, and the four verbs
// are put around its accesses: acquire before the first write, commit after the last, wait before
// the first read, release after the last. One cursor per ring is carried through the loops around
// it.
#include "Transform/Cores.h"
#include "Transform/NamedRoles.h"
#include "Transform/Passes.h"
#include "Transform/Pipeline/JoinedRings.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Placed/ComputedOperand.h"
#include "Transform/Placed/TensorMemory.h"
#include "Transform/Tiles.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;

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
  std::vector<std::pair<mlir::Operation *, llvm::StringRef>> agents;
  kernel.walk([&](mlir::Operation *op) {
    const llvm::StringRef agent = isAscend(arch.target) ? pipeFor(op) : roleFor(op);
    if (!agent.empty())
      agents.emplace_back(op, agent);
  });
  for (auto [op, agent] : agents)
    setAgent(op, agent);
  return mlir::success(mlir::succeeded(verifyRolesAct(kernel)) &&
                       mlir::succeeded(verifyPlacesOfRoles(kernel)) &&
                       mlir::succeeded(verifyWarpsOfRoles(kernel)));
}

/// Operands in tensor memory give way to sums.
static mlir::FailureOr<std::vector<Ring>> ringsWithRoom(KernelOp kernel, const Arch &arch) {
  auto rings = findRings(kernel, arch);
  if (mlir::failed(rings) || mlir::failed(verifyAskedSlots(kernel, *rings)))
    return mlir::failure();
  joinRings(kernel, *rings, arch);
  if (haveRoom(Space::tmem, kernel, *rings, arch) || !moveOperandsToShared(kernel))
    return rings;
  return ringsWithRoom(kernel, arch);
}

mlir::LogicalResult insertRings(KernelOp kernel, const Arch &arch) {
  auto rings = ringsWithRoom(kernel, arch);
  if (mlir::failed(rings))
    return mlir::failure();
  carryCursors(kernel, *rings);
  chainCursors(*rings);
  for (Ring &ring : *rings)
    insertVerbs(kernel, *rings, ring);
  if (isAscend(arch.target))
    lowerProductsToMmad(kernel);
  else if (isForTensorMemory(kernel))
    lowerProductsToTcgen05(kernel);
  else
    lowerProductsToWgmma(kernel, *rings);
  shareBuffers(*rings);
  hoistDeclarations(kernel);
  return mlir::success();
}

} // namespace sluice

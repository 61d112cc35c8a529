#include "Transform/Verify.h"

#include "Transform/Barrier/Pace.h"
#include "Transform/Marks.h"
#include "Transform/NamedRoles.h"
#include "Transform/Tiles.h"

namespace sluice {

using namespace ir;
using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

/// One stream of operations, each with the role that it goes to: what the steps before the split of
/// roles leave.
static bool isUndivided(KernelOp kernel) {
  if (!kernel.getOps<RoleOp>().empty())
    return false;
  const auto found = kernel.walk([](mlir::Operation *op) {
    return agentOf(op).empty() ? mlir::WalkResult::advance() : mlir::WalkResult::interrupt();
  });
  return found.wasInterrupted();
}

static LogicalResult verifyTiles(KernelOp kernel) {
  return failure(failed(verifyOutputs(kernel)) || failed(verifyEffects(kernel)) ||
                 failed(verifyPace(kernel)));
}

static LogicalResult verifyPipelines(KernelOp kernel, Target target) {
  if (isAscend(target))
    return verifyCores(kernel);
  return failure(!isUndivided(kernel) &&
                 (failed(verifyRoles(kernel)) || failed(verifyRings(kernel))));
}

LogicalResult verifyWritten(KernelOp kernel, Target target) {
  if (failed(verifyTargetHas(kernel, target)) || failed(verifyFills(kernel)) ||
      failed(verifyCounters(kernel)) || failed(verifyEpochs(kernel)) ||
      failed(verifyMarksAreRead(kernel)) || failed(verifyNamedRoles(kernel, target)))
    return failure();
  // What is written by hand may be a part of a kernel: outputs are a note of the verdict there.
  if (kernel.getPhase() == "tile")
    return verifyTiles(kernel);
  if (failed(verifyContents(kernel)))
    return failure();
  return kernel.getPhase() == "pipeline" ? verifyPipelines(kernel, target) : success();
}

} // namespace sluice

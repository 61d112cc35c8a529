// Roles and rings of an author on the cores of Ascend.
#include "Transform/Cores.h"
#include "Transform/Refusal.h"
#include "Transform/Verify.h"

#include "llvm/ADT/StringSet.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::failed;
using mlir::failure;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;

/// A role is the stream of a core, of which each has one.
LogicalResult verifyStreams(KernelOp kernel) {
  llvm::StringSet<> cores;
  for (RoleOp role : kernel.getOps<RoleOp>()) {
    if (!role.getCore())
      return role.emitError("role '") << role.getName() << "' has no core; write `core \"aic\"` or "
                                      << "`core \"aiv\"`";
    if (!cores.insert(*role.getCore()).second)
      return role.emitError("a second role of core '")
             << *role.getCore() << "'; a core runs one stream";
  }
  const auto outside = kernel.walk([&](mlir::Operation *op) {
    if (cores.empty() ||
        !isa<MmaOp, MmadOp, LoadOp, StoreOp, CopyOp, MapOp, ReduceOp, FillOp, AcquireOp, CommitOp,
             WaitOp, ReleaseOp, TailOp>(op) ||
        op->getParentOfType<RoleOp>())
      return mlir::WalkResult::advance();
    unsupported(op, "stands outside the roles; move it into the role whose it is");
    return mlir::WalkResult::interrupt();
  });
  return failure(outside.wasInterrupted());
}

/// The core of a pipe runs a stream.
LogicalResult verifyPipe(KernelOp kernel, PipelineOp pipeline, llvm::StringRef agent) {
  if (!isPipe(agent))
    return pipeline.emitError("pipeline '")
           << pipeline.getName() << "': '" << agent << "' is no pipe";
  auto roles = kernel.getOps<RoleOp>();
  if (roles.empty() ||
      llvm::any_of(roles, [&](RoleOp role) { return role.getCore() == coreOf(agent); }))
    return success();
  return pipeline.emitError("pipeline '") << pipeline.getName() << "' names '" << agent
                                          << "', and no role is of core '" << coreOf(agent) << "'";
}

LogicalResult verifyEnds(KernelOp kernel, PipelineOp pipeline) {
  for (auto agents : {pipeline.getProducers(), pipeline.getConsumers()})
    for (llvm::StringRef agent : agents.getAsValueRange<mlir::StringAttr>())
      if (failed(verifyPipe(kernel, pipeline, agent)))
        return failure();
  return success();
}

} // namespace

LogicalResult verifyCores(KernelOp kernel) {
  if (failed(verifyStreams(kernel)))
    return failure();
  return forEach<PipelineOp>(kernel,
                             [&](PipelineOp pipeline) { return verifyEnds(kernel, pipeline); });
}

} // namespace sluice

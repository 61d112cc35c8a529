// Roles of an author on NVIDIA: warps, names, and what stands in them.
#include "Transform/Refusal.h"
#include "Transform/Tiles.h"
#include "Transform/Verify.h"

#include "llvm/ADT/StringSet.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::dyn_cast;
using mlir::failed;
using mlir::failure;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;

/// Who takes part in rings is a role, and one: it has warps to count.
LogicalResult verifyWarps(KernelOp kernel) {
  llvm::StringSet<> names;
  for (RoleOp role : kernel.getOps<RoleOp>()) {
    if (!role.getFirst())
      return role.emitError("role '") << role.getName() << "' has no warps; write `warps 0 to 4`";
    if (!names.insert(role.getName()).second)
      return role.emitError("a second role '")
             << role.getName() << "'; pipelines tell roles by their names";
  }
  return success();
}

/// What TMA moves one thread asks for, whoever else is named.
LogicalResult verifyWhoMoves(mlir::Operation *op) {
  const auto namesOthers = [](ir::Exec exec) {
    return exec != ir::Exec::threads && exec != ir::Exec::one;
  };
  if (auto load = dyn_cast<LoadOp>(op); load && (load.getAsync() || namesOthers(load.getExec())) &&
                                        load.getDestination().getType().getSpace() == Space::smem &&
                                        tmaCanLoad(load, load.getDestination().getType()))
    return load.emitError("TMA loads this tile, which one thread asks for; leave `async` and `by` "
                          "out");
  if (auto store = dyn_cast<StoreOp>(op); store && namesOthers(store.getExec()) &&
                                          store.getSource().getType().getSpace() == Space::smem &&
                                          !isStoredByThreads(store) &&
                                          tmaCanStore(store, store.getSource().getType()))
    return store.emitError("TMA stores this tile, which one thread asks for; leave `by` out");
  return success();
}

/// What has an agent stands in a role.
LogicalResult verifyPlace(mlir::Operation *op) {
  if (!isa<MmaOp, StoreOp, AcquireOp, TryAcquireOp, CommitOp, WaitOp, TryWaitOp, ReleaseOp, TailOp>(
          op) ||
      op->getParentOfType<RoleOp>())
    return success();
  return unsupported(op, "stands outside the roles; move it into the role whose it is");
}

} // namespace

LogicalResult verifyRoles(KernelOp kernel) {
  if (failed(verifyWarps(kernel)))
    return failure();
  const auto wrong = kernel.walk([](mlir::Operation *op) {
    return failed(verifyPlace(op)) || failed(verifyWhoMoves(op)) ? mlir::WalkResult::interrupt()
                                                                 : mlir::WalkResult::advance();
  });
  return failure(wrong.wasInterrupted());
}

} // namespace sluice

// The start of what is measured, where roles come to it.
#include "Dialect/Marks.h"
#include "Transform/Refusal.h"
#include "Transform/Tiles.h"
#include "Transform/Verify.h"

namespace sluice {

using namespace ir;
using mlir::LogicalResult;
using mlir::success;

static bool dynamicOrInTurn(KernelOp kernel) {
  const auto found = kernel.walk([](mlir::Operation *op) {
    return marks::turns.on(op) || marks::dynamic.on(op) ? mlir::WalkResult::interrupt()
                                                        : mlir::WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// Everyone comes to an epoch, and equally often: not one group of two, nor who draws tiles.
LogicalResult verifyEpochs(KernelOp kernel) {
  const llvm::StringRef phase = kernel.getPhase();
  if (phase != "tile" && phase != "placed")
    return success();
  return forEach<EpochOp>(kernel, [&](EpochOp epoch) -> LogicalResult {
    if (!dynamicOrInTurn(kernel))
      return success();
    return unsupported(epoch, "an epoch beside sluice.turns or sluice.dynamic, of which not every "
                              "role comes to it equally often; leave it out here");
  });
}

} // namespace sluice

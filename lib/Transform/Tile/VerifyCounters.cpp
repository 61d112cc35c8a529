// Counters among tiles, where no author says which warp draws or hands a number on.
#include "Dialect/Marks.h"
#include "Transform/Refusal.h"
#include "Transform/Tiles.h"
#include "Transform/Verify.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::failure;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;

/// Above the pipeline level who computes adds and waits.
LogicalResult verifyCounters(KernelOp kernel) {
  const llvm::StringRef phase = kernel.getPhase();
  if (phase != "tile" && phase != "placed")
    return success();
  const auto wrong = kernel.walk([&](mlir::Operation *op) {
    auto add = dyn_cast<CounterAddOp>(op);
    if (!add && !isa<CounterWaitOp>(op))
      return mlir::WalkResult::advance();
    if (add && add.getExec() != ir::Exec::one)
      unsupported(op, "stands among tiles, where one thread adds; leave `by` out");
    else if (takesTurns(kernel))
      unsupported(op, "stands beside sluice.turns, whose groups come to it one after another and "
                      "meet nowhere");
    else
      return mlir::WalkResult::advance();
    return mlir::WalkResult::interrupt();
  });
  return failure(wrong.wasInterrupted());
}

} // namespace sluice

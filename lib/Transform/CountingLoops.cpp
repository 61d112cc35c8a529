// Loops with a condition that only count up become loops with bounds: the proof then follows their
// trip counts, and printed code shows what they are.
#include "Transform/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"

namespace sluice {
namespace {

/// Whether what the condition compares grows by a positive constant each time: a loop with bounds
/// has no meaning for other steps.
bool countsUp(mlir::scf::WhileOp loop) {
  auto compare = loop.getConditionOp().getCondition().getDefiningOp<mlir::arith::CmpIOp>();
  if (!compare)
    return false;
  for (mlir::Value side : {compare.getLhs(), compare.getRhs()}) {
    const auto variable = mlir::dyn_cast<mlir::BlockArgument>(side);
    if (!variable || variable.getOwner() != loop.getBeforeBody())
      continue;
    auto next =
        loop.getYieldOp().getOperand(variable.getArgNumber()).getDefiningOp<mlir::arith::AddIOp>();
    mlir::APInt step;
    return next &&
           (mlir::matchPattern(next.getRhs(), mlir::m_ConstantInt(&step)) ||
            mlir::matchPattern(next.getLhs(), mlir::m_ConstantInt(&step))) &&
           step.isStrictlyPositive();
  }
  return false;
}

struct CountingLoops : mlir::PassWrapper<CountingLoops, mlir::OperationPass<ir::KernelOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountingLoops)
  llvm::StringRef getArgument() const override { return "sluice-counting-loops"; }
  llvm::StringRef getDescription() const override {
    return "turn scf.while loops that only count up into scf.for loops";
  }

  void runOnOperation() override {
    llvm::SmallVector<mlir::scf::WhileOp> loops;
    getOperation().walk([&](mlir::scf::WhileOp loop) { loops.push_back(loop); });
    mlir::IRRewriter rewriter(&getContext());
    for (mlir::scf::WhileOp loop : loops) {
      if (!countsUp(loop))
        continue;
      rewriter.setInsertionPoint(loop); // else the new loop is in no block
      (void)mlir::scf::upliftWhileToForLoop(rewriter, loop);
    }
  }
};

} // namespace

bool hasWhile(ir::KernelOp kernel) {
  const auto stop = [](mlir::scf::WhileOp) { return mlir::WalkResult::interrupt(); };
  return kernel.walk(stop).wasInterrupted();
}

std::unique_ptr<mlir::Pass> createCountingLoopsPass() {
  return std::make_unique<CountingLoops>();
}

} // namespace sluice

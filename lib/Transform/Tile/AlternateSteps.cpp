#include "Transform/Tile/AlternateSteps.h"

#include "Dialect/Marks.h"
#include "Dialect/ValueNames.h"

namespace sluice {

using namespace ir;
using mlir::Value;

bool alternates(mlir::Block &block) {
  return block
      .walk([](mlir::scf::ForOp loop) {
        return marks::alternate.on(loop) ? mlir::WalkResult::interrupt()
                                         : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// In its body stands the mirrored step for its own.
static void mirror(mlir::scf::ForOp loop, Value back) {
  IndexArithmetic to{mlir::OpBuilder::atBlockBegin(loop.getBody()), loop.getLoc()};
  Value step = loop.getInductionVar(), other = to.mirrored(step, loop.getUpperBound());
  Value now = named(to.select(to.equal(back, to.constant(1)), other, step), "step");
  const llvm::SmallPtrSet<mlir::Operation *, 2> own{other.getDefiningOp(), now.getDefiningOp()};
  step.replaceAllUsesExcept(now, own);
}

void alternateSteps(mlir::scf::ForOp tiles) {
  tiles.getBody()->walk([&](mlir::scf::ForOp loop) {
    if (!marks::alternate.remove(loop))
      return;
    mirror(loop, tiles.getRegionIterArg(0));
  });
}

mlir::LogicalResult verifyAlternated(KernelOp kernel) {
  const auto left = kernel.walk([](mlir::scf::ForOp loop) {
    if (!marks::alternate.on(loop))
      return mlir::WalkResult::advance();
    loop.emitError("sluice.alternate: a CTA takes one tile, whose steps have no other way to go; "
                   "make the grid persistent, or leave it out");
    return mlir::WalkResult::interrupt();
  });
  return mlir::failure(left.wasInterrupted());
}

} // namespace sluice

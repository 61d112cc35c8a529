#include "Transform/Barrier/KernelBefore.h"

#include "Dialect/Marks.h"

namespace sluice {

using namespace ir;
using mlir::isa;

/// Whether it, or what is in it, reads or writes a tensor.
static bool touchesTensor(mlir::Operation &op) {
  const auto touches = [](mlir::Operation *inner) {
    const bool takes = llvm::any_of(inner->getOperandTypes(), llvm::IsaPred<TensorType>);
    return takes && !isa<DimOp>(inner) ? mlir::WalkResult::interrupt()
                                       : mlir::WalkResult::advance();
  };
  return op.walk(touches).wasInterrupted();
}

void waitForKernelBefore(KernelOp kernel, mlir::OpBuilder &b) {
  if (kernel.walk([](ScalarLoadOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted())
    return;
  GridDependencyOp::create(b, kernel.getLoc(), /*launch=*/true);
  for (RoleOp role : kernel.getOps<RoleOp>()) {
    if (!touchesTensor(*role))
      continue;
    auto first = llvm::find_if(role.getBody().front(), [](mlir::Operation &op) {
      return op.getNumRegions() > 0 || touchesTensor(op);
    });
    b.setInsertionPoint(&*first);
    GridDependencyOp::create(b, first->getLoc(), /*launch=*/false);
  }
  for (auto argument : kernel.getBody().getArguments())
    if (isa<TensorType>(argument.getType()))
      kernel.setArgAttr(argument.getArgNumber(), marks::previous.name, b.getUnitAttr());
}

} // namespace sluice

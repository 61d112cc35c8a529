#include "Transform/Placed/VectorFold.h"

#include "Transform/Placed/WholeRows.h"

namespace sluice {

using namespace ir;
using mlir::cast;

bool isVectorFold(ReduceOp reduce) {
  auto kernel = reduce->getParentOfType<KernelOp>();
  return reduce.getAxis() == 0 && reduce.getInputs().size() == 1 &&
         cast<BufferType>(reduce.getInputs()[0].getType()).getShape()[1] == 1 &&
         warpsOfWholeRows(kernel).has_value();
}

static void foldAcrossWarps(ReduceOp reduce) {
  mlir::OpBuilder b(reduce);
  auto loc = reduce.getLoc();
  mlir::Value vector = reduce.getInputs()[0];
  const std::string name = rootOf(vector).getName().str();
  auto own = cast<BufferType>(vector.getType());
  auto lines = own.in(Space::smem, Layout::row);
  auto all = own.withShape({1, own.getShape()[0]}).in(Space::reg, Layout::blockedColVector);
  mlir::Value shared = AllocOp::create(b, loc, lines, name + "_shared", mlir::IntegerAttr());
  mlir::Value numbers = AllocOp::create(b, loc, all, name + "_all", mlir::IntegerAttr());
  CopyOp::create(b, loc, vector, shared);
  CopyOp::create(b, loc, TransposeOp::create(b, loc, lines.transposed(), shared), numbers);
  reduce.getInputsMutable().assign(numbers);
  reduce.setAxis(1);
}

void foldAcrossWarps(KernelOp kernel) {
  (void)forEach<ReduceOp>(kernel, [](ReduceOp reduce) {
    if (isVectorFold(reduce))
      foldAcrossWarps(reduce);
    return mlir::success();
  });
}

} // namespace sluice

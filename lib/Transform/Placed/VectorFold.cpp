#include "Transform/Placed/VectorFold.h"

#include "Dialect/Marks.h"
#include "Transform/Barrier/RingEnds.h"
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
  const bool ofCluster = marks::across.remove(reduce);
  const int64_t rows =
      own.getShape()[0] * (ofCluster ? ctasOf(reduce->getParentOfType<KernelOp>()) : 1);
  auto lines = own.withShape({rows, 1}).in(Space::smem, Layout::row);
  auto all = own.withShape({1, rows}).in(Space::reg, Layout::blockedColVector);
  mlir::Value shared = AllocOp::create(b, loc, lines, name + "_shared", mlir::IntegerAttr());
  mlir::Value numbers = AllocOp::create(b, loc, all, name + "_all", mlir::IntegerAttr());
  if (ofCluster)
    ClusterGatherOp::create(b, loc, vector, shared);
  else
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

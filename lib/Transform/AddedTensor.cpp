#include "Transform/AddedTensor.h"

#include "Dialect/Marks.h"

namespace sluice {

using namespace ir;

static bool isNamed(KernelOp kernel, const std::string &name) {
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    if (auto other = marks::name.of(kernel, i); other && other.getValue() == name)
      return true;
  return false;
}

mlir::Value addWorkspace(KernelOp kernel, std::string name, TensorType type) {
  while (isNamed(kernel, name))
    name += "_tile";
  mlir::OpBuilder b(kernel.getContext());
  unsigned place = 0; // tensors come before scalars
  while (place < kernel.getNumArguments() &&
         mlir::isa<TensorType>(kernel.getArgumentTypes()[place]) && !marks::out.on(kernel, place))
    ++place;
  auto noted = b.getDictionaryAttr({b.getNamedAttr(marks::name.name, b.getStringAttr(name)),
                                    b.getNamedAttr(marks::workspace.name, b.getUnitAttr())});
  (void)kernel.insertArgument(place, type, noted, kernel.getLoc());
  return kernel.getArgument(place);
}

} // namespace sluice

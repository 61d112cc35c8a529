#include "Transform/AddedTensor.h"

namespace sluice {

using namespace ir;

static bool isNamed(KernelOp kernel, const std::string &name) {
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    if (auto other = kernel.getArgAttrOfType<mlir::StringAttr>(i, "sluice.name");
        other && other.getValue() == name)
      return true;
  return false;
}

mlir::Value addWorkspace(KernelOp kernel, std::string name, TensorType type) {
  while (isNamed(kernel, name))
    name += "_tile";
  mlir::OpBuilder b(kernel.getContext());
  unsigned place = 0; // tensors come before scalars
  while (place < kernel.getNumArguments() &&
         mlir::isa<TensorType>(kernel.getArgumentTypes()[place]) &&
         !kernel.getArgAttr(place, "sluice.out"))
    ++place;
  auto marks = b.getDictionaryAttr({b.getNamedAttr("sluice.name", b.getStringAttr(name)),
                                    b.getNamedAttr("sluice.workspace", b.getUnitAttr())});
  (void)kernel.insertArgument(place, type, marks, kernel.getLoc());
  return kernel.getArgument(place);
}

} // namespace sluice

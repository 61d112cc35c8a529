#include "Dialect/ValueNames.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"

namespace sluice::ir {

static bool hasOwnLocation(mlir::Value value) {
  auto *op = value.getDefiningOp();
  return !op || op->getNumResults() == 1;
}

void setValueName(mlir::Value value, llvm::StringRef name) {
  if (!hasOwnLocation(value))
    return;
  mlir::Location inner = value.getLoc();
  if (auto old = llvm::dyn_cast<mlir::NameLoc>(inner))
    inner = old.getChildLoc();
  value.setLoc(mlir::NameLoc::get(mlir::StringAttr::get(value.getContext(), name), inner));
}

mlir::Value named(mlir::Value value, llvm::StringRef name) {
  setValueName(value, name);
  return value;
}

const char *coordinateName(unsigned d) {
  static constexpr const char *names[] = {"i", "j", "k"};
  return names[d % 3];
}

std::string valueName(mlir::Value value) {
  auto name = llvm::dyn_cast<mlir::NameLoc>(value.getLoc());
  return name && hasOwnLocation(value) ? name.getName().str() : "";
}

} // namespace sluice::ir

// What the author calls a scalar. The name travels as an MLIR NameLoc around the location of the
// operation, so every pass that copies an operation carries it along, and it changes nothing else.
#pragma once

#include "mlir/IR/Value.h"

#include <string>

namespace sluice::ir {

/// For block arguments and operations with one result; others keep the names of their operation.
void setValueName(mlir::Value value, llvm::StringRef name);
/// The same, and yields the value.
mlir::Value named(mlir::Value value, llvm::StringRef name);
/// What dimension `d` of a grid is called where nobody says otherwise.
const char *coordinateName(unsigned d);
/// Empty: it has none.
std::string valueName(mlir::Value value);

} // namespace sluice::ir

// The body of `map` or `reduce` as an ElementFn.
#pragma once

#include "Dialect/Dialect.h"
#include "Machine/ElementFn.h"

#include "llvm/ADT/DenseMap.h"

namespace sluice {

/// Scalar arguments of the kernel that a body may use, by value: their numbers.
using ElementParameters = llvm::DenseMap<mlir::Value, int>;

/// Null with `reason` set when the body holds an operation that no target has.
std::optional<ElementFn> importElementFn(mlir::Block &body, int inputs, bool coordinates,
                                         const ElementParameters &parameters, std::string &reason);

} // namespace sluice

// The body of `map` or `reduce` as an ElementFn.
#pragma once

#include "Dialect/Dialect.h"
#include "Program/ElementFn.h"

#include "llvm/ADT/DenseMap.h"

namespace sluice {

/// Scalar arguments of the kernel that a body may use, by value: their numbers.
using ElementParameters = llvm::DenseMap<mlir::Value, int>;

/// Null with `reason` set when the body holds an operation that no target has. `shared` takes the
/// indices from outside that the body uses, in the order of their arguments; without it there may
/// be none.
std::optional<ElementFn> importElementFn(mlir::Block &body, int inputs, bool coordinates,
                                         const ElementParameters &parameters, std::string &reason,
                                         std::vector<mlir::Value> *shared = nullptr);

/// The body of a `reduce` of one value, taken apart: what joins the state and the element, and the
/// function of the element (none: the element as it is). Null with `reason` set when it is no fold.
struct Fold {
  ElementOp combine;
  std::optional<ElementFn> element;
};
std::optional<Fold> importFold(mlir::Block &body, double start, const ElementParameters &parameters,
                               std::string &reason);

} // namespace sluice

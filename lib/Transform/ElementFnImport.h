// The body of `map` or `reduce` as an ElementFn.
#pragma once

#include "Dialect/Dialect.h"
#include "Machine/ElementFn.h"

namespace sluice {

/// Null with `reason` set when the body holds an operation that no target has.
std::optional<ElementFn> importElementFn(mlir::Block &body, int inputs, bool coordinates,
                                         std::string &reason);

} // namespace sluice

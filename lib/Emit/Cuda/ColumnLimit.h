// Element functions that choose by whether a column lies in front of an end.
#pragma once

#include "Program/ElementFn.h"

#include <optional>

namespace sluice::cuda {

/// `column < end ? there : other`, where each row has an end.
struct ColumnLimit {
  ElementFn end, there; // of the arguments of the whole function
};

/// What the function is where it is such a choice.
std::optional<ColumnLimit> columnLimitOf(const ElementFn &fn);

} // namespace sluice::cuda

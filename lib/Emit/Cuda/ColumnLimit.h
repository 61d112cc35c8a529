// Element functions that choose by the column: whether it lies in front of an end, or is the one.
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

/// `column == place ? there : 0`, where both are integers of 32 bits, `column` goes up by one with
/// the column of the element, and `place` is the same for all columns.
struct ColumnChoice {
  ElementFn column, place, there; // of the arguments of the whole function
};

/// What the function is where it is such a choice; `ofRows`: of its inputs those that are the same
/// for all columns of a row.
std::optional<ColumnChoice> columnChoiceOf(const ElementFn &fn, const std::vector<bool> &ofRows);

} // namespace sluice::cuda

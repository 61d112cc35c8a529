// Whether integers satisfy constraints: the question without a point for an answer.
#pragma once

#include "Verify/LinearForm.h"

#include <vector>

namespace sluice {

/// Whether there are integers, one for each column, that satisfy all.
bool haveIntegers(const std::vector<LinearConstraint> &constraints, int columns);

} // namespace sluice

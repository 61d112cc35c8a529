// Integers that satisfy constraints.
#pragma once

#include "Verify/LinearForm.h"

#include <optional>
#include <vector>

namespace sluice {

/// Integers that satisfy all, one for each column: nothing where there are none. What does not fit
/// into 64 bits is the nearest number that does.
std::optional<std::vector<int64_t>> integersOf(const std::vector<LinearConstraint> &constraints,
                                               int columns);

} // namespace sluice

// One loop over all pairs of two numbers as two, for the proof of every launch: a role with one
// loop stands beside one with two.
#pragma once

#include "Program/Program.h"

#include <optional>

namespace sluice {

/// The same program with loops for i in [0, m * n), m and n never negative, as a loop over n in a
/// loop over m, where the body divides by n, or by neither. Nothing: there are none.
std::optional<Program> withNestedLoops(const Program &program);

} // namespace sluice

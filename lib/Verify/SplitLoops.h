// Loops that ask where their variable is, as loops one after the other.
#pragma once

#include "Program/Program.h"

#include <optional>

namespace sluice {

/// The program in which a loop for t from a to b by 1 that compares t with an m, which is the same
/// in all of its rounds, is two: up to m, where t < m, and on from m; one alone where the other
/// does nothing. Where it is not told that a <= m <= b, m is moved there. Comparisons of a minimum
/// or maximum with one of its sides are comparisons of the two. It does the same in every launch.
/// Nothing where there are none.
std::optional<Program> withSplitLoops(const Program &program);

} // namespace sluice

// Loops whose last rounds do nothing, as loops that end before them.
#pragma once

#include "Program/Program.h"

#include <optional>

namespace sluice {

/// The program in which a loop that does something only while t < b, b being the same in all of its
/// rounds, goes to the minimum of its bound and b, and in which comparisons of a minimum or maximum
/// with one of its sides are comparisons of the two: one that does the same in every launch.
/// Nothing if there is none.
std::optional<Program> withEarlyEnds(const Program &program);

} // namespace sluice

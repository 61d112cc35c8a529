// Counters that a loop carries and sets back by hand, as remainders of its variable.
#pragma once

#include "Program/Program.h"

#include <optional>

namespace sluice {

/// The same program in which, in a loop for t from 0, k is t % n where it is 0 at first and in the
/// next round k + 1, or 0 where that is n; and what is v at first and goes up by d whenever k is
/// set back is v + t / n * d. The same numbers in every launch. Nothing where there are none.
std::optional<Program> withoutRotations(const Program &program);

} // namespace sluice

// Programs whose remainders are written as such, for the proof of every launch: what is needed of a
// remainder is known (OperandNeeds), of a difference it is not.
#pragma once

#include "Program/Program.h"

#include <optional>

namespace sluice {

/// The same program with x - (x / c) * c as x % c, x - x % c as (x / c) * c, and the sum of the two
/// as x; with shifts and masks likewise. A shift of what is never negative is a quotient, a number
/// times a comparison a selection, a loop from 0 to max(x, 0) one to x. Nothing: there are none.
std::optional<Program> withPlainRemainders(const Program &program);

/// The same program with loops that start at no number counted from 0: those over what is left, for
/// t in [(n / c) * c, n), to n % c, others to the distance of their ends. Nothing: there are none.
std::optional<Program> withTailsFromZero(const Program &program);

/// The same program with a branch for each selection of slots, ids and the like, so that runs ask
/// about its condition. Nothing: there are none.
std::optional<Program> withBranches(const Program &program);

} // namespace sluice

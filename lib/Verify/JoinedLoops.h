// One loop for two of which the second goes on where the first ends.
#pragma once

#include "Program/Program.h"

#include <optional>

namespace sluice {

/// The program with `for t in [a, h) X` and `for t in [h, n) Y` behind it as one loop over [a, n),
/// X while t < h and Y from there on; as a role that loads has it beside one that masks its last
/// tiles. What every agent does, and in which order, is the same at every launch. Only where a <=
/// h <= n follows from how they are computed, and steps are 1. Nothing: no such loops.
std::optional<Program> withJoinedLoops(const Program &program);

} // namespace sluice

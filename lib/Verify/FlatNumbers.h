// Numbers of iterations over two loops, i * n + t, counted along, for the proof of every launch: of
// what loops carry by steps it knows remainders, of a product of two unknowns it does not.
#pragma once

#include "Program/Program.h"

#include <optional>

namespace sluice {

/// The same program where a loop for t in [0, n), directly in one for i in [0, m), carries the
/// number i * n + t through both, from 0 by 1. Loops over all pairs are taken apart first
/// (withNestedLoops). Nothing: there are none.
std::optional<Program> withFlatNumbers(const Program &program);

} // namespace sluice

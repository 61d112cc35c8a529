// Launches to try where the proof for every launch has shown nothing: extents and arguments around
// the constants of a program, where loops have few trips and comparisons turn.
#pragma once

#include "Simulate/Simulate.h"

#include <vector>

namespace sluice {

/// The same ones each time. What a tensor fixes is kept; tensors that are read as integers get
/// small ones.
std::vector<Launch> nearbyLaunches(const Program &program, const Launch &given, size_t count);

/// Whether a counter is named that the launch has not: verdicts for every launch assume that it has
/// them, and no launch here has more than the one given.
bool lacksCounters(const Program &program, const Violation &violation);

} // namespace sluice

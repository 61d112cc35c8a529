// How often scalar values are read, and which are truth values.
#pragma once

#include "Program/Program.h"

#include <vector>

namespace sluice::emit {

/// Number of uses of every value of the program.
std::vector<int> countUses(const Program &program);

/// Of every value whether it is a truth value, whatever it comes from: a comparison, or what
/// connects, chooses between or carries nothing but such.
std::vector<bool> truthValues(const Program &program);

} // namespace sluice::emit

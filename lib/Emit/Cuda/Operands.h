// How often scalar values are read.
#pragma once

#include "Machine/Program.h"

#include <vector>

namespace sluice::cuda {

/// Number of uses of every value of the program.
std::vector<int> countUses(const Program &program);

} // namespace sluice::cuda

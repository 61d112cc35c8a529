// How many CTAs a launch may have.
#pragma once

#include "Program/Program.h"

#include <string>

namespace sluice {

/// Along one side of a grid. CUDA C++ Programming Guide, "Compute Capabilities": x to 2^31 - 1, y
/// and z to 65535.
inline int64_t mostCtas(Target target, size_t side) {
  return side == 0 || isAscend(target) ? INT32_MAX : 65535;
}

/// Why no launch of the program has such a grid; empty: one can.
std::string gridFault(const Program &program, const std::vector<int64_t> &extents);

} // namespace sluice

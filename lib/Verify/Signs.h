// Which scalars of a program are never negative, in any launch.
#pragma once

#include "Program/Program.h"

#include <vector>

namespace sluice {

/// By value. Extents, coordinates and numbers of warps are not; arguments and what tensors hold may
/// be; of all else it follows from the operands.
std::vector<bool> neverNegative(const Program &program);

} // namespace sluice

// Extents and arguments of a launch that nobody gave, chosen so that it keeps what the kernel
// assumes.
#pragma once

#include "Simulate/Simulate.h"

#include <vector>

namespace sluice::tool {

/// `open`: the extents and integer arguments that may change, as scalars read them. The launch is
/// as it was where no numbers are found.
void keepAssumptions(const Program &program, const std::vector<Scalar> &open, Launch &launch);

} // namespace sluice::tool

// From trip counts back to a launch that has them.
#pragma once

#include "Verify/Facts.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

/// Extents and arguments for which the terms have values in the given ranges, as far as that can be
/// solved, at `part` of 4 from the lower to the upper end; the rest as in `otherwise`. The caller
/// checks what the launch does.
Launch launchFor(const Program &program, const Terms &terms,
                 const std::vector<std::pair<Instance, Range>> &decided, const Launch &otherwise,
                 int part);

/// A launch of `extent` everywhere, dense strides.
Launch uniformLaunch(const Program &program, int64_t extent);

/// The strides of dense tensors of the launch's extents.
void setDenseStrides(const Program &program, Launch &launch);

/// "A[512,256] counts[4] counts={0,0,5,6} ctas=2": extents, integers that are read, arguments.
std::string launchText(const Program &program, const Launch &launch);

} // namespace sluice

// From trip counts back to a launch that has them.
#pragma once

#include "Verify/Facts.h"

#include <optional>
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

} // namespace sluice

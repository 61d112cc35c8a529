// sluice plan pieces, sluice plan share: what the planner of kernels along rows says of tiles that
// others write; of no kernel of the catalogue.
#pragma once

#include "Options.h"

#include <optional>

namespace sluice::tool {

/// The exit code, if that is what is asked for.
std::optional<int> planOfRows(const Options &options);

} // namespace sluice::tool

// What can be said of the actions of an unrolled program without exploring: when asynchronous
// operations end for their agent, what others cannot notice, which agents are alike.
#pragma once

#include "Explore/Script.h"

namespace sluice::explorer {

void analyse(const Program &program, Unrolled &u);

/// wgmma.fence is a matter of one warp's order alone. The action that lacks one, or nothing.
std::optional<std::string> unfencedWgmma(const Unrolled &u);

} // namespace sluice::explorer

// sluice plan FILE: how the rings and the results of a user's kernel are buffered, by the machine
// model.
#pragma once

#include "Load.h"

#include "Plan/Plan.h"

namespace sluice::tool {

/// Stages of the loops that ask for some, and staging of the stores that say nothing of it, the
/// fastest first, at the launch at hand. What does not fit is rejected with its reason.
Result<Plan> bufferingPlan(const Options &options, const Loaded &asked);

} // namespace sluice::tool

// One cluster or core on the clock of the virtual machine, for what draws it.
#pragma once

#include "Load.h"

#include "Diagnose/Check.h"
#include "Trace/Trace.h"

namespace sluice::tool {

PictureOptions pictureOptions(const Loaded &loaded);

/// Where the run broke a rule, the verdict says so too.
Result<Timeline> simulateTimeline(const Loaded &loaded, int64_t cta,
                                  std::optional<Verdict> &verdict);

} // namespace sluice::tool

// Source text of a kernel, with all that a launcher needs to know of it.
#pragma once

#include "Launch/LaunchPlan.h"

#include <string>

namespace sluice {

struct EmittedSource {
  std::string text;
  LaunchPlan plan;
};

} // namespace sluice

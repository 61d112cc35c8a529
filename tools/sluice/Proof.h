// The gate before a program is used for real.
#pragma once

#include "Load.h"

#include <optional>

namespace sluice::tool {

/// Why the check did not prove the program at this launch; nothing: it did.
std::optional<Error> unproven(const Loaded &loaded);

} // namespace sluice::tool

// The gate before a program is used for real.
#pragma once

#include "Load.h"

#include "Verify/Verify.h"

#include <optional>

namespace sluice::tool {

/// Why the check did not prove the program at this launch; nothing: it did.
std::optional<Error> unproven(const Loaded &loaded);
/// The same of a verdict that is there already.
std::optional<Error> unproven(const Loaded &loaded, const Verdict &verdict);

} // namespace sluice::tool

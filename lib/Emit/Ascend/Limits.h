// What Ascend C's documents and this printer refuse of a program, by name and with its place.
#pragma once

#include "Emit/Ascend/Flags.h"
#include "Support/Result.h"

#include <optional>

namespace sluice::ascend {

/// The first statement or buffer that is not printed, or that no call may be given; none: all are
/// within the limits.
std::optional<Error> unprintable(const Program &program, const Ranges &ranges, const Flags &flags);

} // namespace sluice::ascend

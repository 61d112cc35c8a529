// Where the CTAs of a whole grid touch tensors, without a schedule: every one against all others.
#pragma once

#include "Program/Program.h"

#include <optional>
#include <string>

namespace sluice {

/// Two CTAs (cores) of different clusters, one of which writes what the other touches; nothing
/// where there are none, or the launch takes more than `mostAccesses`.
std::optional<std::string> gridConflict(const Program &program, const Launch &launch,
                                        int64_t mostAccesses = 100'000);

} // namespace sluice

// Loops whose step extents or arguments give, counted by 1.
#pragma once

#include "Program/Program.h"

#include <optional>

namespace sluice {

/// The program in which they are: equal in every launch in which their steps are at least 1, as
/// each launch has to keep. Nothing where there is none.
std::optional<Program> withUnitSteps(const Program &program);

} // namespace sluice

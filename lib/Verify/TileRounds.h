// Loops over the tiles of a CTA, by the extent of the grid, counted by 1.
#pragma once

#include "Program/Program.h"

#include <optional>

namespace sluice {

/// The program in which they are: equal in every launch. Nothing where there is none.
std::optional<Program> withTileRounds(const Program &program);

} // namespace sluice

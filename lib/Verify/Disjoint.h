// Whether a loop moves a box of a tensor by at least its own size in every iteration: then boxes of
// different iterations are apart, and only one iteration's need a history.
#pragma once

#include "Verify/Terms.h"

#include <vector>

namespace sluice {

/// `offsets`: of the box, unresolved; `shape`: its extents. True when every loop variable in the
/// offsets moves the box out of the way, alone or as a tile number that is split into row and
/// column.
bool movesApart(const Terms &terms, const std::vector<Affine> &offsets,
                const std::vector<int64_t> &shape);

} // namespace sluice

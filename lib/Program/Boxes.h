// Which dimensions of a tensor become the rows and columns of a tile.
#pragma once

#include "Program/Program.h"

#include <vector>

namespace sluice {

/// In order: those along which the box is larger than 1, and the last ones where these are fewer
/// than two. A tile has none for more than two.
std::vector<int> dimensionsOfTile(const View &v);

} // namespace sluice

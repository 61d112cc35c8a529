// Where the elements of a tile are: of each the byte address, written down from the pictures of the
// PTX ISA and of the Ascend documents. The explorer's own; the checker has Program/LayoutMap.h.
#pragma once

#include "Program/Program.h"

#include <vector>

namespace sluice::explorer {

/// Addresses of all elements of one slot of a buffer, row by row: bytes from the start of its
/// memory, in registers from the start of the tile.
std::vector<int64_t> elementPlaces(const Buffer &buffer, int64_t slot);

/// The lane of tensor memory that a row of a tile of so many rows lies in.
int64_t laneOfRow(int64_t rows, int64_t row);

} // namespace sluice::explorer

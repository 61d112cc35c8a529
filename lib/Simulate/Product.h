// What a matrix unit computes from the values of its tiles.
#pragma once

#include "Program/LayoutMap.h"
#include "Simulate/Tile.h"

#include <vector>

namespace sluice {

/// Rows `rows` of d become a b, or d + a b. Sums of floats are of single precision, over k in
/// ascending order; those of integers are exact and wrap around. Products of tf32 read the upper 19
/// bits of an operand.
void multiplyTiles(const Tile &d, const std::vector<RowRange> &rows, const Tile &a, const Tile &b,
                   bool accumulate);

/// Factors of the blocks of a and of columns that b is a part of, which lie as
/// Program/BlockScales.h says.
struct TileScales {
  Tile a, b;
  int64_t columns, first = 0; // all of them, and the first of b
};
/// All rows of d become a b, or d + a b, each product times the factors of its two blocks, rounded
/// to single precision as it is added, over k in ascending order.
void multiplyScaled(const Tile &d, const Tile &a, const Tile &b, const TileScales &scales,
                    bool accumulate);
/// Every lane of `to` gets a row of `from`.
void copyToAllLanes(const Tile &to, const Tile &from, const std::vector<int64_t> &rowOfLane);

/// The sign, the exponent and ten bits of the mantissa: what is left of an f32 as a tf32. (PTX ISA,
/// "Alternate floating-point data formats", promises at least ten bits.)
float cutToTf32(float x);

} // namespace sluice

// Elements of one type, unpacked for arithmetic.
#pragma once

#include "Program/ElementFn.h"
#include "Simulate/Tile.h"

namespace sluice {

/// Integers as they are, everything else (truth values as well) in single precision.
struct Elements {
  DType type = DType::f32;
  std::vector<float> reals;      // unless isExactInteger(type)
  std::vector<int64_t> integers; // if it is

  Elements() = default;
  /// `count` times the value of `type` nearest to `value`.
  Elements(DType type, int64_t count, double value = 0);

  int64_t size() const { return static_cast<int64_t>(reals.size() + integers.size()); }
  /// Elements begin, begin + stride ... of `from`, which has the same type.
  void take(const Elements &from, int64_t begin, int64_t stride);
  /// Adds those of `more`, which has the same type, behind.
  void append(const Elements &more);
};

/// The values of another type: integers become the nearest real number; real numbers the nearest
/// integer, saturated, ties to even; a wider integer loses its upper bits.
Elements converted(Elements from, DType type);

/// `count` elements as they lie in memory.
Elements unpacked(DType type, const std::byte *from, int64_t count);
/// Rows `range` of a tile, row-major.
Elements gather(const Tile &tile, RowRange range);
/// The reverse, converted to the type of the tile.
void scatter(const Tile &tile, RowRange range, const Elements &from);

} // namespace sluice

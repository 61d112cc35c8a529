// A permutation of offsets in which some bits are XORed with higher ones, and layouts behind it.
#pragma once

#include "Layout/ShapeStride.h"

#include <algorithm>

namespace sluice {

/// Swizzle<bits, base, shift> of CuTe: `bits` bits from `base` on are XORed with those `shift`
/// places higher, or, where shift is negative, the other way round. |shift| >= bits, so that the
/// two do not overlap and the permutation is its own inverse. No bits: nothing changes.
struct Swizzle {
  int bits = 0, base = 0, shift = 0;

  int64_t operator()(int64_t offset) const {
    const int64_t mask = (int64_t{1} << bits) - 1;
    return shift >= 0 ? offset ^ ((offset >> (base + shift) & mask) << base)
                      : offset ^ ((offset >> base & mask) << (base - shift));
  }
  /// Offsets from a multiple of this one on are permuted among themselves.
  int64_t period() const {
    return int64_t{1} << (bits ? base + bits + (shift < 0 ? -shift : shift) : 0);
  }
  bool operator==(const Swizzle &) const = default;
};

/// The offsets of a layout, permuted.
struct Swizzled {
  Swizzle swizzle;
  ShapeStride layout;
  bool operator==(const Swizzled &) const = default;
};

inline int64_t offsetOf(const Swizzled &s, int64_t index) {
  return s.swizzle(offsetOf(s.layout, index));
}
/// No offset is as large.
inline int64_t cosize(const Swizzled &s) {
  int64_t most = 0;
  const std::vector<Leaf> all = leaves(s.layout);
  for (int64_t i = 0, end = s.swizzle.bits ? size(s.layout) : 0; i < end; ++i)
    most = std::max(most, s.swizzle(offsetOf(all, i)) + 1);
  return s.swizzle.bits ? most : cosize(s.layout);
}
/// "Sw<3,4,3> o (8,64):(64,1)"
std::string text(const Swizzled &s);

} // namespace sluice

// What is known of an integer in every launch, and what operations make of it.
#pragma once

#include "Program/Program.h"

#include <cstdint>

namespace sluice {

/// least <= n <= most, and `multiple` divides n (0: n is 0).
struct IntegerRange {
  int64_t least = INT64_MIN, most = INT64_MAX;
  int64_t multiple = 1;

  static IntegerRange of(int64_t n) { return {n, n, n == INT64_MIN ? 1 : n < 0 ? -n : n}; }
  bool isWithin(int64_t low, int64_t high) const { return low <= least && most <= high; }
  bool fits32() const { return isWithin(INT32_MIN, INT32_MAX); }
  bool contains(int64_t n) const { return least <= n && n <= most; }
  bool operator==(const IntegerRange &) const = default;
};

/// Either of two.
IntegerRange join(const IntegerRange &x, const IntegerRange &y);
/// Both are known.
IntegerRange meet(const IntegerRange &x, const IntegerRange &y);

/// What the virtual machine's arithmetic makes of three operands, those that an operation has not
/// being anything. `overflows` becomes true where 64 bits cannot hold it; the result is then that
/// of the launches where they can.
IntegerRange arithmetic(ScalarOp op, const IntegerRange *operands, bool &overflows);

} // namespace sluice

// What a host computes before a launch, as docs/semantics.md has it: whole numbers of 64 bits.
#pragma once

namespace sluice {

using u64 = unsigned long long;
using i64 = long long;

namespace host {

// Towards zero; 0 for a divisor of 0.

inline i64 quotientOf(i64 a, i64 b) {
  return b == 0 ? 0 : b == -1 ? i64(u64(0) - u64(a)) : a / b;
}
inline i64 remainderOf(i64 a, i64 b) {
  return b == 0 || b == -1 ? 0 : a % b;
}
/// Of any divisor.
inline i64 ceilDiv(i64 a, i64 b) {
  return quotientOf(a, b) + (remainderOf(a, b) != 0 && (a < 0) == (b < 0));
}

// By the lower six bits of b.

inline i64 shiftedLeft(i64 a, i64 b) {
  return i64(u64(a) << (b & 63));
}
inline i64 shiftedRight(i64 a, i64 b) {
  return a >> (b & 63);
}

} // namespace host
} // namespace sluice

// Printed kernels of either kind of core: rings, integers, matrices in tensors.
#pragma once

#include "kernel_operator.h"

namespace sluice {

using i64 = int64_t;

/// Position in a ring of `slots` slots.
template <int slots> struct Cursor {
  int slot = 0;
  int phase = 0; // parity of the rounds

  __aicore__ inline Cursor advance() const {
    return slot + 1 == slots ? Cursor{0, phase ^ 1} : Cursor{slot + 1, phase};
  }
  /// By any number.
  __aicore__ inline Cursor advance(i64 n) const {
    const i64 rest = (n % slots + slots) % slots, to = slot + rest;
    return Cursor{int(to % slots), phase ^ int(((n - rest) / slots + to / slots) & 1)};
  }
};

__aicore__ inline int min(int x, int y) {
  return x < y ? x : y;
}
__aicore__ inline i64 min(i64 x, i64 y) {
  return x < y ? x : y;
}
__aicore__ inline int max(int x, int y) {
  return x < y ? y : x;
}
__aicore__ inline i64 max(i64 x, i64 y) {
  return x < y ? y : x;
}
/// Towards zero; 0 for a divisor of 0, and around the end of the range.
__aicore__ inline int quotient(int x, int y) {
  return y == 0 ? 0 : y == -1 ? int(0u - uint32_t(x)) : x / y;
}
__aicore__ inline i64 quotient(i64 x, i64 y) {
  return y == 0 ? 0 : y == -1 ? i64(uint64_t(0) - uint64_t(x)) : x / y;
}
__aicore__ inline int remainder(int x, int y) {
  return y == 0 || y == -1 ? 0 : x % y;
}
__aicore__ inline i64 remainder(i64 x, i64 y) {
  return y == 0 || y == -1 ? 0 : x % y;
}
/// Rounded up; the divisor is positive.
__aicore__ inline int ceilDiv(int x, int y) {
  return x / y + (x % y > 0);
}
/// Of any divisor.
__aicore__ inline i64 ceilDiv(i64 x, i64 y) {
  return quotient(x, y) + (remainder(x, y) != 0 && (x < 0) == (y < 0));
}

/// The coordinate of a cube core and of its two vector cores, where a kernel has both.
__aicore__ inline int coreOfBlock() {
  if ASCEND_IS_AIV {
    return int(AscendC::GetBlockIdx()) / 2;
  }
  return int(AscendC::GetBlockIdx());
}

/// A matrix in a tensor: `height` lines of `width` elements, `stride` elements from one to the
/// next; `first` is its first element.
struct Matrix {
  i64 first;
  int height, width;
  i64 stride;
};

} // namespace sluice

// Integer arithmetic that C++ leaves undefined, and coordinates of more than 32 bits.
#pragma once

#include <sluice/base.cuh>

namespace sluice {

// Towards zero; 0 for a divisor of 0, and around the end of the range.

__device__ __forceinline__ int quotient(int a, int b) {
  return b == 0 ? 0 : b == -1 ? int(0u - u32(a)) : a / b;
}
__device__ __forceinline__ i64 quotient(i64 a, i64 b) {
  return b == 0 ? 0 : b == -1 ? i64(u64(0) - u64(a)) : a / b;
}

__device__ __forceinline__ int remainder(int a, int b) {
  return b == 0 || b == -1 ? 0 : a % b;
}
__device__ __forceinline__ i64 remainder(i64 a, i64 b) {
  return b == 0 || b == -1 ? 0 : a % b;
}

/// Of any divisor.
__device__ __forceinline__ i64 ceilDiv(i64 a, i64 b) {
  return quotient(a, b) + (remainder(a, b) != 0 && (a < 0) == (b < 0));
}

/// A coordinate in 32 bits, with room for a tile's: far outside of a tensor is outside.
__device__ __forceinline__ int coordinate(i64 x) {
  constexpr i64 least = -(1 << 19), most = 0x7ff00000;
  return int(x < least ? least : x > most ? most : x);
}

/// Where a dimension ends that ends at `end` if not before.
__device__ __forceinline__ int clipped(int extent, i64 end) {
  return end < 0 ? 0 : end < extent ? int(end) : extent;
}

} // namespace sluice

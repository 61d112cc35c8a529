// Words of CUDA C++ that a printed kernel uses, for a compiler of the host. See host_mode.cuh.
#pragma once

#include <algorithm>
#include <cmath>

#define __global__
#define __device__
#define __forceinline__ inline
#define __shared__
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)
#define __cluster_dims__(...)

namespace sluice {
struct HostIndex {
  unsigned x = 0, y = 0, z = 0;
};
} // namespace sluice

/// Of the warp that runs; its first lane stands for all.
inline sluice::HostIndex blockIdx, threadIdx;

using std::max;
using std::min;

namespace sluice {

struct f16;
struct bf16;
/// Data is not followed: every element is 0.
template <class T> float toFloat(T) {
  return 0;
}
template <class T> struct Convert {
  static T from(float) { return T{}; }
  static unsigned pack(float, float) { return 0; }
};
inline float infinity() {
  return HUGE_VALF;
}
inline float exp2Of(float) {
  return 0;
}
inline float erfApprox(float) {
  return 0;
}
inline float tanhApprox(float) {
  return 0;
}
inline float laneXor(float x, int) {
  return x;
}
inline float laneValue(float x, int) {
  return x;
}
inline int laneOfWarp() {
  return 0;
}
inline float __int_as_float(int) {
  return 0;
}

} // namespace sluice

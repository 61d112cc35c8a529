// Words of CUDA C++ that a printed kernel uses, for a compiler of the host. See host_mode.cuh and
// values_machine.cuh.
#pragma once

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>

#define __global__
#define __device__
#define __forceinline__ inline
#define __noinline__
#define __shared__
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)
#define __cluster_dims__(...)

#ifdef SLUICE_HOST
namespace sluice {
struct HostIndex {
  unsigned x = 0, y = 0, z = 0;
};
} // namespace sluice
#endif

/// Of the lane that runs; in host mode the first of a warp stands for all.
inline sluice::HostIndex blockIdx, threadIdx;

using std::max;
using std::min;

inline float __int_as_float(int bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
inline int __float_as_int(float x) {
  int bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline float rsqrtf(float x) {
  return 1 / std::sqrt(x);
}
inline float __fmul_rn(float x, float y) {
  return x * y;
}
/// Towards zero; saturates, 0 of NaN.
inline int __float2int_rz(float x) {
  return x != x ? 0 : x >= 0x1p31f ? INT_MAX : x <= -0x1p31f ? INT_MIN : static_cast<int>(x);
}
inline float __int2float_rz(int x) {
  const float near = float(x);
  return std::fabs(double(near)) > std::fabs(double(x)) ? std::nextafter(near, 0.0f) : near;
}

namespace sluice {

inline float infinity() {
  return HUGE_VALF;
}
inline float exp2Approx(float x) {
  return std::exp2(x);
}
inline float expApprox(float x) {
  return std::exp(x);
}
inline float quotientApprox(float x, float y) {
  return x / y;
}
inline float erfApprox(float x) {
  return std::erf(x);
}
inline float tanhApprox(float x) {
  return std::tanh(x);
}
inline float maximum(float x, float y) {
  return x != x || y != y ? NAN : x > y || (x == y && !std::signbit(x)) ? x : y;
}
inline float minimum(float x, float y) {
  return -maximum(-x, -y);
}
/// As PTX has it: -0 is below 0.
inline float larger(float x, float y) {
  return x != x ? y : y != y ? x : maximum(x, y);
}
#ifdef SLUICE_HOST
inline float laneXor(float x, int) {
  return x;
}
template <class T> T laneValue(T x, int) {
  return x;
}
inline int laneOfWarp() {
  return 0;
}
#endif

} // namespace sluice

#define fmaxf(x, y) sluice::larger(x, y)
#define fminf(x, y) (-sluice::larger(-(x), -(y)))

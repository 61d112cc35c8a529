// Types of elements and the functions of single elements. Arithmetic is in f32; `rounded` brings a
// value to the precision of a 16-bit type. The others here are operands of products, and move only.
#pragma once

#include <sluice/base.cuh>

namespace sluice {

struct f16 {
  u16 bits;
};
struct bf16 {
  u16 bits;
};
/// A number of f32; products ignore its low 13 bits.
struct tf32 {
  float value;
};
struct e4m3 {
  u8 bits;
};
struct e5m2 {
  u8 bits;
};
struct s8 {
  signed char value;
};
template <class T> constexpr bool isFloat8 = isSame<T, e4m3> || isSame<T, e5m2>;

#ifndef SLUICE_HOST

/// PTX ISA "cvt".
__device__ __forceinline__ float toFloat(float x) {
  return x;
}
__device__ __forceinline__ float toFloat(f16 x) {
  float result;
  asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(x.bits));
  return result;
}
__device__ __forceinline__ float toFloat(bf16 x) {
  return __uint_as_float(u32(x.bits) << 16);
}

template <class T> struct Convert;
template <> struct Convert<float> {
  static __device__ __forceinline__ float from(float x) { return x; }
};
template <> struct Convert<int> {
  static __device__ __forceinline__ int from(int x) { return x; }
};
template <> struct Convert<f16> {
  static __device__ __forceinline__ f16 from(float x) {
    f16 result;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result.bits) : "f"(x));
    return result;
  }
  /// `low` in bits 0-15.
  static __device__ __forceinline__ u32 pack(float low, float high) {
    u32 result;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(result) : "f"(high), "f"(low));
    return result;
  }
};
template <> struct Convert<bf16> {
  static __device__ __forceinline__ bf16 from(float x) {
    bf16 result;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result.bits) : "f"(x));
    return result;
  }
  static __device__ __forceinline__ u32 pack(float low, float high) {
    u32 result;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(result) : "f"(high), "f"(low));
    return result;
  }
};

#endif // SLUICE_HOST

template <class T> __device__ __forceinline__ float rounded(float x) {
  return toFloat(Convert<T>::from(x));
}

#ifndef SLUICE_HOST
__device__ __forceinline__ float infinity() {
  return __int_as_float(0x7f800000);
}
#endif

#ifndef SLUICE_HOST

/// PTX ISA "tanh": relative error at most 2^-11, for results of 16 bits.
__device__ __forceinline__ float tanhApprox(float x) {
  float result;
  asm("tanh.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

/// Without a branch, for results of 16 bits: absolute error at most 2e-7. Abramowitz and Stegun,
/// 7.1.26; PTX ISA "rcp", "ex2".
__device__ __forceinline__ float erfApprox(float x) {
  const float a = fabsf(x);
  float t, power;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(t) : "f"(fmaf(a, 0.3275911f, 1.0f)));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(a * a * -1.44269504f));
  float y = fmaf(t, 1.061405429f, -1.453152027f);
  y = fmaf(t, y, 1.421413741f);
  y = fmaf(t, y, -0.284496736f);
  y = fmaf(t, y, 0.254829592f);
  return copysignf(fmaf(-y * t, power, 1.0f), x);
}

/// 2^x; results below 2^-126 become 0. PTX ISA "ex2": at most 2 ulp.
__device__ __forceinline__ float exp2Of(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

#endif // SLUICE_HOST

} // namespace sluice

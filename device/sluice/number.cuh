// Types of elements. Arithmetic is in f32; `rounded` brings a value to the precision of a 16-bit
// type; tiles by whole rows may be of 8 bits too.
#pragma once

#include <sluice/element.cuh>

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
/// A factor of a block: 2^(bits - 127).
struct ue8m0 {
  u8 bits;
};
/// Two numbers of 4 bits (E2M1), the first one in the lower half.
struct e2m1x2 {
  u8 bits;
};
/// Floats of 4 and 6 bits, a byte each where they are counted: packed in tensors, and sixteen of
/// them in front of 16 bytes of shared memory (PTX ISA "Packing formats", .b4x16_p64, .b6x16_p32).
struct e2m1 {
  u8 bits;
};
struct e2m3 {
  u8 bits;
};
struct e3m2 {
  u8 bits;
};
template <class T>
constexpr int packedBits = isSame<T, e2m1>                      ? 4
                           : isSame<T, e2m3> || isSame<T, e3m2> ? 6
                                                                : 0;
template <class T> constexpr bool isFloat8 = isSame<T, e4m3> || isSame<T, e5m2>;

template <class T> struct Convert;

#ifndef SLUICE_HOST
#ifndef SLUICE_VALUES

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

__device__ __forceinline__ float toFloat(s8 x) {
  return float(x.value);
}

/// By way of f16, which has every number of both.
__device__ __forceinline__ float toFloat(e4m3 x) {
  u32 pair;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(pair) : "h"(u16(x.bits)));
  return toFloat(f16{u16(pair)});
}
__device__ __forceinline__ float toFloat(e5m2 x) {
  u32 pair;
  asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(pair) : "h"(u16(x.bits)));
  return toFloat(f16{u16(pair)});
}

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

/// Of two numbers in each half, the larger: as fmaxf has it. PTX ISA "max".
#define SLUICE_OF_PAIRS(name, Type, ptx)                                                           \
  __device__ __forceinline__ u32 name(Type, u32 x, u32 y) {                                        \
    u32 result;                                                                                    \
    asm(ptx " %0, %1, %2;" : "=r"(result) : "r"(x), "r"(y));                                       \
    return result;                                                                                 \
  }
SLUICE_OF_PAIRS(largerOfPairs, f16, "max.f16x2")
SLUICE_OF_PAIRS(largerOfPairs, bf16, "max.bf16x2")
/// The same as `maximum` has it: NaN where either is. PTX ISA "max", ".NaN".
SLUICE_OF_PAIRS(maximumOfPairs, f16, "max.NaN.f16x2")
SLUICE_OF_PAIRS(maximumOfPairs, bf16, "max.NaN.bf16x2")
#undef SLUICE_OF_PAIRS

/// Beyond the largest number, that.
template <> struct Convert<e4m3> {
  static __device__ __forceinline__ e4m3 from(float x) { return {u8(pack(x, 0.0f))}; }
  /// `low` in bits 0-7.
  static __device__ __forceinline__ u32 pack(float low, float high) {
    u16 result;
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(result) : "f"(high), "f"(low));
    return result;
  }
};
template <> struct Convert<e5m2> {
  static __device__ __forceinline__ e5m2 from(float x) { return {u8(pack(x, 0.0f))}; }
  static __device__ __forceinline__ u32 pack(float low, float high) {
    u16 result;
    asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(result) : "f"(high), "f"(low));
    return result;
  }
};

#endif // SLUICE_VALUES
#endif // SLUICE_HOST

} // namespace sluice

#ifdef SLUICE_HOST
#include <sluice/host_number.cuh>
#endif
#ifdef SLUICE_VALUES
#include <sluice/host_number.cuh>
#endif

namespace sluice {

/// What is computed with: integers as they are, else f32.
__device__ __forceinline__ int valueOf(int x) {
  return x;
}
template <class T> __device__ __forceinline__ float valueOf(T x) {
  return toFloat(x);
}

template <class T> __device__ __forceinline__ float rounded(float x) {
  return toFloat(Convert<T>::from(x));
}

} // namespace sluice

// Functions of single elements that CUDA C++ has no word for. What every operation of an element
// function means is written in docs/semantics.md; host mode computes the same.
#pragma once

#include <sluice/base.cuh>

namespace sluice {

// ---- Integers: two's complement, where overflow has no meaning in C++

template <class T> struct Unsigned;
template <> struct Unsigned<int> { using type = u32; };
template <> struct Unsigned<i64> { using type = u64; };
template <class T> using UnsignedOf = typename Unsigned<T>::type;

template <class T> __device__ __forceinline__ T wrapAdd(T a, T b) {
  return T(UnsignedOf<T>(a) + UnsignedOf<T>(b));
}
template <class T> __device__ __forceinline__ T wrapSub(T a, T b) {
  return T(UnsignedOf<T>(a) - UnsignedOf<T>(b));
}
template <class T> __device__ __forceinline__ T wrapMul(T a, T b) {
  return T(UnsignedOf<T>(a) * UnsignedOf<T>(b));
}
/// As a number of i8.
__device__ __forceinline__ int lowByte(int x) {
  return static_cast<signed char>(x);
}

/// Towards zero, the last bit set where that is not exact: what is rounded from it to a type of
/// fewer than 23 bits is x rounded once.
__device__ __forceinline__ float oddFloat(int x) {
  const float below = __int2float_rz(x);
  return __int_as_float(__float_as_int(below) | (static_cast<i64>(below) != x));
}

// ---- Random numbers: Philox4x32-10 (Salmon et al., SC 2011), a block for four columns

struct Halves {
  u32 lower, upper;
};
/// Of the 64 bits of a product. What C++ has of it nvcc 13.0 compiles to one instruction more for
/// each upper half, which adds zero to it.
__device__ __forceinline__ Halves wideProduct(u32 x, u32 y) {
#ifdef SLUICE_HOST
  return {x * y, u32(u64(x) * y >> 32)};
#else
#ifdef SLUICE_VALUES
  return {x * y, u32(u64(x) * y >> 32)};
#else
  Halves halves;
  asm("{\n"
      "  .reg .u64 product;\n"
      "  mul.wide.u32 product, %2, %3;\n"
      "  mov.b64 {%0, %1}, product;\n"
      "}"
      : "=r"(halves.lower), "=r"(halves.upper)
      : "r"(x), "r"(y));
  return halves;
#endif
#endif
}

/// A column is the sum of `parts`, quarters and rest added up apart: the compiler sees that the
/// quarters of neighbours are equal where it does not see it of their sums, and computes their
/// block once.
template <class... Parts>
__device__ __forceinline__ int randomBits(i64 seed0, i64 seed1, i64 stream, i64 row,
                                          Parts... parts) {
  const u32 rest = (u32(0) + ... + (u32(parts) % 4));
  u32 c0 = ((u32(0) + ... + (u32(parts) / 4)) + rest / 4) % (1u << 30);
  u32 c1 = u32(row), c2 = u32(stream), c3 = u32(stream >> 32);
  u32 k0 = u32(seed0), k1 = u32(seed1);
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const Halves even = wideProduct(c0, 0xD2511F53u), odd = wideProduct(c2, 0xCD9E8D57u);
    c0 = odd.upper ^ c1 ^ k0, c1 = odd.lower;
    c2 = even.upper ^ c3 ^ k1, c3 = even.lower;
    k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
  }
  const u32 word = rest % 4;
  return int(word == 0 ? c0 : word == 1 ? c1 : word == 2 ? c2 : c3);
}
/// The upper 24 bits as a number in [0, 1).
template <class... Parts>
__device__ __forceinline__ float randomUniform(i64 seed0, i64 seed1, i64 stream, i64 row,
                                               Parts... parts) {
  return float(u32(randomBits(seed0, seed1, stream, row, parts...)) >> 8) * 0x1p-24f;
}
/// Whether the number that these bits are, a multiple of 2^-24, is at least p: asked of the bits
/// where p is the same for all elements, so that a comparison is all that each costs.
__device__ __forceinline__ bool uniformIsAtLeast(int bits, float p) {
  const float least = ceilf(p * 0x1p24f);
  const u32 from = u32(max(__float2int_rz(least), 0)) << 8;
  return (least < 0x1p24f) & (u32(bits) >= from); // at least NaN none is
}

#ifndef SLUICE_HOST
#ifndef SLUICE_VALUES

__device__ __forceinline__ float infinity() {
  return __int_as_float(0x7f800000);
}

/// NaN where an operand is; -0 is below 0. PTX ISA "max", "min".
__device__ __forceinline__ float maximum(float x, float y) {
  float result;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(x), "f"(y));
  return result;
}
__device__ __forceinline__ float minimum(float x, float y) {
  float result;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(x), "f"(y));
  return result;
}

// ---- Approximations, where the author allows them

/// PTX ISA "tanh": relative error at most 2^-11.
__device__ __forceinline__ float tanhApprox(float x) {
  float result;
  asm("tanh.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

/// Without a branch: absolute error at most 2e-7. Abramowitz and Stegun, 7.1.26; PTX ISA "rcp",
/// "ex2".
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
__device__ __forceinline__ float exp2Approx(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

/// e^x; results below 2^-126 become 0. Relative error at most 2^-21 (1 + |x|).
__device__ __forceinline__ float expApprox(float x) {
  return exp2Approx(x * 1.442695041f);
}
/// x / y: at most 2 ulp where |y| is at most 2^126; beyond it 0, or NaN where x is infinite. PTX
/// ISA "div.approx".
__device__ __forceinline__ float quotientApprox(float x, float y) {
  float result;
  asm("div.approx.f32 %0, %1, %2;" : "=f"(result) : "f"(x), "f"(y));
  return result;
}

#endif // SLUICE_VALUES
#endif // SLUICE_HOST

} // namespace sluice

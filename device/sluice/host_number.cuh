// Numbers of 16 bits in host mode: the conversions of number.cuh, in C++.
#pragma once

namespace sluice {

/// Rounds to nearest even, as the others here.
inline u16 halfBits(float x) {
  const u32 sign = std::signbit(x) ? 0x8000 : 0;
  if (x != x || x - x != 0)
    return u16(x != x ? 0x7fff : sign | 0x7c00);
  const int exponent = std::max(std::ilogb(x), -14);
  const double units = std::nearbyint(std::ldexp(std::fabs(double(x)), 10 - exponent));
  return u16(sign | std::min(u32(exponent + 14) * 1024 + u32(units), 0x7c00u));
}
inline u16 upperBits(float x) {
  const u32 bits = u32(__float_as_int(x));
  return u16(x != x ? 0x7fff : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline float toFloat(f16 x) {
  const int exponent = x.bits >> 10 & 31, digits = x.bits & 1023;
  const float sign = x.bits & 0x8000 ? -1.0f : 1.0f;
  if (exponent == 31)
    return digits ? NAN : sign * HUGE_VALF;
  return sign * std::ldexp(float(exponent ? digits + 1024 : digits), std::max(exponent, 1) - 25);
}
inline float toFloat(bf16 x) {
  return __int_as_float(int(u32(x.bits) << 16));
}
/// Elements of other types are not followed.
template <class T> float toFloat(T) {
  return 0;
}

template <class T> struct Convert {
  static T from(float x) {
    if constexpr (isSame<T, f16>)
      return {halfBits(x)};
    else if constexpr (isSame<T, bf16>)
      return {upperBits(x)};
    else
      return T{};
  }
  static u32 pack(float low, float high) {
    if constexpr (isSame<T, f16> || isSame<T, bf16>)
      return from(low).bits | u32(from(high).bits) << 16;
    else
      return 0;
  }
};

} // namespace sluice

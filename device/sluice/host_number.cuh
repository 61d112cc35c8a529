// Numbers of 16 and 8 bits in host mode: the conversions of number.cuh, in C++.
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

/// Bits of a float of 8 bits, saturating: `mantissa` of them explicit.
inline u8 byteBits(float x, int mantissa, int leastExponent, u32 largest) {
  if (x != x)
    return 0x7f;
  const u32 sign = std::signbit(x) ? 0x80 : 0;
  if (x - x != 0)
    return u8(sign | largest);
  const int exponent = x == 0 ? leastExponent : std::max(std::ilogb(x), leastExponent);
  const double units = std::nearbyint(std::ldexp(std::fabs(double(x)), mantissa - exponent));
  const double bits = double(exponent - leastExponent) * (1 << mantissa) + units;
  return u8(sign | (bits < largest ? u32(bits) : largest));
}
inline float ofByte(u8 bits, int mantissa, int leastExponent) {
  const int exponent = (bits & 0x7f) >> mantissa, digits = bits & ((1 << mantissa) - 1);
  const float size = std::ldexp(float(exponent ? digits + (1 << mantissa) : digits),
                                std::max(exponent, 1) - 1 + leastExponent - mantissa);
  return bits & 0x80 ? -size : size;
}
inline float toFloat(e4m3 x) {
  return (x.bits & 0x7f) == 0x7f ? NAN : ofByte(x.bits, 3, -6);
}
inline float toFloat(e5m2 x) {
  if ((x.bits & 0x7f) >= 0x7c)
    return x.bits & 3 ? NAN : x.bits & 0x80 ? -HUGE_VALF : HUGE_VALF;
  return ofByte(x.bits, 2, -14);
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
inline float toFloat(float x) {
  return x;
}
inline float toFloat(s8 x) {
  return x.value;
}
#ifdef SLUICE_HOST
/// Elements of other types are not followed.
template <class T> float toFloat(T) {
  return 0;
}
#endif

template <class T> struct Convert {
  static T from(float x) {
    if constexpr (isSame<T, f16>)
      return {halfBits(x)};
    else if constexpr (isSame<T, bf16>)
      return {upperBits(x)};
    else if constexpr (isSame<T, e4m3>)
      return {byteBits(x, 3, -6, 0x7e)};
    else if constexpr (isSame<T, e5m2>)
      return {byteBits(x, 2, -14, 0x7b)};
    else if constexpr (isSame<T, float>)
      return x;
    else
      return T{};
  }
  static u32 pack(float low, float high) {
    if constexpr (isSame<T, f16> || isSame<T, bf16>)
      return from(low).bits | u32(from(high).bits) << 16;
    else if constexpr (isFloat8<T>)
      return from(low).bits | u32(from(high).bits) << 8;
    else
      return 0;
  }
};
#ifdef SLUICE_VALUES
template <> struct Convert<int> {
  static int from(int x) { return x; }
};
#endif

template <class T, class Of> u32 ofPairs(u32 x, u32 y, Of &&of) {
  const auto half = [&](int shift) {
    return of(toFloat(T{u16(x >> shift)}), toFloat(T{u16(y >> shift)}));
  };
  return Convert<T>::pack(half(0), half(16));
}
template <class T> u32 largerOfPairs(T, u32 x, u32 y) {
  return ofPairs<T>(x, y, [](float a, float b) { return fmaxf(a, b); });
}
template <class T> u32 maximumOfPairs(T, u32 x, u32 y) {
  return ofPairs<T>(x, y, [](float a, float b) { return maximum(a, b); });
}

} // namespace sluice

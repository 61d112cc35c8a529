// half and bfloat16_t on a host: bits, rounded to nearest even.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace ascendc {

/// The lower 32 bits. The documents do not tell how sums and products beyond them end.
inline int32_t wrapped(int64_t x) {
  return static_cast<int32_t>(static_cast<uint64_t>(x));
}

inline uint32_t bitsOf(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline float floatOf(uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

/// `mantissa` bits behind the point, exponents down to `least`.
inline double rounded(double x, int mantissa, int least) {
  if (x == 0 || !std::isfinite(x))
    return x;
  int exponent;
  std::frexp(x, &exponent);
  const int unit = std::max(exponent - 1, least) - mantissa;
  return std::ldexp(std::nearbyint(std::ldexp(x, -unit)), unit);
}

} // namespace ascendc

struct half {
  uint16_t bits = 0;
  half() = default;
  explicit half(float x) {
    const double r = ascendc::rounded(x, 10, -14);
    const uint16_t sign = std::signbit(x) ? 0x8000 : 0;
    if (std::isnan(x)) {
      bits = 0x7e00;
    } else if (std::fabs(r) >= 65536) {
      bits = sign | 0x7c00;
    } else if (std::fabs(r) < std::ldexp(1, -14)) {
      bits = sign | uint16_t(std::ldexp(std::fabs(r), 24));
    } else {
      int exponent;
      const double fraction = std::frexp(std::fabs(r), &exponent); // 0.5 to 1
      bits = sign | uint16_t((exponent + 14) << 10 | (int(std::ldexp(fraction, 11)) & 0x3ff));
    }
  }
  explicit half(int x) : half(float(x)) {}
  explicit operator float() const {
    static const std::vector<float> all = [] {
      std::vector<float> floats;
      for (uint32_t b = 0; b < 65536; ++b)
        floats.push_back(valueOf(b));
      return floats;
    }();
    return all[bits];
  }

private:
  static float valueOf(uint32_t bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
    const float size = exponent == 31  ? (fraction ? NAN : INFINITY)
                       : exponent == 0 ? std::ldexp(float(fraction), -24)
                                       : std::ldexp(float(fraction + 1024), exponent - 25);
    return bits & 0x8000 ? -size : size;
  }
};

struct bfloat16_t {
  uint16_t bits = 0;
  bfloat16_t() = default;
  explicit bfloat16_t(float x) {
    const uint32_t all = ascendc::bitsOf(x);
    bits = std::isnan(x) ? 0x7fc0 : uint16_t((all + 0x7fff + (all >> 16 & 1)) >> 16);
  }
  explicit bfloat16_t(int x) : bfloat16_t(float(x)) {}
  explicit operator float() const { return ascendc::floatOf(uint32_t(bits) << 16); }
};

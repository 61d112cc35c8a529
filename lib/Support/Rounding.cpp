#include "Support/Rounding.h"

#include <cmath>
#include <limits>

namespace sluice {
namespace {

/// IEEE-like binary format: explicit mantissa bits, exponent of the smallest normal, largest value.
struct Format {
  int mantissa;
  int minExponent;
  double largest;
  bool saturates;
  bool hasNan = true;
};

constexpr Format formatOf(DType type) {
  switch (type) {
  case DType::e2m1:
    return {1, 0, 6, true, false};
  case DType::e2m3:
    return {3, 0, 7.5, true, false};
  case DType::e3m2:
    return {2, -2, 28, true, false};
  case DType::e4m3:
    return {3, -6, 448, true};
  case DType::e5m2:
    return {2, -14, 57344, true};
  case DType::f16:
    return {10, -14, 65504, false};
  case DType::bf16:
    return {7, -126, 3.3895313892515355e38, false};
  case DType::tf32:
    return {10, -126, 3.4011621342146535e38, false};
  default:
    return {23, -126, std::numeric_limits<float>::max(), false};
  }
}

double roundFloat(const Format &f, double value) {
  if (std::isnan(value) && !f.hasNan)
    return f.largest;
  if (!std::isfinite(value))
    return f.saturates && std::isinf(value) ? std::copysign(f.largest, value) : value;
  int exponent = 0;
  std::frexp(value, &exponent); // value = m * 2^exponent, 0.5 <= |m| < 1
  int unit = std::max(exponent - 1, f.minExponent) - f.mantissa;
  double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -unit)), unit);
  if (std::fabs(rounded) <= f.largest)
    return rounded;
  return std::copysign(f.saturates ? f.largest : std::numeric_limits<double>::infinity(), value);
}

/// The power of two below, as cvt.rz does (PTX ISA, "cvt"); the least one of what is less.
double powerBelow(double value) {
  if (std::isnan(value))
    return value;
  if (!(value > 0x1p-127))
    return 0x1p-127;
  return std::ldexp(1.0, std::isinf(value) ? 127 : std::min(std::ilogb(value), 127));
}

double clampRound(double value, double low, double high) {
  if (std::isnan(value))
    return 0;
  return std::fmin(std::fmax(std::nearbyint(value), low), high);
}

} // namespace

double roundTo(DType type, double value) {
  switch (type) {
  case DType::i1:
    return value != 0;
  case DType::ue8m0:
    return powerBelow(value);
  case DType::e2m1x2:
    return clampRound(value, 0, 255);
  case DType::s8:
    return clampRound(value, -128, 127);
  case DType::i32:
    return clampRound(value, -2147483648.0, 2147483647.0);
  case DType::index: // the largest double below 2^63
    return clampRound(value, -0x1p63, 0x1.fffffffffffffp62);
  case DType::f32:
    return static_cast<float>(value);
  default:
    return roundFloat(formatOf(type), value);
  }
}

int64_t truncateTo(DType type, double value) {
  return static_cast<int64_t>(roundTo(type, std::trunc(value)));
}

float roundTo(DType type, float value) {
  if (type == DType::f32)
    return value;
  return static_cast<float>(roundTo(type, static_cast<double>(value)));
}

} // namespace sluice

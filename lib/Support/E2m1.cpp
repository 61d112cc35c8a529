#include "Support/E2m1.h"

#include <cmath>

namespace sluice {

static constexpr std::array<float, 8> sizes = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};

float e2m1Number(uint8_t code) {
  const float size = sizes[code & 7];
  return code & 8 ? -size : size;
}

uint8_t e2m1Code(double value) {
  const double size = std::isnan(value) ? sizes.back() : std::fabs(value);
  uint8_t code = 0;
  while (code < 7) {
    const double middle = (sizes[code] + sizes[code + 1]) / 2;
    if (size < middle || (size == middle && code % 2 == 0))
      break;
    ++code;
  }
  return std::signbit(value) ? code | 8 : code;
}

std::array<float, 2> e2m1Pair(uint8_t byte) {
  return {e2m1Number(byte & 15), e2m1Number(byte >> 4)};
}

uint8_t e2m1Byte(double first, double second) {
  return static_cast<uint8_t>(e2m1Code(first) | e2m1Code(second) << 4);
}

} // namespace sluice

#include "Support/E2m1.h"

#include "Support/PackedFloats.h"
#include "Support/Rounding.h"

namespace sluice {

float e2m1Number(uint8_t code) {
  return static_cast<float>(packedFloat(DType::e2m1, code & 15));
}

uint8_t e2m1Code(double value) {
  return codeOfPackedFloat(DType::e2m1, roundTo(DType::e2m1, value));
}

std::array<float, 2> e2m1Pair(uint8_t byte) {
  return {e2m1Number(byte & 15), e2m1Number(byte >> 4)};
}

uint8_t e2m1Byte(double first, double second) {
  return static_cast<uint8_t>(e2m1Code(first) | e2m1Code(second) << 4);
}

} // namespace sluice

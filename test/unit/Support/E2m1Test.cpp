#include "Support/E2m1.h"

#include "Support/HostTensor.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace sluice {
namespace {

/// OCP Microscaling Formats, E2M1: an exponent of 0 is 1, without the leading bit.
double valueOf(int code) {
  const int exponent = code >> 1 & 3, fraction = code & 1;
  const double size = exponent ? (2 + fraction) * std::exp2(exponent - 2) : fraction * 0.5;
  return code & 8 ? -size : size;
}

TEST(E2m1, EveryCodeIsItsNumber) {
  for (int code = 0; code < 16; ++code) {
    EXPECT_EQ(e2m1Number(uint8_t(code)), valueOf(code)) << code;
    EXPECT_EQ(std::signbit(e2m1Number(uint8_t(code))), code >= 8) << code;
    EXPECT_EQ(e2m1Code(valueOf(code)), code);
  }
}

TEST(E2m1, EveryByteIsTwoNumbersTheLowerHalfFirst) {
  for (int byte = 0; byte < 256; ++byte) {
    const auto [first, second] = e2m1Pair(uint8_t(byte));
    EXPECT_EQ(first, valueOf(byte % 16));
    EXPECT_EQ(second, valueOf(byte / 16));
    EXPECT_EQ(e2m1Byte(first, second), byte);
  }
}

/// Between two numbers the nearer one; halfway the one with an even code.
TEST(E2m1, RoundsToTheNearestEven) {
  for (int code = 0; code < 7; ++code) {
    const double low = valueOf(code), high = valueOf(code + 1), middle = (low + high) / 2;
    for (const int sign : {0, 8}) {
      const double s = sign ? -1 : 1;
      EXPECT_EQ(e2m1Code(s * std::nextafter(middle, 0)), code | sign);
      EXPECT_EQ(e2m1Code(s * std::nextafter(middle, 9)), (code + 1) | sign);
      EXPECT_EQ(e2m1Code(s * middle), (code % 2 ? code + 1 : code) | sign) << middle;
    }
  }
  EXPECT_EQ(e2m1Code(7), 7);
  EXPECT_EQ(e2m1Code(-std::numeric_limits<double>::infinity()), 15);
  EXPECT_EQ(e2m1Code(std::numeric_limits<double>::quiet_NaN()) & 7, 7);
}

TEST(E2m1, AnElementOfATensorIsAByte) {
  EXPECT_EQ(parseDType("e2m1x2"), DType::e2m1x2);
  EXPECT_EQ(name(DType::e2m1x2), "e2m1x2");
  EXPECT_EQ(byteSize(DType::e2m1x2), 1);
  EXPECT_FALSE(isFloat(DType::e2m1x2));
  for (int byte = 0; byte < 256; ++byte) {
    std::byte stored{};
    storeElement(DType::e2m1x2, &stored, byte);
    EXPECT_EQ(int(stored), byte);
    EXPECT_EQ(loadElement(DType::e2m1x2, &stored), byte);
  }
}

} // namespace
} // namespace sluice

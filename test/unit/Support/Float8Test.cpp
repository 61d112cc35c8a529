// Floats of 8 bits, code by code: what each is, and that every real number goes to the nearest,
// ties to even, saturating (PTX ISA, cvt.rn.satfinite).
#include "Support/HostTensor.h"
#include "Support/Rounding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace sluice;

namespace {

double valueOf(DType type, int code) {
  const auto raw = static_cast<std::byte>(code);
  return loadElement(type, &raw);
}

int codeOf(DType type, double value) {
  std::byte raw{0xaa};
  storeElement(type, &raw, value);
  std::byte fast{0x55};
  const auto single = static_cast<float>(value);
  storeElements(type, &single, 1, &fast);
  if (single == value) {
    EXPECT_EQ(raw, fast) << value;
  }
  return static_cast<int>(raw);
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The last finite code of a sign.
int largestCode(DType type) {
  return type == DType::e4m3 ? 0x7e : 0x7b;
}

class Float8 : public testing::TestWithParam<DType> {};

TEST(Float8Formats, Values) { // OCP 8-bit floating point specification, table 1
  EXPECT_EQ(valueOf(DType::e4m3, 0x01), 0x1p-9);
  EXPECT_EQ(valueOf(DType::e4m3, 0x08), 0x1p-6);
  EXPECT_EQ(valueOf(DType::e4m3, 0x38), 1);
  EXPECT_EQ(valueOf(DType::e4m3, 0x7e), 448);
  EXPECT_EQ(valueOf(DType::e5m2, 0x01), 0x1p-16);
  EXPECT_EQ(valueOf(DType::e5m2, 0x04), 0x1p-14);
  EXPECT_EQ(valueOf(DType::e5m2, 0x3c), 1);
  EXPECT_EQ(valueOf(DType::e5m2, 0x7b), 57344);
  EXPECT_EQ(valueOf(DType::e5m2, 0x7c), kInfinity);
  EXPECT_EQ(valueOf(DType::e5m2, 0xfc), -kInfinity);
  EXPECT_TRUE(std::isnan(valueOf(DType::e4m3, 0x7f)) && std::isnan(valueOf(DType::e4m3, 0xff)));
  for (int code : {0x7d, 0x7e, 0x7f, 0xfd, 0xfe, 0xff})
    EXPECT_TRUE(std::isnan(valueOf(DType::e5m2, code))) << code;
}

TEST_P(Float8, EveryFiniteCodeComesBack) {
  for (int sign : {0, 0x80})
    for (int code = 0; code <= largestCode(GetParam()); ++code) {
      const double value = valueOf(GetParam(), sign | code);
      EXPECT_EQ(codeOf(GetParam(), value), sign | code);
      EXPECT_EQ(roundTo(GetParam(), value), value);
      EXPECT_EQ(valueOf(GetParam(), 0x80 ^ sign ^ code), -value);
    }
}

TEST_P(Float8, BetweenTwoCodesTheNearestIsTaken) {
  for (int code = 0; code < largestCode(GetParam()); ++code) {
    const double low = valueOf(GetParam(), code), high = valueOf(GetParam(), code + 1);
    ASSERT_LT(low, high);
    const double middle = (low + high) / 2, little = (high - low) / 1024;
    for (int sign : {0, 0x80}) {
      const double s = sign ? -1 : 1;
      EXPECT_EQ(codeOf(GetParam(), s * middle), sign | (code + code % 2));
      EXPECT_EQ(codeOf(GetParam(), s * (middle - little)), sign | code);
      EXPECT_EQ(codeOf(GetParam(), s * (middle + little)), sign | (code + 1));
    }
  }
}

TEST_P(Float8, WhatIsTooLargeSaturates) {
  const int largest = largestCode(GetParam());
  const double value = valueOf(GetParam(), largest);
  for (double beyond : {value * 1.0001, value * 1.1, value * 4, 1e300, kInfinity}) {
    EXPECT_EQ(codeOf(GetParam(), beyond), largest) << beyond;
    EXPECT_EQ(codeOf(GetParam(), -beyond), 0x80 | largest) << beyond;
  }
  EXPECT_EQ(codeOf(GetParam(), NAN), 0x7f);
}

INSTANTIATE_TEST_SUITE_P(Types, Float8, testing::Values(DType::e4m3, DType::e5m2),
                         [](const auto &info) { return std::string(name(info.param)); });

} // namespace

#include "Support/PackedFloats.h"

#include "Support/HostTensor.h"
#include "Support/Rounding.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace sluice {
namespace {

constexpr DType types[] = {DType::e2m1, DType::e2m3, DType::e3m2};

/// OCP Microscaling Formats, tables of FP4 and FP6: the numbers from 0 on, in the order of codes.
const std::vector<double> &sizesOf(DType type) {
  static const std::vector<double> e2m1 = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  static const std::vector<double> e2m3 = {0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875,
                                           1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875,
                                           2, 2.25,  2.5,  2.75,  3,   3.25,  3.5,  3.75,
                                           4, 4.5,   5,    5.5,   6,   6.5,   7,    7.5};
  static const std::vector<double> e3m2 = {0,   0.0625, 0.125, 0.1875, 0.25, 0.3125, 0.375, 0.4375,
                                           0.5, 0.625,  0.75,  0.875,  1,    1.25,   1.5,   1.75,
                                           2,   2.5,    3,     3.5,    4,    5,      6,     7,
                                           8,   10,     12,    14,     16,   20,     24,    28};
  return type == DType::e2m1 ? e2m1 : type == DType::e2m3 ? e2m3 : e3m2;
}

double stored(DType type, double value) {
  std::byte byte{};
  storeElement(type, &byte, value);
  EXPECT_EQ(int(byte) >> bitsInTensors(type), 0);
  return loadElement(type, &byte);
}

TEST(PackedFloats, EveryCodeIsItsNumber) {
  for (const DType type : types) {
    const std::vector<double> &sizes = sizesOf(type);
    ASSERT_EQ(sizes.size(), size_t{1} << (bitsInTensors(type) - 1));
    for (size_t code = 0; code < 2 * sizes.size(); ++code) {
      const bool negative = code >= sizes.size();
      const double number = negative ? -sizes[code - sizes.size()] : sizes[code];
      EXPECT_EQ(packedFloat(type, uint8_t(code)), number) << name(type) << " " << code;
      EXPECT_EQ(std::signbit(packedFloat(type, uint8_t(code))), negative);
      EXPECT_EQ(codeOfPackedFloat(type, number), code) << name(type);
    }
  }
}

TEST(PackedFloats, RoundsToTheNearestEvenAndSaturates) {
  for (const DType type : types) {
    const std::vector<double> &sizes = sizesOf(type);
    for (size_t code = 0; code + 1 < sizes.size(); ++code) {
      const double low = sizes[code], high = sizes[code + 1], middle = (low + high) / 2;
      for (const double sign : {1.0, -1.0}) {
        EXPECT_EQ(stored(type, sign * std::nextafter(middle, 0)), sign * low);
        EXPECT_EQ(stored(type, sign * std::nextafter(middle, 99)), sign * high);
        EXPECT_EQ(stored(type, sign * middle), sign * (code % 2 ? high : low)) << middle;
      }
    }
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double large : {sizes.back() * 1.5, 1e300, infinity}) {
      EXPECT_EQ(stored(type, large), sizes.back());
      EXPECT_EQ(stored(type, -large), -sizes.back());
    }
    EXPECT_EQ(stored(type, std::numeric_limits<double>::quiet_NaN()), sizes.back());
  }
}

TEST(PackedFloats, LieOneBehindTheOtherTheFirstInTheLowestBits) {
  const std::vector<std::byte> codes = {std::byte{0x21}, std::byte{0x02}, std::byte{0x3f},
                                        std::byte{0x30}};
  EXPECT_EQ(packedBytes(DType::e2m3, codes), // 100001 | 000010 << 6 | 111111 << 12 | 110000 << 18
            (std::vector{std::byte{0xa1}, std::byte{0xf0}, std::byte{0xc3}}));
  const std::vector<std::byte> halves = {std::byte{0x1}, std::byte{0xf}, std::byte{0x8}};
  EXPECT_EQ(packedBytes(DType::e2m1, halves), (std::vector{std::byte{0xf1}, std::byte{0x08}}));
  for (const DType type : types) {
    std::vector<std::byte> all;
    for (int i = 0; i < 1 << bitsInTensors(type); ++i)
      all.push_back(std::byte(i * 29 % (1 << bitsInTensors(type))));
    const std::vector<std::byte> packed = packedBytes(type, all);
    EXPECT_EQ(int64_t(packed.size()), bytesInTensors(type, int64_t(all.size())));
    for (size_t i = 0; i < all.size(); ++i)
      EXPECT_EQ(codeInPacked(type, packed.data(), int64_t(i)), int(all[i])) << name(type) << i;
  }
}

TEST(PackedFloats, HaveAByteInFilesAndFewerBitsInTensors) {
  for (const DType type : types) {
    EXPECT_EQ(byteSize(type), 1);
    EXPECT_TRUE(isPacked(type));
    EXPECT_TRUE(isFloat(type));
    EXPECT_EQ(parseDType(name(type)), type);
  }
  EXPECT_EQ(bytesInTensors(DType::e2m1, 128), 64);
  EXPECT_EQ(bytesInTensors(DType::e3m2, 128), 96);
  EXPECT_EQ(bytesInTensors(DType::f16, 128), 256);
  EXPECT_FALSE(isPacked(DType::e4m3));
  EXPECT_FALSE(isPacked(DType::e2m1x2));
  HostTensor t = HostTensor::dense(DType::e2m3, {2, 128}, 1);
  EXPECT_EQ(t.bytes.size(), 256u);
  EXPECT_EQ(bytesOfDevice(t).size(), 192u);
}

} // namespace
} // namespace sluice

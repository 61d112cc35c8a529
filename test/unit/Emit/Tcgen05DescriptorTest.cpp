// What tcgen05.mma is told in numbers, against the tables of the PTX ISA (9.7.16.4).
#define SLUICE_HOST 1
#include <sluice/tcgen05_descriptor.cuh>

#include <gtest/gtest.h>

#include <cstdint>

namespace sluice {
namespace {

uint32_t bits(uint64_t word, int first, int count) {
  return static_cast<uint32_t>(word >> first & ((uint64_t{1} << count) - 1));
}

TEST(Tcgen05Descriptor, InstructionOfTable42) {
  const uint32_t word = tcgen05Instruction(/*bf16=*/true, /*transposeA=*/false,
                                           /*transposeB=*/true, 128, 208);
  EXPECT_EQ(bits(word, 0, 4), 0u);         // dense, no saturation
  EXPECT_EQ(bits(word, 4, 2), 1u);         // D is F32
  EXPECT_EQ(bits(word, 6, 1), 0u);         // reserved
  EXPECT_EQ(bits(word, 7, 3), 1u);         // A is BF16
  EXPECT_EQ(bits(word, 10, 3), 1u);        // B is BF16
  EXPECT_EQ(bits(word, 13, 2), 0u);        // nothing negated
  EXPECT_EQ(bits(word, 15, 1), 0u);        // A along K
  EXPECT_EQ(bits(word, 16, 1), 1u);        // B along N
  EXPECT_EQ(bits(word, 17, 6), 208u / 8);  // N >> 3
  EXPECT_EQ(bits(word, 23, 1), 0u);        // reserved
  EXPECT_EQ(bits(word, 24, 5), 128u / 16); // M >> 4
  EXPECT_EQ(bits(word, 29, 3), 0u);        // reserved, no shift
}

TEST(Tcgen05Descriptor, TypesAndTranspositions) {
  EXPECT_EQ(bits(tcgen05Instruction(false, false, false, 64, 8), 7, 6), 0u); // F16 both
  EXPECT_EQ(bits(tcgen05Instruction(false, true, false, 64, 8), 15, 2), 1u);
  EXPECT_EQ(bits(tcgen05Instruction(false, false, false, 64, 256), 17, 6), 32u);
}

TEST(Tcgen05Descriptor, SharedMemoryOfTable40) {
  for (const auto &[span, code] : {std::pair(128, 2u), std::pair(64, 4u), std::pair(32, 6u)}) {
    const uint64_t word = uint64_t{tcgen05Upper(8 * span / 16, span)} << 32;
    EXPECT_EQ(bits(word, 32, 14), 8u * span / 16) << span; // stride in units of 16 bytes
    EXPECT_EQ(bits(word, 46, 3), 1u) << span;              // constant 0b001
    EXPECT_EQ(bits(word, 49, 3), 0u) << span;              // base offset
    EXPECT_EQ(bits(word, 52, 1), 0u) << span;              // leading offset is relative
    EXPECT_EQ(bits(word, 53, 8), 0u) << span;              // constant 0
    EXPECT_EQ(bits(word, 61, 3), code) << span;            // swizzle
  }
}

} // namespace
} // namespace sluice

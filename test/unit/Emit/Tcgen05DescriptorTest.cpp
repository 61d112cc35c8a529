// What tcgen05.mma is told in numbers, against the tables of the PTX ISA (9.7.16.4).
#define SLUICE_HOST 1
#include <sluice/tcgen05_descriptor.cuh>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace sluice {
namespace {

uint32_t bits(uint64_t word, int first, int count) {
  return static_cast<uint32_t>(word >> first & ((uint64_t{1} << count) - 1));
}

/// Fields that descriptors of all kinds have.
void expectOperands(uint32_t word, uint32_t a, uint32_t b, bool transposeA, bool transposeB,
                    uint32_t n) {
  EXPECT_EQ(bits(word, 6, 1), 0u); // reserved
  EXPECT_EQ(bits(word, 7, 3), a);
  EXPECT_EQ(bits(word, 10, 3), b);
  EXPECT_EQ(bits(word, 13, 2), 0u); // nothing negated
  EXPECT_EQ(bits(word, 15, 1), uint32_t(transposeA));
  EXPECT_EQ(bits(word, 16, 1), uint32_t(transposeB));
  EXPECT_EQ(bits(word, 17, 6), n >> 3);
}

TEST(Tcgen05Descriptor, InstructionOfTable42) {
  const uint32_t word = tcgen05Instruction(Tcgen05Format::sumsOfF32, Tcgen05Format::bf16,
                                           Tcgen05Format::bf16, /*transposeA=*/false,
                                           /*transposeB=*/true, 128, 208);
  EXPECT_EQ(bits(word, 0, 4), 0u); // dense, no saturation
  EXPECT_EQ(bits(word, 4, 2), 1u); // D is F32
  expectOperands(word, 1, 1, /*transposeA=*/false, /*transposeB=*/true, 208); // BF16
  EXPECT_EQ(bits(word, 23, 1), 0u);                                           // reserved
  EXPECT_EQ(bits(word, 24, 5), 128u / 16);                                    // M >> 4
  EXPECT_EQ(bits(word, 29, 3), 0u);                                           // reserved, no shift
}

TEST(Tcgen05Descriptor, TypesAndTranspositions) {
  using F = Tcgen05Format;
  const auto typesOf = [](uint32_t d, uint32_t a, uint32_t b) {
    const uint32_t word = tcgen05Instruction(d, a, b, false, false, 64, 8);
    return std::array{bits(word, 4, 2), bits(word, 7, 3), bits(word, 10, 3)};
  };
  EXPECT_EQ(typesOf(F::sumsOfF32, F::f16, F::f16), (std::array{1u, 0u, 0u}));
  EXPECT_EQ(typesOf(F::sumsOfF32, F::tf32, F::tf32), (std::array{1u, 2u, 2u}));
  EXPECT_EQ(typesOf(F::sumsOfF32, F::e4m3, F::e5m2), (std::array{1u, 0u, 1u}));
  EXPECT_EQ(typesOf(F::sumsOfF32, F::e2m3, F::e3m2), (std::array{1u, 3u, 4u}));
  EXPECT_EQ(typesOf(F::sumsOfF32, F::e4m3, F::e2m1), (std::array{1u, 0u, 5u}));
  EXPECT_EQ(typesOf(F::sumsOfS32, F::s8, F::s8), (std::array{2u, 1u, 1u}));
  EXPECT_EQ(bits(tcgen05Instruction(1, 0, 0, true, false, 64, 8), 15, 2), 1u);
  EXPECT_EQ(bits(tcgen05Instruction(1, 0, 0, false, false, 64, 256), 17, 6), 32u);
}

/// Bits 15 and 16 of types of 8 bits: Table 42 has them for kind::f8f6f4 and kind::i8 too.
TEST(Tcgen05Descriptor, TransposedOperandsOf8Bits) {
  using F = Tcgen05Format;
  struct Kind {
    uint32_t d, a, b, sums;
  };
  for (const Kind &k :
       {Kind{F::sumsOfF32, F::e4m3, F::e5m2, 1}, Kind{F::sumsOfS32, F::s8, F::s8, 2}})
    for (const bool a : {false, true})
      for (const bool b : {false, true}) {
        const uint32_t word = tcgen05Instruction(k.d, k.a, k.b, a, b, 256, 96);
        EXPECT_EQ(bits(word, 0, 4), 0u); // dense, no saturation
        EXPECT_EQ(bits(word, 4, 2), k.sums);
        expectOperands(word, k.a, k.b, a, b, 96);
        EXPECT_EQ(bits(word, 24, 5), 256u / 16); // of a pair
      }
}

/// Table 40, bits 32 to 63: the distance of groups of 8 rows in bytes, and the code of a swizzle.
void expectSharedMemory(uint32_t upper, uint32_t stride, uint32_t swizzle) {
  const uint64_t word = uint64_t{upper} << 32;
  EXPECT_EQ(bits(word, 32, 14), stride / 16);
  EXPECT_EQ(bits(word, 46, 3), 1u); // constant 0b001
  EXPECT_EQ(bits(word, 49, 3), 0u); // base offset
  EXPECT_EQ(bits(word, 52, 1), 0u); // leading offset is relative
  EXPECT_EQ(bits(word, 53, 8), 0u); // constant 0
  EXPECT_EQ(bits(word, 61, 3), swizzle);
}

TEST(Tcgen05Descriptor, SharedMemoryOfTable40) {
  for (const auto &[span, code] : {std::pair(128, 2u), std::pair(64, 4u), std::pair(32, 6u)})
    expectSharedMemory(tcgen05Upper(8 * span / 16, span), uint32_t(8 * span), code);
  expectSharedMemory(tcgen05UpperOfRows(), 8 * 16, 0); // of factors
}

TEST(Tcgen05Descriptor, InstructionWithFactors) { // the table of kind::mxf8f6f4
  const uint32_t word =
      tcgen05ScaledInstruction(Tcgen05Format::e5m2, Tcgen05Format::e4m3, /*transposeA=*/true,
                               /*transposeB=*/false, 128, 208, /*block=*/3);
  EXPECT_EQ(bits(word, 0, 2), 0u);                                            // reserved
  EXPECT_EQ(bits(word, 2, 1), 0u);                                            // dense
  EXPECT_EQ(bits(word, 3, 1), 0u);                                            // reserved
  EXPECT_EQ(bits(word, 4, 2), 3u);                                            // which factors of B
  expectOperands(word, 1, 0, /*transposeA=*/true, /*transposeB=*/false, 208); // E5M2, E4M3
  EXPECT_EQ(bits(word, 23, 1), 1u);                                           // factors are UE8M0
  EXPECT_EQ(bits(word, 24, 3), 0u);                                           // reserved
  EXPECT_EQ(bits(word, 27, 2), 1u);                                           // M >> 7
  EXPECT_EQ(bits(word, 29, 2), 3u);                                           // which factors of A
  EXPECT_EQ(bits(word, 31, 1), 0u);                                           // reserved
  expectOperands(
      tcgen05ScaledInstruction(Tcgen05Format::e2m1, Tcgen05Format::e2m3, false, false, 128, 208, 0),
      5, 3, false, false, 208); // E2M1, E2M3
  EXPECT_EQ(bits(tcgen05ScaledInstruction(0, 1, false, true, 256, 8, 0), 4, 25),
            bits(1u << 10 | 1u << 16 | 1u << 17 | 1u << 23 | 2u << 27, 4, 25));
}

TEST(Tcgen05Descriptor, InstructionOf4Bits) { // the table of kind::mxf4 and kind::mxf4nvf4
  for (const bool powers : {true, false}) {
    const uint32_t block = powers ? 2 : 0, word = tcgen05Mxf4Instruction(powers, 128, 208, block);
    EXPECT_EQ(bits(word, 0, 2), 0u);                // reserved
    EXPECT_EQ(bits(word, 2, 1), 0u);                // dense
    EXPECT_EQ(bits(word, 3, 1), 0u);                // reserved
    EXPECT_EQ(bits(word, 4, 2), block);             // which factors of B: 0 or 2
    EXPECT_EQ(bits(word, 12, 1), 0u);               // reserved
    expectOperands(word, 1, 1, false, false, 208);  // E2M1
    EXPECT_EQ(bits(word, 23, 1), powers ? 1u : 0u); // factors are UE8M0, or UE4M3
    EXPECT_EQ(bits(word, 24, 3), 0u);               // reserved
    EXPECT_EQ(bits(word, 27, 2), 1u);               // M >> 7
    EXPECT_EQ(bits(word, 29, 2), block);            // which factors of A: 0 or 2
    EXPECT_EQ(bits(word, 31, 1), 0u);               // K = 64
    EXPECT_EQ(bits(tcgen05Mxf4Instruction(powers, 256, 208, block), 27, 2), 2u); // of a pair
  }
}

} // namespace
} // namespace sluice

#include "Program/Philox.h"

#include <gtest/gtest.h>

#include <set>

using namespace sluice;

namespace {

using Words = std::array<uint32_t, 4>;

/// Those that come with the paper's library: zeros, ones, digits of pi.
TEST(Philox, KnownAnswers) {
  constexpr uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, FourColumnsShareABlock) {
  const RandomPlace place{.seed0 = 7, .seed1 = -1, .stream = (int64_t{5} << 32) + 3, .row = 11};
  for (int64_t block = 0; block < 3; ++block) {
    const Words words = philox({uint32_t(block), 11, 3, 5}, {7, 0xffffffff});
    for (int64_t word = 0; word < 4; ++word) {
      RandomPlace at = place;
      at.column = 4 * block + word;
      EXPECT_EQ(randomBits(at), words[word]);
    }
  }
}

/// Of all but the stream the lower 32 bits count.
TEST(Philox, PlacesAreOfThirtyTwoBits) {
  const RandomPlace low{.seed0 = 1, .seed1 = 2, .stream = 3, .row = 4, .column = 5};
  RandomPlace high = low;
  for (int64_t RandomPlace::*of :
       {&RandomPlace::seed0, &RandomPlace::seed1, &RandomPlace::row, &RandomPlace::column})
    high.*of -= int64_t{1} << 32;
  EXPECT_EQ(randomBits(low), randomBits(high));
  high.stream -= int64_t{1} << 32;
  EXPECT_NE(randomBits(low), randomBits(high));
}

TEST(Philox, EveryOperandCounts) {
  std::set<uint32_t> seen;
  RandomPlace place;
  for (int64_t RandomPlace::*of : {&RandomPlace::seed0, &RandomPlace::seed1, &RandomPlace::stream,
                                   &RandomPlace::row, &RandomPlace::column}) {
    seen.insert(randomBits(place));
    place.*of += 1;
  }
  seen.insert(randomBits(place));
  EXPECT_EQ(seen.size(), 6u);
}

TEST(Philox, UniformIsBelowOne) {
  EXPECT_EQ(uniformOf(0), 0.0F);
  EXPECT_EQ(uniformOf(0xff), 0.0F);
  EXPECT_EQ(uniformOf(0x100), 0x1p-24F);
  EXPECT_EQ(uniformOf(0xffffffff), 1 - 0x1p-24F);
}

} // namespace

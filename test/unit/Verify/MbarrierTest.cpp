#include "Ring.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

TEST(Smoke, Ring) {
  EXPECT_EQ(text(ring({}).check()), "proven");
  EXPECT_EQ(ring({}).check().tripCounts, "");
  EXPECT_EQ(text(ring({.initSync = false}).check()), "");
  EXPECT_EQ(text(ring({.initFence = false}).check()), "");
  EXPECT_EQ(text(ring({.release = false}).check()), "");
  EXPECT_EQ(text(ring({.emptyCount = 3}).check()), "");
  EXPECT_EQ(text(ring({.emptyCount = 5}).check()), "");
  EXPECT_EQ(text(ring({.fullCount = 2}).check()), "");
  EXPECT_EQ(text(ring({.bytes = 16384 + 16}).check()), "");
  EXPECT_EQ(text(ring({.bytes = 16384 - 16}).check()), "");
  EXPECT_EQ(text(ring({.producerPhase = 0}).check()), "");
  EXPECT_EQ(text(ring({.waitBeforeRelease = false}).check()), "");
  EXPECT_EQ(text(ring({.fence = false}).check()), "");
  EXPECT_EQ(text(ring({.drain = false}).check()), "");
  EXPECT_EQ(text(ring({.waitBeforeRelease = false, .drain = false}).check()), "");
  EXPECT_EQ(text(ring({.waitFull = false}).check()), "");
  EXPECT_EQ(text(ring({.waitEmpty = false}).check()), "");
}

} // namespace
} // namespace sluice::test

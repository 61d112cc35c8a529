#include "Program/BarrierState.h"

#include <gtest/gtest.h>

using namespace sluice;
using Outcome = MbarrierState::Outcome;

namespace {

TEST(Mbarrier, FreshBarrierPassesParityOne) {
  MbarrierState b;
  EXPECT_EQ(b.init(1), Outcome::ok);
  EXPECT_TRUE(b.passes(1)); // the preceding phase: a producer's first acquire
  EXPECT_FALSE(b.passes(0));
}

TEST(Mbarrier, CompletesWhenArrivalsAndBytesAreIn) {
  MbarrierState b;
  b.init(1);
  EXPECT_EQ(b.arriveExpectTx(256), Outcome::ok);
  EXPECT_EQ(b.completeTx(128), Outcome::ok);
  EXPECT_FALSE(b.passes(0));
  EXPECT_EQ(b.str(), "phase 0, arrivals 1 of 1, bytes 128 of 256");
  EXPECT_EQ(b.completeTx(128), Outcome::completed);
  EXPECT_TRUE(b.passes(0));
  EXPECT_FALSE(b.passes(1));
}

TEST(Mbarrier, BytesMayComeBeforeTheyAreExpected) {
  MbarrierState b;
  b.init(1);
  EXPECT_EQ(b.completeTx(64), Outcome::ok);
  EXPECT_EQ(b.tx(), -64);
  EXPECT_EQ(b.arriveExpectTx(64), Outcome::completed);
}

TEST(Mbarrier, AnnouncementCompletesNothing) {
  MbarrierState b;
  b.init(1);
  EXPECT_EQ(b.completeTx(64), Outcome::ok);
  EXPECT_EQ(b.arrive(), Outcome::ok);
  EXPECT_EQ(b.str(), "phase 0, arrivals 1 of 1, bytes 64 of 0");
  EXPECT_EQ(b.expectTx(64), Outcome::ok);
  EXPECT_EQ(b.phase(), 0);
}

TEST(Mbarrier, SeveralArrivalsAnnounceTogether) {
  MbarrierState b;
  b.init(32);
  EXPECT_EQ(b.completeTx(64), Outcome::ok);
  EXPECT_EQ(b.arriveExpectTx(64, 32), Outcome::completed);
  EXPECT_EQ(b.arriveExpectTx(64, 33), Outcome::overArrival);
}

TEST(Mbarrier, Faults) {
  MbarrierState b;
  EXPECT_EQ(b.arrive(), Outcome::notInitialised);
  EXPECT_EQ(b.init(0), Outcome::badCount);
  EXPECT_EQ(b.init(2), Outcome::ok);
  EXPECT_EQ(b.init(2), Outcome::alreadyValid);
  EXPECT_EQ(b.arrive(3), Outcome::overArrival);
  b.arriveExpectTx(1);
  b.arrive();
  EXPECT_EQ(b.arrive(), Outcome::overArrival); // all arrived, bytes still missing
  EXPECT_EQ(b.expectTx(MbarrierState::maxCount), Outcome::txRange);
}

TEST(Flags, BitAndCounter) {
  FlagState f;
  EXPECT_TRUE(f.set());
  EXPECT_FALSE(f.set());
  f.take();
  EXPECT_FALSE(f.passes());
  CrossFlagState c;
  for (int i = 0; i < 15; ++i)
    EXPECT_TRUE(c.set());
  EXPECT_FALSE(c.set());
}

} // namespace

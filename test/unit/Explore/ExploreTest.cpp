#include "Explore/Explore.h"

#include "Compare.h"
#include "Protocols.h"
#include "Verify/Core.h"
#include "Verify/Ring.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

/// "clean", "bounded", or the rule that the first fault of all interleavings breaks.
std::string explored(Builder b, int64_t maxStates = 1'000'000) {
  b.place();
  return foundIn(explore(b.program, b.launch, {maxStates, {0, 0, 0}, true, 0, false}));
}

std::string ringWith(const std::function<void(RingOptions &)> &bend) {
  RingOptions o;
  o.stages = 2;
  o.trips = 4;
  bend(o);
  return explored(ring(o));
}

std::string coreWith(const std::function<void(CoreOptions &)> &bend) {
  CoreOptions o;
  o.trips = 4;
  bend(o);
  return explored(core(o));
}

TEST(Explore, ProtocolsAreClean) {
  for (int64_t trips : {1, 2, 4}) {
    EXPECT_EQ(explored(readersRing({2, trips, 2})), "clean");
    EXPECT_EQ(explored(changeAndStore({2, trips, 1})), "clean");
    EXPECT_EQ(explored(multicastRing({2, trips, 1})), "clean");
    EXPECT_EQ(explored(copyRing({2, trips, 1})), "clean");
    EXPECT_EQ(explored(handOver({2, trips, 1})), "clean");
  }
}

TEST(Explore, RingsOfAnyLength) {
  for (int64_t stages : {1, 2, 3})
    for (int64_t trips : {0, 1, 2, 4})
      EXPECT_EQ(ringWith([&](RingOptions &o) {
                  o.stages = stages;
                  o.trips = trips;
                }),
                "clean");
}

TEST(Explore, FaultsOfRings) {
  EXPECT_EQ(ringWith([](RingOptions &o) { o.initSync = false; }), "R2");
  EXPECT_EQ(ringWith([](RingOptions &o) { o.initFence = false; }), "R2");
  EXPECT_EQ(ringWith([](RingOptions &o) { o.waitEmpty = false; }), "R7");
  EXPECT_EQ(ringWith([](RingOptions &o) { o.bytes -= 16; }), "R9");
  EXPECT_EQ(ringWith([](RingOptions &o) { o.bytes += 16; }), "R9");
  EXPECT_EQ(ringWith([](RingOptions &o) { o.producerPhase = 0; }), "R9");
  EXPECT_EQ(ringWith([](RingOptions &o) { o.emptyCount = 5; }), "R9");
  EXPECT_EQ(ringWith([](RingOptions &o) { o.emptyCount = 2; }), "R9");
  EXPECT_EQ(ringWith([](RingOptions &o) { o.emptyCount = 3; }), "R14");
  EXPECT_EQ(ringWith([](RingOptions &o) { o.waitFull = false; }), "R21");
  EXPECT_EQ(ringWith([](RingOptions &o) { o.waitBeforeRelease = false; }), "R22");
  EXPECT_EQ(ringWith([](RingOptions &o) { o.fence = false; }), "R25");
}

TEST(Explore, FaultsOfCores) {
  EXPECT_EQ(coreWith([](CoreOptions &) {}), "clean");
  EXPECT_EQ(coreWith([](CoreOptions &o) { o.primed = false; }), "R9");
  EXPECT_EQ(coreWith([](CoreOptions &o) { o.drained = false; }), "R35");
  EXPECT_EQ(coreWith([](CoreOptions &o) { o.credit = false; }), "R32");
  EXPECT_EQ(coreWith([](CoreOptions &o) {
              o.residentLoads = 2;
              o.slots = 3;
            }),
            "R21");
  EXPECT_EQ(coreWith([](CoreOptions &o) {
              o.accumulatorBarrier = false;
              o.n = 16;
            }),
            "R33");
  EXPECT_EQ(coreWith([](CoreOptions &o) { o.id = 9; }), "R24");
}

/// Two warps and a tile in shared memory; `first` and `second` are their parts.
Exploration twoWarps(const std::function<void(Builder &, int tile, int bars)> &first,
                     const std::function<void(Builder &, int tile, int bars)> &second,
                     const ExploreOptions &options = {}) {
  Builder b;
  b.tensor("A", DType::f16, {8, 8});
  b.tensor("C", DType::f16, {8, 8}, true);
  const int tile = b.buffer("t", Space::smem, DType::f16, {8, 8}, Layout::row);
  const int bars = b.barriers("bar", 1);
  b.grid(1);
  b.initAll({{bars, 1}}, 2);
  b.role("first", 0, 1, [&] { first(b, tile, bars); });
  b.role("second", 1, 1, [&] { second(b, tile, bars); });
  b.place();
  return explore(b.program, b.launch, options);
}

void fill(Builder &b, int tile, int) {
  b.emit(Fill{b.tile(tile), 0});
}

void store(Builder &b, int tile) {
  b.emit(TmaStore{b.box(1, {constant(0), constant(0)}, {8, 8}), b.tile(tile)}, Exec::one);
  b.emit(BulkCommit{}, Exec::one);
  b.emit(BulkWait{0, true}, Exec::one);
}

TEST(Explore, TwoWritersRace) {
  const Exploration e = twoWarps(fill, fill);
  EXPECT_EQ(e.rule, "R22");
  EXPECT_EQ(e.fault, "fill at t:8:1 of warp 0 of CTA 0 writes while fill at t:10:1 of warp 1 of "
                     "CTA 0 writes the same bytes");
  EXPECT_FALSE(e.schedule.empty());
}

TEST(Explore, ProxiesSeeWhatIsFenced) {
  for (const bool fence : {false, true}) {
    const Exploration e = twoWarps(
        [&](Builder &b, int tile, int bars) {
          fill(b, tile, bars);
          if (fence)
            b.emit(Fence{Fence::proxyAsync});
          b.emit(WarpSync{});
          b.arrive(bars, {});
        },
        [&](Builder &b, int tile, int bars) {
          b.wait(bars, {}, constant(0));
          store(b, tile);
        });
    EXPECT_EQ(e.rule, fence ? "" : "R23");
  }
}

TEST(Explore, ElectedLaneRunsAhead) {
  for (const bool sync : {false, true}) {
    const Exploration e = twoWarps(
        [&](Builder &b, int tile, int bars) {
          fill(b, tile, bars);
          b.emit(Fence{Fence::proxyAsync});
          if (sync)
            b.emit(WarpSync{});
          store(b, tile);
        },
        [](Builder &, int, int) {});
    EXPECT_EQ(e.rule, sync ? "" : "R22");
  }
}

/// Only the wait keeps the other lanes from filling the tile that the elected one still stores.
TEST(Explore, ConvergenceIsAnAssumption) {
  for (const bool converge : {false, true}) {
    const Exploration e = twoWarps(
        [&](Builder &b, int tile, int bars) {
          fill(b, tile, bars);
          b.emit(Fence{Fence::proxyAsync});
          b.emit(WarpSync{});
          store(b, tile);
          b.wait(bars, {}, constant(1));
          fill(b, tile, bars);
        },
        [](Builder &, int, int) {}, {1000, {0, 0, 0}, converge});
    EXPECT_EQ(e.rule, converge ? "" : "R22");
  }
}

TEST(Explore, LoadThatNobodyWaitsFor) {
  const Exploration e = twoWarps(
      [](Builder &b, int tile, int bars) {
        b.expect(bars, {}, smallTile);
        b.load(b.tile(tile), b.box(0, {constant(0), constant(0)}, {8, 8}), bars, {});
      },
      [](Builder &, int, int) {});
  EXPECT_EQ(e.rule, "R10");
}

TEST(Explore, NamedBarriersOrder) {
  const auto part = [](int parity) {
    return [parity](Builder &b, int tile, int bars) {
      b.sync(1, 2);
      (void)bars;
      if (parity)
        b.sync(2, 2);
      b.emit(Fill{b.tile(tile), double(parity)});
      if (!parity)
        b.sync(2, 2);
    };
  };
  EXPECT_EQ(twoWarps(part(0), part(1)).kind, Exploration::clean);
}

TEST(Explore, Bounded) {
  RingOptions o;
  EXPECT_EQ(explored(ring(o), 100), "bounded");
}

/// Random schedules find what lies beyond the first few states, and nothing in a right program.
TEST(Explore, WalksBeyondTheLimit) {
  RingOptions o;
  o.stages = 2;
  o.trips = 4;
  Builder right = ring(o);
  right.place();
  const ExploreOptions few{10, {0, 0, 0}, true, 100};
  EXPECT_EQ(explore(right.program, right.launch, few).kind, Exploration::bounded);
  o.waitEmpty = false;
  Builder wrong = ring(o);
  wrong.place();
  EXPECT_EQ(explore(wrong.program, wrong.launch, {10}).kind, Exploration::bounded);
  const Exploration e = explore(wrong.program, wrong.launch, few);
  EXPECT_EQ(e.kind, Exploration::faulty);
  EXPECT_GT(e.schedule.size(), 10u);
}

} // namespace
} // namespace sluice::test

// mbarriers, TMA and wgmma: values, hangs, limits, and what races do to values.
#include "Verify/Ring.h"

#include "Simulate/Simulate.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace sluice;
using namespace sluice::test;

namespace {

std::vector<HostTensor> smallInts(const Builder &b) {
  std::vector<HostTensor> all;
  for (size_t i = 0; i < b.program.tensors.size(); ++i)
    all.push_back(HostTensor::dense(b.program.tensors[i].type, b.launch.tensors[i].extents, 1));
  for (HostTensor &t : all)
    for (int64_t i = 0; i < t.extents[0]; ++i)
      for (int64_t j = 0; j < t.extents[1]; ++j)
        t.set({i, j}, double((i * 31 + j * 17) % 11) - 5);
  return all;
}

SimulateResult run(Builder &b, std::vector<HostTensor> &tensors) {
  b.place();
  auto result = simulate(b.program, *findArch("h100"), {}, tensors, {});
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return *result;
}

double product(const std::vector<HostTensor> &t, int64_t i, int64_t j) {
  double sum = 0;
  for (int64_t k = 0; k < t[0].extents[1]; ++k)
    sum += t[0].at({i, k}) * t[1].at({k, j});
  return sum;
}

TEST(Wgmma, ValuesOfARing) {
  for (int64_t trips : {0, 1, 3, 4, 9}) {
    RingOptions o;
    o.trips = trips;
    Builder b = ring(o);
    auto t = smallInts(b);
    auto result = run(b, t);
    ASSERT_FALSE(result.violation) << result.violation->message;
    for (int64_t i = 0; i < 64; i += 3)
      for (int64_t j = 0; j < 64; j += 5)
        EXPECT_EQ(t[2].at({i, j}), product(t, i, j)) << trips;
  }
}

TEST(Wgmma, RaggedEdgesAreZeroOnLoadAndSkippedOnStore) {
  RingOptions o;
  o.trips = 2;
  Builder b = ring(o);
  b.launch.tensors[0] = {{50, 104}, {104, 1}};
  b.launch.tensors[1] = {{104, 40}, {40, 1}};
  b.launch.tensors[2] = {{50, 40}, {40, 1}};
  auto t = smallInts(b);
  auto result = run(b, t);
  ASSERT_FALSE(result.violation) << result.violation->message;
  for (int64_t i = 0; i < 50; ++i)
    for (int64_t j = 0; j < 40; ++j)
      ASSERT_EQ(t[2].at({i, j}), product(t, i, j));
}

TEST(Wgmma, ReadingTheAccumulatorTooEarlyShowsPoisonOrOldValues) {
  RingOptions o;
  o.trips = 1;
  o.waitBeforeRelease = o.drain = false;
  Builder b = ring(o);
  auto t = smallInts(b);
  auto result = run(b, t);
  ASSERT_TRUE(result.violation); // nobody waited for the wgmma
  EXPECT_EQ(result.violation->rule, "R10");
  EXPECT_NE(t[2].at({1, 2}), product(t, 1, 2));
}

TEST(Race, ReadingASlotBeforeItIsFullShowsPoison) {
  RingOptions o;
  o.trips = 2;
  o.waitFull = false;
  Builder b = ring(o);
  auto t = smallInts(b);
  run(b, t);
  EXPECT_TRUE(std::isnan(t[2].at({0, 0})));
}

TEST(Race, RefillingASlotThatIsStillReadShowsPoison) {
  RingOptions o;
  o.stages = 1;
  o.trips = 8;
  o.waitEmpty = false;
  o.release = false;
  Builder b = ring(o);
  auto t = smallInts(b);
  auto result = run(b, t);
  EXPECT_TRUE(result.violation || t[2].at({0, 0}) != product(t, 0, 0));
}

TEST(Hang, NamesAgentsBarriersCountsAndBytes) {
  RingOptions o;
  o.bytes = 20000; // more than the two loads deliver
  Builder b = ring(o);
  auto t = smallInts(b);
  auto result = run(b, t);
  ASSERT_TRUE(result.violation);
  EXPECT_EQ(result.violation->rule, "R9");
  ASSERT_EQ(result.violation->blocked.size(), 5u);
  const Blocked &mma = result.violation->blocked[0];
  EXPECT_EQ(mma.agent, "mma warp 0 of CTA (0)");
  EXPECT_EQ(mma.waitsOn, "full[0] parity 0");
  EXPECT_EQ(mma.state, "phase 0, arrivals 1 of 1, bytes 16384 of 20000");
  EXPECT_EQ(result.violation->blocked[4].waitsOn, "empty[0] parity 0");
}

TEST(Mbarriers, OverArrival) {
  Builder b;
  int done = b.barriers("done", 1);
  b.grid(1);
  b.initAll({{done, 20}}, 1);
  b.role("all", 0, 1, [&] { b.arrive(done, {}, Exec::threads); }); // 32 arrivals
  b.place();
  auto violation = simulateTime(b.program, *findArch("h100"), b.launch, {})->violation;
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->rule, "R7");
  EXPECT_EQ(violation->barrier, "done");
}

/// One load of a 64 x 64 tile into a buffer of `layout` at `offset`, from a tensor of `columns`.
std::optional<Violation> loadOnce(Layout layout, int64_t offset, int64_t columns,
                                  std::vector<int64_t> shape = {64, 64}) {
  Builder b;
  int A = b.tensor("A", DType::f16, {512, columns});
  int a = b.buffer("a", Space::smem, DType::f16, shape, layout);
  int full = b.barriers("full", 1);
  b.grid(1);
  b.initAll({{full, 1}}, 1);
  b.role("load", 0, 1, [&] {
    b.expect(full, {}, shape[0] * shape[1] * 2);
    b.load(b.tile(a), b.box(A, {constant(0), constant(0)}, shape), full, {});
    b.wait(full, {}, constant(0));
  });
  b.place();
  b.program.buffers[a].offset = offset;
  return simulateTime(b.program, *findArch("h100"), b.launch, {})->violation;
}

TEST(TmaLimits, AreViolations) {
  EXPECT_FALSE(loadOnce(Layout::sw128, 1024, 512));
  auto rule = [](std::optional<Violation> v) { return v ? v->message : "none"; };
  EXPECT_NE(rule(loadOnce(Layout::sw128, 128, 512)).find("multiple of 1024"), std::string::npos);
  EXPECT_NE(rule(loadOnce(Layout::row, 64, 512)).find("multiple of 128"), std::string::npos);
  EXPECT_EQ(loadOnce(Layout::row, 64, 512)->rule, "R17");
  EXPECT_NE(rule(loadOnce(Layout::sw128, 0, 300)).find("stride 600"), std::string::npos);
  EXPECT_NE(rule(loadOnce(Layout::sw128, 0, 512, {512, 64})).find("512 elements"),
            std::string::npos);
  EXPECT_NE(rule(loadOnce(Layout::row, 0, 512, {2, 4})).find("8 bytes"), std::string::npos);
}

TEST(Time, TheRingOverlapsLoadsAndProducts) {
  RingOptions o;
  o.trips = 40;
  Builder b = ring(o);
  b.place();
  SimulateOptions options;
  options.timeline = true;
  auto result = simulateTime(b.program, *findArch("h100"), b.launch, options);
  ASSERT_TRUE(result && !result->violation);
  const Timeline &t = result->timeline;
  EXPECT_EQ(t.iterations, 40);
  EXPECT_LT(t.initiationInterval, 0.6 * t.serialInterval);
  EXPECT_GT(t.initiationInterval, 0);
  EXPECT_FALSE(t.stalls.empty());
  o.stages = 1;
  Builder single = ring(o);
  single.place();
  auto slow = simulateTime(single.program, *findArch("h100"), single.launch, options);
  EXPECT_NEAR(slow->timeline.initiationInterval, slow->timeline.serialInterval,
              0.25 * slow->timeline.serialInterval);
  EXPECT_GT(slow->cycles, 2 * result->cycles);
}

} // namespace

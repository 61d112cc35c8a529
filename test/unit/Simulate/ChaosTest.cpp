// Random delays: a program that keeps the rules computes the same, one that breaks them is caught.
#include "QkLoop.h"
#include "Verify/Ring.h"

#include "Simulate/Simulate.h"

#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::test;

namespace {

std::vector<HostTensor> tensorsOf(const Builder &b) {
  std::vector<HostTensor> all;
  for (size_t i = 0; i < b.program.tensors.size(); ++i)
    all.push_back(HostTensor::dense(b.program.tensors[i].type, b.launch.tensors[i].extents, 1));
  for (HostTensor &t : all)
    for (int64_t i = 0; i < t.extents[0]; ++i)
      for (int64_t j = 0; j < t.extents[1]; ++j)
        t.set({i, j}, double((i * 31 + j * 17) % 11) - 5);
  return all;
}

/// Whether the run with this seed is clean and its result is exact.
bool exact(const Builder &b, const std::string &arch, uint64_t seed) {
  auto t = tensorsOf(b);
  SimulateOptions options;
  options.seed = seed;
  options.chaos = 3000;
  auto result = simulate(b.program, *findArch(arch), {}, t, options);
  if (!result || result->violation)
    return false;
  for (int64_t i = 0; i < t[2].extents[0]; i += 5)
    for (int64_t j = 0; j < t[2].extents[1]; j += 7) {
      double sum = 0;
      for (int64_t k = 0; k < t[0].extents[1]; ++k)
        sum += t[0].at({i, k}) * t[1].at({k, j});
      if (t[2].at({i, j}) != sum)
        return false;
    }
  return true;
}

int failures(const Builder &b, const std::string &arch) {
  int n = 0;
  for (uint64_t seed = 0; seed < 12; ++seed)
    n += !exact(b, arch, seed);
  return n;
}

Builder mutant(const std::function<void(RingOptions &)> &bend) {
  RingOptions o;
  o.stages = 2;
  o.trips = 9;
  bend(o);
  Builder b = ring(o);
  b.place();
  return b;
}

TEST(Chaos, CorrectProgramsNeverBreak) {
  EXPECT_EQ(failures(mutant([](RingOptions &) {}), "h100"), 0);
  EXPECT_EQ(failures(qkLoop(5, {1, 2, 2}), "ascend910b2"), 0);
  EXPECT_EQ(failures(qkLoop(5, {2, 1, 1}), "public-a2a3"), 0);
}

TEST(Chaos, MutantsBreak) {
  EXPECT_GT(failures(mutant([](RingOptions &o) { o.waitFull = false; }), "h100"), 0);
  EXPECT_GT(failures(mutant([](RingOptions &o) { o.waitEmpty = false; }), "h100"), 0);
  EXPECT_GT(failures(mutant([](RingOptions &o) { o.waitBeforeRelease = false; }), "h100"), 0);
  EXPECT_GT(failures(mutant([](RingOptions &o) { o.emptyCount = 3; }), "h100"), 0);
  EXPECT_GT(failures(mutant([](RingOptions &o) { o.producerPhase = 0; }), "h100"), 0);
  EXPECT_GT(failures(mutant([](RingOptions &o) { o.bytes = 8192; }), "h100"), 0);
}

/// Two CTAs arrive at each other's barrier, meet and end.
Builder peers(ClusterBarrier::Kind arrival) {
  Builder b;
  b.program.cluster[0] = 2;
  const ValueId cta = b.grid(2);
  const int barrier = b.barriers("b", 1);
  b.initAll({{barrier, 1}}, 1);
  b.emit(ClusterBarrier{ClusterBarrier::sync});
  const ValueId other = b.scalar(ScalarOp::sub, {b.number(1), cta});
  b.emit(MbarrierArrive{Builder::peer(barrier, {}, Index{other, 0}), 1}, Exec::warp);
  b.emit(ClusterBarrier{arrival});
  b.emit(ClusterBarrier{ClusterBarrier::wait});
  b.place();
  return b;
}

/// Runs in which a CTA ends before an arrival has come.
int endedEarly(const Builder &b) {
  int n = 0;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    std::vector<HostTensor> none;
    SimulateOptions options;
    options.seed = seed;
    options.chaos = 3000;
    auto result = simulate(b.program, *findArch("h100"), {}, none, options);
    EXPECT_TRUE(result);
    n += result && result->violation && result->violation->rule == "R10";
  }
  return n;
}

TEST(Chaos, ArrivalsAtPeersHaveComeBehindTheClusterBarrier) {
  EXPECT_EQ(endedEarly(peers(ClusterBarrier::arrive)), 0);
  EXPECT_GT(endedEarly(peers(ClusterBarrier::arriveRelaxed)), 0); // orders no accesses
}

/// TMA brings tile after tile into one slot; four warps copy each to registers, release the slot,
/// and store what they hold.
Builder copied(bool fence) {
  constexpr int64_t trips = 24;
  Builder b;
  const int x = b.tensor("X", DType::f32, {64 * trips, 32});
  const int y = b.tensor("Y", DType::f32, {64 * trips, 32}, true);
  b.grid(1);
  const int slot = b.buffer("slot", Space::smem, DType::f32, {64, 32}, Layout::row);
  const int held = b.buffer("held", Space::reg, DType::f32, {64, 32}, Layout::blocked, 1, "use");
  const int full = b.barriers("full", 1), empty = b.barriers("empty", 1);
  b.initAll({{full, 1}, {empty, 4}}, 5);
  const auto rows = [&](int tensor, Index i) {
    return b.box(tensor, {{b.scalar(ScalarOp::mul, {i.value, b.number(64)}), 0}, {}}, {64, 32});
  };
  b.role("use", 0, 4, [&] {
    b.loop(trips, 1, 0, [&](Index i, Index, Index parity) {
      b.wait(full, {}, parity);
      b.copy(Pipe::none, b.tile(held), b.tile(slot));
      if (fence)
        b.emit(Fence{Fence::proxyAsync});
      b.emit(WarpSync{});
      b.arrive(empty, {});
      b.copy(Pipe::none, rows(y, i), b.tile(held));
    });
  });
  b.role("load", 4, 1, [&] {
    b.loop(trips, 1, 1, [&](Index i, Index, Index parity) {
      b.wait(empty, {}, parity);
      b.expect(full, {}, 64 * 32 * 4);
      b.load(b.tile(slot), rows(x, i), full, {});
    });
  });
  b.place();
  return b;
}

/// Runs in which Y is not what X was.
int overtaken(const Builder &b, bool lateReads) {
  int n = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    auto t = tensorsOf(b);
    const auto before = t[0].bytes;
    SimulateOptions options;
    options.seed = seed;
    options.chaos = 3000;
    options.lateReads = lateReads;
    const auto result = simulate(b.program, *findArch("h100"), {}, t, options);
    EXPECT_TRUE(result && !result->violation);
    n += t[1].bytes != before;
  }
  return n;
}

TEST(Chaos, R39_ARefillOvertakesReadsThatNoFenceOrders) {
  EXPECT_GT(overtaken(copied(false), true), 0);
  EXPECT_EQ(overtaken(copied(false), false), 0);
}

/// Warps read X, then TMA stores ones in its place; what they have read goes to Y.
Builder replaced(bool fence) {
  Builder b;
  const int x = b.tensor("X", DType::f32, {64, 32}, true);
  const int y = b.tensor("Y", DType::f32, {64, 32}, true);
  b.grid(1);
  b.program.warps = 4;
  const int ones = b.buffer("ones", Space::smem, DType::f32, {64, 32}, Layout::row);
  const int held = b.buffer("held", Space::reg, DType::f32, {64, 32}, Layout::blocked);
  b.emit(Fill{b.tile(ones), 1});
  b.emit(Fence{Fence::proxyAsync});
  b.copy(Pipe::none, b.tile(held), b.box(x, {{}, {}}, {64, 32}));
  if (fence)
    b.emit(Fence{Fence::proxyAsyncGlobal});
  b.sync(0, 4);
  b.role("store", 0, 1, [&] {
    b.emit(TmaStore{b.box(x, {{}, {}}, {64, 32}), b.tile(ones)}, Exec::one);
    b.emit(BulkCommit{}, Exec::one);
    b.emit(BulkWait{0, false}, Exec::one);
  });
  b.sync(0, 4);
  b.copy(Pipe::none, b.box(y, {{}, {}}, {64, 32}), b.tile(held));
  b.place();
  return b;
}

TEST(Chaos, R39_AStoreOvertakesReadsOfATensorThatNoFenceOrders) {
  EXPECT_GT(overtaken(replaced(false), true), 0);
  EXPECT_EQ(overtaken(replaced(false), false), 0);
  EXPECT_EQ(overtaken(replaced(true), true), 0);
}

TEST(Chaos, R39_NeverBehindAFence) {
  EXPECT_EQ(overtaken(copied(true), true), 0);
}

} // namespace

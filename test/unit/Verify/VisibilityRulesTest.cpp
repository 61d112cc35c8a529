// R36, and what R23 and R26 say of memory that crosses CTAs: scopes, copies, relaxed barriers.
#include "Builder.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

/// A cluster of two CTAs of one warp: both initialise `bar`, then `body(rank == 0, rank == 1)`, and
/// both stay to the end.
struct Pair : Builder {
  int tensorT, registers, bar;

  Pair() {
    tensorT = tensor("T", DType::f32, {32, 32}, true);
    program.tensors[tensorT].input = true;
    registers = buffer("r", Space::reg, DType::f32, {32, 32}, Layout::blocked, 1, "all");
    bar = barriers("bar", 1);
    program.cluster[0] = 2;
    grid(2);
  }
  void body(const std::function<void()> &first, const std::function<void()> &second) {
    role("all", 0, 1, [&] {
      init(bar, 1);
      emit(Fence{Fence::mbarrierInit}, Exec::one);
      emit(Fill{tile(registers), 0});
      emit(ClusterBarrier{ClusterBarrier::sync});
      const ValueId rank = scalar(ScalarOp::clusterRank);
      const ValueId isFirst = scalar(ScalarOp::eq, {rank, number(0)});
      when(isFirst, first);
      when(rank, second);
      emit(ClusterBarrier{ClusterBarrier::sync});
    });
  }
  void write() { emit(Copy{box(tensorT, {zero, zero}, {32, 32}), tile(registers)}); }
  void read() { emit(Copy{tile(registers), box(tensorT, {zero, zero}, {32, 32})}); }
  void signal(int64_t rank, Scope scope) {
    emit(WarpSync{});
    emit(MbarrierArrive{peer(bar, zero, constant(rank)), 1, scope}, Exec::one);
  }
  void await(Scope scope) { emit(MbarrierWait{at(bar), zero, scope}); }
};

/// CTA 0 writes T by ordinary stores and signals CTA 1, which reads it.
std::string handedOn(Scope arrive, Scope wait) {
  Pair b;
  b.body([&] { b.write(), b.signal(1, arrive); }, [&] { b.await(wait), b.read(); });
  return text(b.check());
}

TEST(VisibilityRules, R36_AcceptsClusterScopeOnBothEnds) {
  EXPECT_EQ(handedOn(Scope::cluster, Scope::cluster), "proven");
}

TEST(VisibilityRules, R36_RefusesCtaScopeBetweenCtas) {
  const std::string refused =
      "R36: copy of all warp 0 of CTA (1) at t:17:1 reads elements of T that copy of all warp 0 of "
      "CTA (0) at t:12:1 wrote before, but what leads from there to here hands on no memory "
      "between CTAs. Give the arrive and the wait that join the two CTAs `scope cluster`, or put a "
      "cluster barrier between";
  EXPECT_EQ(handedOn(Scope::cta, Scope::cta), refused);
  EXPECT_EQ(handedOn(Scope::cluster, Scope::cta), refused);
  EXPECT_EQ(handedOn(Scope::cta, Scope::cluster), refused);
}

TEST(VisibilityRules, R26_AcceptsEndsOfReadsAtCtaScope) {
  Pair b; // an overwrite needs order alone
  b.body([&] { b.read(), b.signal(1, Scope::cta); }, [&] { b.await(Scope::cta), b.write(); });
  EXPECT_EQ(text(b.check()), "proven");
}

TEST(VisibilityRules, R36_AcceptsWhatAThirdAgentHandsOn) {
  Pair b; // CTA 0 -> CTA 1 -> CTA 0: each step of sufficient scope
  b.body([&] { b.write(), b.signal(1, Scope::cluster), b.await(Scope::cluster), b.read(); },
         [&] { b.await(Scope::cluster), b.write(), b.signal(0, Scope::cluster); });
  EXPECT_EQ(text(b.check()), "proven");
}

/// As handedOn, by a cluster barrier.
std::string byClusterBarrier(ClusterBarrier::Kind arrive) {
  Pair b;
  const auto barrier = [&] {
    b.emit(ClusterBarrier{arrive});
    b.emit(ClusterBarrier{ClusterBarrier::wait});
  };
  b.body([&] { b.write(), barrier(); }, [&] { barrier(), b.read(); });
  return rule(b.check());
}

TEST(VisibilityRules, R36_AcceptsAReleasingClusterBarrier) {
  EXPECT_EQ(byClusterBarrier(ClusterBarrier::arrive), "proven");
}

TEST(VisibilityRules, R26_RefusesARelaxedClusterBarrier) {
  EXPECT_EQ(byClusterBarrier(ClusterBarrier::arriveRelaxed), "R26");
}

/// Both CTAs initialise `bar`, meet at a relaxed cluster barrier, and CTA 1 signals CTA 0.
std::string initialised(bool fence) {
  Builder b;
  const int bar = b.barriers("bar", 1);
  b.program.cluster[0] = 2;
  b.grid(2);
  b.role("all", 0, 1, [&] {
    b.init(bar, 1);
    if (fence)
      b.emit(Fence{Fence::mbarrierInit}, Exec::one);
    b.emit(ClusterBarrier{ClusterBarrier::arriveRelaxed});
    b.emit(ClusterBarrier{ClusterBarrier::wait});
    const ValueId rank = b.scalar(ScalarOp::clusterRank);
    b.when(rank, [&] { b.emit(MbarrierArrive{Builder::peer(bar, zero, zero), 1}, Exec::one); });
    b.when(b.scalar(ScalarOp::eq, {rank, b.number(0)}), [&] { b.wait(bar, zero, zero); });
  });
  return rule(b.check());
}

TEST(VisibilityRules, R2_AcceptsARelaxedClusterBarrierAfterTheFence) {
  EXPECT_EQ(initialised(true), "proven");
}

TEST(VisibilityRules, R1_RefusesARelaxedClusterBarrierWithoutTheFence) {
  EXPECT_EQ(initialised(false), "R1");
}

/// Warp 0 stores to s and loads a by TMA; warp 1 waits for the phase of the load and reads s.
/// `arrives`: warp 0 arrives for the phase itself, after its stores.
std::string besideALoad(bool arrives) {
  Builder b;
  const int A = b.tensor("A", DType::f32, {32, 32});
  const int a = b.buffer("a", Space::smem, DType::f32, {32, 32}, Layout::row);
  const int s = b.buffer("s", Space::smem, DType::f32, {32, 32}, Layout::row);
  const int mine = b.buffer("x", Space::reg, DType::f32, {32, 32}, Layout::blocked, 1, "first");
  const int r = b.buffer("r", Space::reg, DType::f32, {32, 32}, Layout::blocked, 1, "second");
  const int full = b.barriers("full", 1);
  b.grid(1);
  b.initAll({{full, 1}}, 2);
  b.role("first", 0, 1, [&] {
    b.emit(Fill{b.tile(mine), 0});
    b.emit(Copy{b.tile(s), b.tile(mine)});
    b.emit(WarpSync{});
    if (arrives)
      b.expect(full, zero, 4096);
    b.load(b.tile(a), b.box(A, {zero, zero}, {32, 32}), full, zero);
  });
  b.role("second", 1, 1, [&] {
    if (!arrives)
      b.expect(full, zero, 4096);
    b.wait(full, zero, zero);
    b.emit(Copy{b.tile(r), b.tile(a)});
    b.emit(Copy{b.tile(r), b.tile(s)});
  });
  return text(b.check());
}

TEST(VisibilityRules, R36_AcceptsStoresBeforeTheArrive) {
  EXPECT_EQ(besideALoad(true), "proven");
}

TEST(VisibilityRules, R36_RefusesStoresThatOnlyTheEndOfALoadFollows) {
  EXPECT_EQ(besideALoad(false),
            "R36: copy of second warp 1 of CTA (0) at t:16:1 reads s (shared memory bytes 4096 to "
            "8191) that copy of first warp 0 of CTA (0) at t:9:1 wrote before, but what leads from "
            "there to here hands on no memory: the end of a copy carries the bytes of that copy "
            "alone. Let an arrive after the write count for the phase too, or put a barrier "
            "between");
}

/// CTA 1 stores to its slot and signals CTA 0, whose multicast overwrites the slot.
std::string overwritten(bool fence) {
  Pair b;
  const int A = b.tensor("A", DType::f32, {32, 32});
  const int s = b.buffer("s", Space::smem, DType::f32, {32, 32}, Layout::row);
  const int full = b.barriers("full", 1);
  b.body(
      [&] {
        b.await(Scope::cta);
        b.emit(TmaLoad{b.tile(s), b.box(A, {zero, zero}, {32, 32}), b.at(full), 2}, Exec::one);
      },
      [&] {
        b.init(full, 1);
        b.emit(Fence{Fence::mbarrierInit}, Exec::one);
        b.expect(full, zero, 4096);
        b.emit(Copy{b.tile(s), b.tile(b.registers)});
        if (fence)
          b.emit(Fence{Fence::proxyAsync});
        b.signal(0, Scope::cta);
        b.wait(full, zero, zero);
        b.emit(Copy{b.tile(b.registers), b.tile(s)});
      });
  return rule(b.check());
}

TEST(VisibilityRules, R23_AcceptsAnOverwriteOrderedAtCtaScope) {
  EXPECT_EQ(overwritten(true), "proven");
}

TEST(VisibilityRules, R23_RefusesAnOverwriteWithoutAFence) {
  EXPECT_EQ(overwritten(false), "R23");
}

/// A warp stores to T, and TMA loads it.
std::string loadedBack(bool fence, Fence::Kind kind) {
  Builder b;
  const int T = b.tensor("T", DType::f32, {32, 32}, true);
  const int s = b.buffer("s", Space::smem, DType::f32, {32, 32}, Layout::row);
  const int r = b.buffer("r", Space::reg, DType::f32, {32, 32}, Layout::blocked, 1, "all");
  const int full = b.barriers("full", 1);
  b.grid(1);
  b.initAll({{full, 1}}, 1);
  b.role("all", 0, 1, [&] {
    b.emit(Fill{b.tile(r), 0});
    b.emit(Copy{b.box(T, {zero, zero}, {32, 32}), b.tile(r)});
    if (fence)
      b.emit(Fence{kind});
    b.emit(WarpSync{});
    b.expect(full, zero, 4096);
    b.load(b.tile(s), b.box(T, {zero, zero}, {32, 32}), full, zero);
    b.wait(full, zero, zero);
    b.emit(Copy{b.tile(r), b.tile(s)});
  });
  return text(b.check());
}

TEST(VisibilityRules, R23_AcceptsALoadOfStoredElementsAfterTheFence) {
  EXPECT_EQ(loadedBack(true, Fence::proxyAsyncGlobal), "proven");
}

TEST(VisibilityRules, R23_RefusesALoadOfStoredElementsWithoutTheFence) {
  const std::string refused =
      "R23: TMA load of all warp 0 of CTA (0) at t:13:1 reads elements of T that copy of all warp "
      "0 of CTA (0) at t:9:1 wrote through the generic proxy, and no fence.proxy.async.global lies "
      "between. Put the fence after the write, before the barrier that publishes it";
  EXPECT_EQ(loadedBack(true, Fence::proxyAsync), refused); // of shared memory alone
}

} // namespace
} // namespace sluice::test

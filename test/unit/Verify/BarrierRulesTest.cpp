// R11 to R13: named barriers, cluster barriers, who executes.
#include "Ring.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

/// `users` warps meet at named barrier 1, said to be for `threads` threads, `times` times.
Builder meet(int users, int64_t threads, int times) {
  Builder b;
  b.grid(1);
  b.program.warps = 4;
  b.role("users", 0, users, [&] {
    for (int i = 0; i < times; ++i)
      b.emit(NamedBarrier{{kNone, 1}, threads});
  });
  b.program.warps = 4;
  return b;
}

TEST(BarrierRules, R11_AcceptsTheCountOfItsWarps) {
  EXPECT_EQ(text(meet(3, 96, 5).check()), "proven");
  EXPECT_EQ(text(meet(4, 0, 2).check()), "proven"); // 0: the whole CTA
}

TEST(BarrierRules, R11_RefusesMoreWarpsThanTheCount) {
  EXPECT_EQ(
      text(meet(3, 64, 2).check()),
      "R11: bar.sync of users warp 2 of CTA (0) at t:4:1 on named barrier 1 is not ordered "
      "after bar.sync of users warp 1 of CTA (0) at t:5:1 of the phase before: more warps use "
      "the barrier than its 64 threads, or a warp arrives twice. Give the count of all warps "
      "that execute it, or another id");
}

TEST(BarrierRules, R9_RefusesFewerWarpsThanTheCount) {
  EXPECT_EQ(text(meet(2, 96, 1).check()),
            "R9: deadlock: users warp 0 of CTA (0) waits at t:4:1 for named barrier 1 (64 of 96 "
            "threads). The count must be 32 times the warps that execute it. 2 of 4 agents are "
            "blocked");
}

/// Three warps meet at a barrier for four; the fourth waits for one of them, having arrived itself.
TEST(BarrierRules, R9_NamesTheBarrierThatTheOthersWaitBehind) {
  Builder b;
  const int done = b.barriers("done", 1);
  b.grid(1);
  b.initAll({{done, 2}}, 4);
  b.role("late", 0, 1, [&] {
    b.arrive(done, {});
    b.wait(done, {}, constant(0));
  });
  b.role("users", 1, 3, [&] {
    b.sync(1, 4);
    b.arrive(done, {});
  });
  EXPECT_EQ(text(b.check()),
            "R9: deadlock: users warp 1 of CTA (0) waits at t:11:1 for named barrier 1 (96 of 128 "
            "threads). The count must be 32 times the warps that execute it. 4 of 4 agents are "
            "blocked");
}

TEST(BarrierRules, R9_NamesACircleThroughANamedBarrier) {
  Builder b;
  const int done = b.barriers("done", 1);
  b.grid(1);
  b.initAll({{done, 1}}, 2);
  b.role("left", 0, 1, [&] {
    b.sync(1, 2);
    b.arrive(done, {});
  });
  b.role("right", 1, 1, [&] {
    b.wait(done, {}, constant(0));
    b.sync(1, 2);
  });
  EXPECT_EQ(text(b.check()),
            "R9: deadlock: left warp 0 of CTA (0) waits at t:8:1 for named barrier 1 (32 of 64 "
            "threads). named barrier 1 would be signalled by bar.sync of right warp 1 of CTA (0) "
            "at t:12:1, which waits for done. done would be signalled by arrive of left warp 0 of "
            "CTA (0) at t:9:1, which waits for named barrier 1. Break the circle: who has not "
            "come yet waits for somebody who has. 2 of 2 agents are blocked");
}

TEST(BarrierRules, NamesTheRoleInsideALoop) {
  Builder b;
  const int done = b.barriers("done", 1);
  b.grid(1);
  b.initAll({{done, 1}}, 1);
  b.loop(2, 1, 0, [&](Index, Index, Index parity) {
    b.role("inner", 0, 1, [&] {
      b.arrive(done, {});
      b.arrive(done, {});
      b.wait(done, {}, parity);
    });
  });
  EXPECT_EQ(text(b.check()),
            "R5: phase 1 of done completes with arrive of inner warp 0 of CTA (0) at t:17:1 "
            "although no wait has found phase 0 complete: every phase must be observed before the "
            "next one is. Wait for each phase, or use a counter");
}

TEST(BarrierRules, R11_RefusesCountsThatDiffer) {
  Builder b;
  b.grid(1);
  b.role("left", 0, 1, [&] { b.emit(NamedBarrier{{kNone, 1}, 64}); });
  b.role("right", 1, 3, [&] { b.emit(NamedBarrier{{kNone, 1}, 128}); });
  EXPECT_EQ(
      text(b.check()),
      "R11: bar.sync of right warp 1 of CTA (0) at t:6:1 on named barrier 1 says 128 threads, "
      "bar.sync of left warp 0 of CTA (0) at t:4:1 says 64. All users of a phase give one count");
}

TEST(BarrierRules, R11_RefusesACountThatIsNoMultipleOf32) {
  EXPECT_EQ(text(meet(2, 48, 1).structure()),
            "R11: bar.sync at t:4:1: named barrier 1 for 48 threads; ids are 0 to 15, counts "
            "multiples of 32 up to the CTA's 128");
}

/// Two warps meet in four rounds at barriers `first`, `first` + 1 and so on.
Builder meetInTurn(int64_t first) {
  Builder b;
  b.grid(1);
  b.role("all", 0, 2, [&] {
    b.count(b.number(4), b.number(0), [&](ValueId i, ValueId) {
      b.emit(NamedBarrier{{i, first}, 64});
    });
  });
  return b;
}

TEST(BarrierRules, R11_FollowsIdsThatAreComputed) {
  EXPECT_EQ(text(meetInTurn(12).check()), "proven");
}

TEST(BarrierRules, R11_RefusesAComputedIdBeyondTheLast) {
  EXPECT_EQ(text(meetInTurn(13).check()),
            "R11: bar.sync of all warp 1 of CTA (0) at t:9:1 uses named barrier 16; a CTA has the "
            "ids 0 to 15");
  EXPECT_EQ(text(meetInTurn(-1).check()),
            "R11: bar.sync of all warp 0 of CTA (0) at t:9:1 uses named barrier -1; a CTA has the "
            "ids 0 to 15");
}

TEST(BarrierRules, R11_RefusesACountBesideAComputedId) {
  Builder b;
  b.role("all", 0, 1, [&] { b.emit(NamedBarrier{{b.number(1), 0}, 48}); });
  EXPECT_EQ(text(b.structure()),
            "R11: bar.sync at t:3:1: named barrier for 48 threads; ids are 0 to 15, counts "
            "multiples of 32 up to the CTA's 32");
}

/// Who waits at a computed id is told with its number, and others are looked for there.
TEST(BarrierRules, R9_NamesAComputedId) {
  Builder b;
  b.grid(1);
  const ValueId two = b.number(2);
  b.role("left", 0, 1, [&] { b.emit(NamedBarrier{{two, 0}, 64}); });
  b.role("right", 1, 1, [&] { b.emit(NamedBarrier{{two, 1}, 64}); });
  EXPECT_EQ(text(b.check()),
            "R9: deadlock: left warp 0 of CTA (0) waits at t:5:1 for named barrier 2 (32 of 64 "
            "threads). The count must be 32 times the warps that execute it. 2 of 2 agents are "
            "blocked");
}

/// A producer that arrives and a consumer that syncs; with `answer`, the other way round too.
Builder handOver(bool answer) {
  Builder b;
  b.grid(1);
  b.role("producer", 0, 1, [&] {
    for (int i = 0; i < 3; ++i) {
      b.emit(NamedBarrier{{kNone, 1}, 64, true});
      if (answer)
        b.emit(NamedBarrier{{kNone, 2}, 64});
    }
  });
  b.role("consumer", 1, 1, [&] {
    for (int i = 0; i < 3; ++i) {
      b.emit(NamedBarrier{{kNone, 1}, 64});
      if (answer)
        b.emit(NamedBarrier{{kNone, 2}, 64, true});
    }
  });
  return b;
}

TEST(BarrierRules, R11_AcceptsArriveAndSync) {
  EXPECT_EQ(text(handOver(true).check()), "proven");
}

TEST(BarrierRules, R11_RefusesAWarpThatArrivesTwiceInAPhase) {
  EXPECT_EQ(
      text(handOver(false).check()),
      "R11: bar.arrive of producer warp 0 of CTA (0) at t:5:1 on named barrier 1 counts a second"
      " time in the phase of bar.arrive of producer warp 0 of CTA (0) at t:4:1: one warp stands for"
      " two. Let it wait once");
}

/// One warp arrives at named barrier 1; the other waits there, or not.
Builder arriveOnly(bool answered) {
  Builder b;
  b.grid(1);
  b.role("producer", 0, 1, [&] { b.emit(NamedBarrier{{kNone, 1}, 64, true}); });
  b.role("consumer", 1, 1, [&] {
    if (answered)
      b.emit(NamedBarrier{{kNone, 1}, 64});
  });
  b.program.warps = 2;
  return b;
}

TEST(BarrierRules, R14_AcceptsANamedBarrierThatIsComplete) {
  EXPECT_EQ(text(arriveOnly(true).check()), "proven");
}

TEST(BarrierRules, R14_RefusesANamedBarrierLeftHalfway) {
  EXPECT_EQ(text(arriveOnly(false).check()),
            "R14: named barrier 1 is left in the middle of a phase (32 of 64 threads); the last to "
            "arrive is bar.arrive of producer warp 0 of CTA (0) at t:4:1. Let somebody wait on it, "
            "or leave the arrive out");
}

Builder cluster(std::vector<ClusterBarrier::Kind> kinds, int64_t grid = 4) {
  Builder b;
  b.program.cluster[0] = 2;
  b.grid(grid);
  b.role("all", 0, 2, [&] {
    for (ClusterBarrier::Kind kind : kinds)
      b.emit(ClusterBarrier{kind});
  });
  return b;
}

TEST(BarrierRules, R12_AcceptsArriveThenWait) {
  using enum ClusterBarrier::Kind;
  EXPECT_EQ(text(cluster({arrive, wait, sync, arriveRelaxed, wait}).check()), "proven");
}

TEST(BarrierRules, R12_RefusesAWaitWithoutAnArrival) {
  EXPECT_EQ(
      text(cluster({ClusterBarrier::wait}).check()),
      "R12: cluster barrier of all warp 0 of CTA (0) at t:4:1 waits without having arrived: it "
      "blocks for ever. Put a cluster arrive before it");
}

TEST(BarrierRules, R12_RefusesTwoArrivals) {
  EXPECT_EQ(text(cluster({ClusterBarrier::arrive, ClusterBarrier::arrive}).check()),
            "R12: cluster barrier of all warp 0 of CTA (0) at t:5:1 arrives twice without a wait "
            "between. Wait first");
}

TEST(BarrierRules, R12_RefusesAGridThatIsNoMultipleOfTheCluster) {
  EXPECT_EQ(
      text(cluster({ClusterBarrier::sync}, 3).check()),
      "R12: the grid has 3 CTAs in dimension 0, the cluster 2: the grid must be a multiple of "
      "the cluster. Pad the grid");
}

Builder executed(Operation op, Exec exec, int firstWarp, int warps) {
  Builder b;
  b.grid(1);
  b.role("r", firstWarp, warps, [&] { b.emit(std::move(op), exec); });
  return b;
}

TEST(BarrierRules, R13_AcceptsWholeWarpgroups) {
  EXPECT_EQ(text(executed(WgmmaFence{}, Exec::threads, 4, 8).structure()), "none");
}

TEST(BarrierRules, R13_RefusesWgmmaByAPartOfAWarpgroup) {
  EXPECT_EQ(text(executed(WgmmaFence{}, Exec::threads, 2, 4).structure()),
            "R13: wgmma.fence at t:4:1: wgmma operations are executed by all threads of whole "
            "warpgroups (4 warps, the first a multiple of 4)");
  EXPECT_EQ(text(executed(WgmmaCommit{}, Exec::one, 0, 4).structure()).substr(0, 3), "R13");
}

TEST(BarrierRules, R13_RefusesABarrierByAnElectedLane) {
  EXPECT_EQ(text(executed(NamedBarrier{{kNone, 1}, 32}, Exec::one, 0, 1).structure()),
            "R13: bar.sync at t:4:1: all threads of a warp execute a barrier, not an elected one");
}

TEST(BarrierRules, R13_RefusesATmaLoadByAllThreads) {
  Builder b = ring({});
  walk(b.program.body, [](const Stmt &s) {
    if (std::holds_alternative<TmaLoad>(s.op))
      const_cast<Stmt &>(s).exec = Exec::threads;
  });
  EXPECT_EQ(
      text(b.structure()),
      "R13: TMA load at t:21:1: one elected thread issues a TMA copy; all threads would issue "
      "it 32 times a warp");
}

/// Sums of the columns of a tile in shared memory.
Builder columnSums(int warps) {
  Builder b;
  const int x = b.buffer("x", Space::smem, DType::f32, {64, 32}, Layout::row);
  const int s = b.buffer("s", Space::smem, DType::f32, {1, 32}, Layout::row);
  b.grid(1);
  b.role("sums", 0, warps, [&] {
    b.emit(Fill{b.tile(x), 1});
    b.emit(WarpSync{});
    b.emit(Reduce{b.tile(s), b.tile(x), 0, 0, ElementOp::add});
  });
  return b;
}

TEST(BarrierRules, R13_AcceptsAFoldOverRowsByOneWarp) {
  EXPECT_EQ(text(columnSums(1).check()), "proven");
}

TEST(BarrierRules, R13_RefusesAFoldOverRowsOfSeveralWarps) {
  EXPECT_EQ(text(columnSums(4).structure()),
            "R13: reduce at t:6:1: a fold over rows (axis 0) crosses the 4 warps that share them, "
            "and each would fold its own; let one warp do it in shared memory");
}

TEST(BarrierRules, R13_RefusesARoleOutsideTheCta) {
  Builder b = executed(WarpSync{}, Exec::threads, 0, 4);
  b.program.warps = 2;
  EXPECT_EQ(text(b.structure()), "R13: role r at t:3:1 has warps 0 to 3; the CTA has 2");
}

} // namespace
} // namespace sluice::test

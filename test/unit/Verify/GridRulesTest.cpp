// R37 and R38: the kernel before, and counters that join the CTAs of a grid.
#include "Builder.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

// ---- R37 ----

/// Roles "load" and "store" touch A and C, tensors of the kernel before; those named wait first.
Builder dependent(bool loadWaits, bool storeWaits) {
  Builder b;
  const int A = b.tensor("A", DType::f32, {32, 32});
  const int C = b.tensor("C", DType::f32, {32, 32}, true);
  b.program.tensors[A].previous = b.program.tensors[C].previous = true;
  const int a = b.buffer("a", Space::smem, DType::f32, {32, 32}, Layout::row);
  const int r = b.buffer("r", Space::reg, DType::f32, {32, 32}, Layout::blocked, 1, "store");
  const int full = b.barriers("full", 1);
  b.grid(1);
  b.initAll({{full, 1}}, 2);
  b.role("load", 0, 1, [&] {
    b.expect(full, zero, 4096);
    if (loadWaits)
      b.emit(GridDependency{});
    b.load(b.tile(a), b.box(A, {zero, zero}, {32, 32}), full, zero);
  });
  b.role("store", 1, 1, [&] {
    b.emit(GridDependency{true});
    if (storeWaits)
      b.emit(GridDependency{});
    b.wait(full, zero, zero);
    b.emit(Copy{b.tile(r), b.tile(a)});
    b.emit(Copy{b.box(C, {zero, zero}, {32, 32}), b.tile(r)});
  });
  return b;
}

TEST(GridRules, R37_AcceptsRolesThatWaitForTheKernelBefore) {
  EXPECT_EQ(text(dependent(true, true).check()), "proven");
}

TEST(GridRules, R37_RefusesALoadBeforeTheWait) {
  EXPECT_EQ(text(dependent(false, true).check()),
            "R37: TMA load of load warp 0 of CTA (0) at t:9:1 touches A, which the kernel before "
            "may still be writing. Put griddepcontrol.wait before it, in this role");
}

TEST(GridRules, R37_RefusesARoleThatReliesOnTheWaitOfAnother) {
  EXPECT_EQ(text(dependent(true, false).check()),
            "R37: copy of store warp 1 of CTA (0) at t:15:1 touches C, which the kernel before may "
            "still be writing. Put griddepcontrol.wait before it, in this role");
}

/// One warp stores to C, which waits for the kernel before in an iteration of a loop.
Builder waitsInALoop(int64_t trips) {
  Builder b;
  const int C = b.tensor("C", DType::f32, {32, 32}, true);
  const int r = b.buffer("r", Space::reg, DType::f32, {32, 32}, Layout::blocked);
  b.program.warps = 1;
  b.grid(1);
  b.emit(Fill{b.tile(r), 0});
  b.emit(Copy{b.box(C, {zero, zero}, {32, 32}), b.tile(r)});
  b.loop(trips, 1, 0, [&](Index, Index, Index) { b.emit(GridDependency{}); });
  return b;
}

TEST(GridRules, R37_AcceptsAWaitWhateverHasBeenDone) {
  const Verdict v = waitsInALoop(2).check();
  EXPECT_EQ(text(v), "proven");
  EXPECT_EQ(
      v.assumptions.front(),
      "kernel-before: kernels before, which may still run, do not write C, nor read of it what "
      "this one writes");
}

TEST(GridRules, R37_RefusesAnEndWithoutAWait) {
  EXPECT_EQ(text(waitsInALoop(0).check()),
            "R37: CTA (0) ends without griddepcontrol.wait: this kernel may end before the one "
            "before it, and the next one then takes both for ended. Put griddepcontrol.wait where "
            "every CTA comes to it");
}

// ---- R38 ----

struct Turns {
  int64_t splits = 3, ctas = 3;
  Scope scope = Scope::gpu;
  bool relaxed = false, coResident = true, waits = true;
  int64_t late = 0;   // a wait asks for its turn plus this
  bool resets = true; // the last split sets the counter back
  bool byTma = false; // the part is read by TMA
  bool fence = true;  // before the add, of global memory
};

/// Split-K with turns: CTA k adds its part to T after CTA k - 1, and gives the turn away.
Builder splitK(const Turns &o) {
  Builder b;
  const int T = b.tensor("T", DType::f32, {32, 32}, true);
  b.program.tensors[T].input = true;
  const int turn = b.tensor("turn", DType::i32, {4}, true);
  const int r = b.buffer("r", Space::reg, DType::f32, {32, 32}, Layout::blocked, 1, "all");
  const int s = b.buffer("s", Space::smem, DType::f32, {32, 32}, Layout::row);
  const int full = b.barriers("full", 1);
  const ValueId split = b.grid(o.ctas);
  const View counter = b.box(turn, {zero}, {1}), part = b.box(T, {zero, zero}, {32, 32});
  b.initAll({{full, 1}}, 1);
  b.role("all", 0, 1, [&] {
    b.emit(Fill{b.tile(r), 1});
    const Index turnOf{b.scalar(ScalarOp::add, {split, b.number(o.late)}), 0};
    if (o.waits)
      b.emit(CounterWait{counter, turnOf, o.scope, o.coResident});
    const ValueId notFirst = b.scalar(ScalarOp::gt, {split, b.number(0)});
    b.when(notFirst, [&] {
      if (!o.byTma)
        return void(b.emit(Copy{b.tile(r), part}));
      b.expect(full, zero, 4096);
      b.load(b.tile(s), part, full, zero);
      b.wait(full, zero, zero);
      b.emit(Copy{b.tile(r), b.tile(s)});
    });
    b.emit(WarpSync{}); // lanes store for each other
    b.emit(Copy{part, b.tile(r)});
    if (o.fence)
      b.emit(Fence{Fence::proxyAsyncGlobal});
    b.emit(WarpSync{});
    const ValueId last = b.scalar(ScalarOp::eq, {split, b.number(o.splits - 1)});
    const ValueId step =
        o.resets ? b.scalar(ScalarOp::select, {last, b.number(1 - o.splits), b.number(1)})
                 : b.number(1);
    b.emit(CounterAdd{counter, {step, 0}, o.scope, o.relaxed}, Exec::one);
  });
  return b;
}

TEST(GridRules, R38_AcceptsTurnsOfSplitK) {
  const Verdict v = splitK({}).check();
  EXPECT_EQ(text(v), "proven");
  EXPECT_EQ(v.tripCounts, "this launch: 0 iterations; the whole grid");
  EXPECT_NE(std::find(v.assumptions.begin(), v.assumptions.end(),
                      "co-resident: the CTAs that add to turn run at the same time"),
            v.assumptions.end());
  EXPECT_NE(std::find(v.assumptions.begin(), v.assumptions.end(),
                      "counters-zero: turn holds zeros at launch"),
            v.assumptions.end());
}

TEST(GridRules, R38_RefusesAWaitForCtasThatMayNotHaveStarted) {
  EXPECT_EQ(text(splitK({.coResident = false}).check()),
            "R38: counter wait of all warp 0 of CTA (1) at t:11:1 waits for counter add of all "
            "warp 0 of CTA (0) at t:25:1 of another CTA, which the hardware need not have started. "
            "Say `co_resident` where the grid is small enough to run at once");
}

TEST(GridRules, R27_RefusesPartsWithoutTurns) {
  EXPECT_EQ(rule(splitK({.waits = false, .resets = false}).check()), "R27");
}

TEST(GridRules, R27_RefusesARelaxedAdd) {
  EXPECT_EQ(rule(splitK({.relaxed = true}).check()), "R27");
}

TEST(GridRules, R36_RefusesCountersOfClusterScopeAcrossTheGrid) {
  EXPECT_EQ(text(splitK({.scope = Scope::cluster}).check()),
            "R36: copy of all warp 0 of CTA (1) at t:15:1 reads elements of T that copy of all "
            "warp 0 of CTA (0) at t:17:1 wrote before, but what leads from there to here hands on "
            "no memory between CTAs. Let the add and the wait of the counter that joins them have "
            "`scope gpu`, and the add release");
}

TEST(GridRules, R9_RefusesATurnThatNeverComes) {
  EXPECT_EQ(text(splitK({.late = 1}).check()),
            "R9: deadlock: all warp 0 of CTA (0) waits at t:11:1 for counter turn[0] >= 1 (at 0). "
            "all warp 0 of CTA (0) would signal counter turn[0] itself, after the wait at t:25:1. "
            "Break the circle: add before waiting. 3 of 3 agents are blocked");
}

TEST(GridRules, R23_AcceptsATmaLoadOfPublishedParts) {
  EXPECT_EQ(text(splitK({.byTma = true}).check()), "proven");
}

TEST(GridRules, R23_RefusesATmaLoadOfPartsWithoutTheFence) {
  EXPECT_EQ(rule(splitK({.byTma = true, .fence = false}).check()), "R23");
}

TEST(GridRules, R24_RefusesCountersOutOfBounds) {
  Builder b = splitK({});
  b.launch.tensors[1].extents = {0};
  EXPECT_EQ(rule(b.check()), "R24");
}

TEST(GridRules, R20_RefusesCountersThatOthersMove) {
  Builder b = splitK({});
  b.program.tensors[1].type = DType::f32;
  EXPECT_EQ(text(b.check()),
            "R20: counter wait at t:11:1: counters are i32, turn has elements of type f32. The "
            "operands of an operation must agree in rank, shape and type");
}

/// Warps 1 and 2 add 1 each after storing; warp 0 waits for `least` and reads what both stored.
Builder arrivals(int64_t least) {
  Builder b;
  const int T = b.tensor("T", DType::f32, {64, 32}, true);
  b.program.tensors[T].input = true;
  const int counts = b.tensor("counts", DType::i32, {1}, true);
  const View counter = b.box(counts, {zero}, {1});
  const int r = b.buffer("r", Space::reg, DType::f32, {32, 32}, Layout::blocked, 1, "use");
  b.grid(1);
  b.role("use", 0, 1, [&] {
    b.emit(CounterWait{counter, constant(least), Scope::cta});
    b.emit(Copy{b.tile(r), b.box(T, {zero, zero}, {32, 32})});
  });
  for (int w = 0; w < 2; ++w) {
    const std::string name = "make" + std::to_string(w);
    const int x = b.buffer(name, Space::reg, DType::f32, {32, 32}, Layout::blocked, 1, name);
    b.role(name, w + 1, 1, [&] {
      b.emit(Fill{b.tile(x), 0});
      b.emit(Copy{b.box(T, {constant(32 * w), zero}, {32, 32}), b.tile(x)});
      b.emit(WarpSync{});
      b.emit(CounterAdd{counter, one, Scope::cta}, Exec::one);
    });
  }
  return b;
}

TEST(GridRules, R38_AcceptsAWaitForAllAdds) {
  EXPECT_EQ(text(arrivals(2).check()), "proven");
}

TEST(GridRules, R38_FollowsNoWaitForOneOfSeveralAdds) {
  EXPECT_EQ(text(arrivals(1).check()),
            "unsupported: the proof follows adds to a counter that are ordered, or that are all "
            "waited for; counter add of make0 warp 1 of CTA (0) at t:10:1 and counter add of make1 "
            "warp 2 of CTA (0) at t:15:1 add to counts[0] in either order, and a wait for a part "
            "of their sum cannot tell which has come");
}

/// All lanes of warp 1 store a row and add 1 each; warp 0 waits for `least` and reads them.
std::string addedByAllLanes(int64_t least) {
  Builder b;
  const int T = b.tensor("T", DType::f32, {32, 32}, true);
  b.program.tensors[T].input = true;
  const int counts = b.tensor("counts", DType::i32, {1}, true);
  const View counter = b.box(counts, {zero}, {1}), rows = b.box(T, {zero, zero}, {32, 32});
  const int r = b.buffer("r", Space::reg, DType::f32, {32, 32}, Layout::blocked, 1, "use");
  const int x = b.buffer("x", Space::reg, DType::f32, {32, 32}, Layout::blocked, 1, "make");
  b.grid(1);
  b.role("use", 0, 1, [&] {
    b.emit(CounterWait{counter, constant(least), Scope::cta});
    b.emit(Copy{b.tile(r), rows});
  });
  b.role("make", 1, 1, [&] {
    b.emit(Fill{b.tile(x), 0});
    b.emit(Copy{rows, b.tile(x)});
    b.emit(CounterAdd{counter, one, Scope::cta});
  });
  return rule(b.check());
}

TEST(GridRules, R38_AcceptsAWaitForEveryLane) {
  EXPECT_EQ(addedByAllLanes(32), "proven");
}

TEST(GridRules, R26_RefusesAWaitForSomeOfTheLanes) {
  EXPECT_EQ(addedByAllLanes(31), "R26");
  EXPECT_EQ(addedByAllLanes(1), "R26");
}

/// The elected lane of warp 1 stores by TMA and adds; then all its lanes add. Warp 0 waits for one.
std::string addedAgain(bool sync) {
  Builder b;
  const int T = b.tensor("T", DType::f32, {32, 32}, true);
  b.program.tensors[T].input = true;
  const int counts = b.tensor("counts", DType::i32, {1}, true);
  const View counter = b.box(counts, {zero}, {1}), rows = b.box(T, {zero, zero}, {32, 32});
  const int r = b.buffer("r", Space::reg, DType::f32, {32, 32}, Layout::blocked, 1, "use");
  const int s = b.buffer("s", Space::smem, DType::f32, {32, 32}, Layout::sw128);
  b.grid(1);
  b.role("use", 0, 1, [&] {
    b.emit(CounterWait{counter, one, Scope::cta});
    b.emit(Copy{b.tile(r), rows});
  });
  b.role("make", 1, 1, [&] {
    b.emit(Fill{b.tile(s), 0});
    b.emit(Fence{Fence::proxyAsync});
    b.emit(WarpSync{});
    b.emit(TmaStore{rows, b.tile(s), false}, Exec::one);
    b.emit(BulkCommit{}, Exec::one);
    b.emit(BulkWait{0, false}, Exec::one);
    b.emit(CounterAdd{counter, one, Scope::cta}, Exec::one);
    if (sync)
      b.emit(WarpSync{});
    b.emit(CounterAdd{counter, one, Scope::cta});
  });
  return rule(b.check());
}

TEST(GridRules, R38_AcceptsAddsOfAllLanesAfterTheElectedLanes) {
  EXPECT_EQ(addedAgain(true), "proven");
}

TEST(GridRules, R26_RefusesAddsOfOtherLanesBeforeTheElectedLanes) {
  EXPECT_EQ(addedAgain(false), "R26");
}

TEST(GridRules, R38_RefusesAWaitThatOneOfSeveralCtasLetsPass) {
  Builder b; // neither of CTAs 1 and 2 is needed, but one of them
  const int counts = b.tensor("counts", DType::i32, {1}, true);
  const View counter = b.box(counts, {zero}, {1});
  const ValueId cta = b.grid(3);
  b.role("all", 0, 1, [&] {
    b.when(b.scalar(ScalarOp::gt, {cta, b.number(0)}), [&] {
      b.emit(CounterAdd{counter, one, Scope::gpu}, Exec::one);
    });
    b.when(b.scalar(ScalarOp::eq, {cta, b.number(0)}), [&] {
      b.emit(CounterWait{counter, one, Scope::gpu});
    });
  });
  EXPECT_EQ(rule(b.check()), "R38");
}

/// A warp raises a counter and lowers it again; another waits for it. `answers`: the first waits
/// for an answer before it lowers.
Builder lowered(bool answers) {
  Builder b;
  const int counts = b.tensor("counts", DType::i32, {2}, true);
  const View asked = b.box(counts, {zero}, {1}), answered = b.box(counts, {one}, {1});
  b.grid(1);
  b.role("asks", 0, 1, [&] {
    b.emit(CounterAdd{asked, one, Scope::cta}, Exec::one);
    if (answers)
      b.emit(CounterWait{answered, one, Scope::cta}, Exec::one);
    b.emit(CounterAdd{asked, constant(-1), Scope::cta}, Exec::one);
  });
  b.role("answers", 1, 1, [&] {
    b.emit(CounterWait{asked, one, Scope::cta}, Exec::one);
    b.emit(CounterAdd{answered, one, Scope::cta}, Exec::one);
  });
  return b;
}

TEST(GridRules, R38_AcceptsACounterLoweredAfterTheAnswer) {
  EXPECT_EQ(text(lowered(true).check()), "proven");
}

TEST(GridRules, R38_RefusesACounterLoweredBeforeTheWaitHasLooked) {
  EXPECT_EQ(rule(lowered(false).check()), "R38");
}

TEST(GridRules, SaysWhichGridsAreNotFollowed) {
  EXPECT_EQ(text(splitK({.splits = 265, .ctas = 265}).check()),
            "unsupported: check a smaller launch: counters join the 265 CTAs of the grid, and the "
            "proof follows 264 at a time at t:25:1");
  Builder b = splitK({.splits = 4, .ctas = 4});
  b.program.cluster[0] = 2;
  EXPECT_EQ(text(b.check()), "unsupported: check a launch of one cluster: counters join the "
                             "clusters of the grid, and the proof follows one at a time at t:25:1");
}

Verdict everyLaunch(const Turns &o) {
  Builder b = splitK(o);
  b.place();
  return prove(b.program, defaultArch(Target::sm_90a), b.launch);
}

TEST(GridRules, TurnsAreProvenForEveryLaunch) {
  EXPECT_TRUE(everyLaunch({}).provenForEveryLaunch());
  EXPECT_TRUE(everyLaunch({.resets = false}).provenForEveryLaunch());
  EXPECT_TRUE(everyLaunch({.byTma = true}).provenForEveryLaunch());
  EXPECT_TRUE(everyLaunch({.splits = 65, .ctas = 65}).provenForEveryLaunch());
}

TEST(GridRules, TurnsWithADefectAreNot) {
  EXPECT_EQ(rule(everyLaunch({.scope = Scope::cluster})), "R36");
  EXPECT_EQ(rule(everyLaunch({.relaxed = true})), "R27");
  EXPECT_EQ(rule(everyLaunch({.coResident = false})), "R38");
  EXPECT_EQ(rule(everyLaunch({.waits = false, .resets = false})), "R27");
  EXPECT_EQ(rule(everyLaunch({.late = 1})), "R9");
  EXPECT_EQ(rule(everyLaunch({.byTma = true, .fence = false})), "R23");
}

} // namespace
} // namespace sluice::test

// R1 to R10 and R14 on a ring between a load warp and a warpgroup, and on smaller programs.
#include "Ring.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

TEST(MbarrierRules, R1_AcceptsABarrierBetweenInitialisationAndUse) {
  EXPECT_EQ(text(ring({}).check()), "proven");
}

TEST(MbarrierRules, R1_RefusesUseThatNothingOrdersAfterTheInitialisation) {
  EXPECT_EQ(
      text(ring({.initSync = false}).check()),
      "R1: wait of mma warp 0 of CTA (0) at t:33:1 uses full[0] before its initialisation is "
      "known there (initialised by mbarrier init of init warp 0 of CTA (0) at t:4:1). Put a CTA"
      " barrier (cluster barrier, for a peer's) between the initialisation and the first use");
}

TEST(MbarrierRules, R2_AcceptsThreadArrivalsWithoutTheFence) {
  Builder b;
  const int bar = b.barriers("bar", 1);
  b.grid(1);
  b.role("init", 0, 1, [&] { b.init(bar, 1); });
  b.program.warps = 2;
  b.sync(0, 2);
  b.role("signal", 0, 1, [&] { b.arrive(bar, zero); });
  b.role("wait", 1, 1, [&] { b.wait(bar, zero, zero); });
  EXPECT_EQ(text(b.check()), "proven");
}

TEST(MbarrierRules, R2_RefusesATmaLoadWithoutTheFence) {
  EXPECT_EQ(
      text(ring({.initFence = false}).check()),
      "R2: TMA load of load warp 4 of CTA (0) at t:20:1 uses full[0], whose initialisation by "
      "mbarrier init of init warp 0 of CTA (0) at t:4:1 no fence makes visible to the async "
      "proxy. Put fence.mbarrier_init after the initialisation, before the barrier that "
      "publishes it");
}

/// Warp 0 initialises `bar`, twice when asked to, invalidating in between or not.
Builder lifetime(int64_t count, bool again, bool inval) {
  Builder b;
  const int bar = b.barriers("bar", 1);
  b.grid(1);
  b.role("one", 0, 1, [&] {
    b.init(bar, count);
    if (inval)
      b.emit(MbarrierInval{b.at(bar), true}, Exec::one);
    if (again)
      b.init(bar, count);
  });
  return b;
}

TEST(MbarrierRules, R3_AcceptsReinitialisationAfterInval) {
  EXPECT_EQ(text(lifetime(1, true, true).check()), "proven");
  EXPECT_EQ(text(lifetime((1 << 20) - 1, false, false).check()), "proven");
}

TEST(MbarrierRules, R3_RefusesReinitialisationOfALiveBarrier) {
  EXPECT_EQ(
      text(lifetime(1, true, false).check()),
      "R3: mbarrier init of one warp 0 of CTA (0) at t:5:1 of bar with count 1: the barrier is "
      "initialised again without mbarrier.inval. Initialise a barrier once, or put "
      "mbarrier.inval before");
}

TEST(MbarrierRules, R3_RefusesCountsOutOfRange) {
  EXPECT_EQ(text(lifetime(0, false, false).check()),
            "R3: mbarrier init of one warp 0 of CTA (0) at t:4:1 of bar with count 0: the arrival "
            "count is not in 1 .. 2^20 - 1. Derive the count from the arrivals of one phase");
  EXPECT_EQ(rule(lifetime(1 << 20, false, false).check()), "R3");
}

/// Warp 1 signals, warps 0 and 2 wait, warp 0 ends the barrier's life; warp 1 begins the next one,
/// perhaps without having met the others in between.
Builder lives(bool meetBetween) {
  Builder b;
  const int bar = b.barriers("bar", 1);
  b.grid(1);
  b.initAll({{bar, 1}}, 3);
  b.role("signal", 1, 1, [&] { b.arrive(bar, zero); });
  b.role("wait", 0, 1, [&] { b.wait(bar, zero, zero); });
  b.role("look", 2, 1, [&] { b.wait(bar, zero, zero); });
  b.sync(0, 3);
  b.role("end", 0, 1, [&] { b.emit(MbarrierInval{Builder::at(bar), true}, Exec::one); });
  if (meetBetween)
    b.sync(0, 3);
  b.role("again", 1, 1, [&] { b.init(bar, 1); });
  return b;
}

TEST(MbarrierRules, R3_AcceptsLivesThatBarriersSeparate) {
  EXPECT_EQ(text(lives(true).check()), "proven");
}

TEST(MbarrierRules, R3_RefusesAnInvalidationThatAWaitMayFollow) {
  Builder b;
  const int bar = b.barriers("bar", 1);
  b.grid(1);
  b.initAll({{bar, 1}}, 3);
  b.role("signal", 2, 1, [&] { b.arrive(bar, zero); });
  b.role("look", 0, 1, [&] { b.wait(bar, zero, zero); });
  b.role("end", 1, 1, [&] {
    b.wait(bar, zero, zero);
    b.emit(MbarrierInval{Builder::at(bar), true}, Exec::one);
  });
  EXPECT_EQ(text(b.check()), "R3: mbarrier inval of end warp 1 of CTA (0) at t:13:1 ends the life "
                             "of bar, but nothing orders it after wait of look warp 0 of CTA (0) "
                             "at t:10:1, which may still look at it. Put a CTA barrier between");
}

TEST(MbarrierRules, R3_RefusesAnInvalidationThatAnArrivalMayFollow) {
  Builder b;
  const int bar = b.barriers("bar", 1);
  b.grid(1);
  b.initAll({{bar, 2}}, 2);
  b.role("signal", 1, 1, [&] { b.arrive(bar, zero); });
  b.role("end", 0, 1, [&] { b.emit(MbarrierInval{Builder::at(bar), true}, Exec::one); });
  EXPECT_EQ(rule(b.check()), "R3");
}

TEST(MbarrierRules, R3_RefusesANextLifeThatMayBeginBeforeTheEnd) {
  EXPECT_EQ(text(lives(false).check()),
            "R3: mbarrier init of again warp 1 of CTA (0) at t:17:1 of bar is not ordered after "
            "mbarrier inval of end warp 0 of CTA (0) at t:15:1: it may be a live barrier still. "
            "Put a CTA barrier between");
}

TEST(MbarrierRules, R4_AcceptsAProducerThatAcquires) {
  EXPECT_EQ(text(ring({.stages = 1, .trips = 5}).check()), "proven");
}

TEST(MbarrierRules, R4_RefusesAProducerThatDoesNotAcquire) {
  EXPECT_EQ(
      text(ring({.waitEmpty = false}).check()),
      "R4: arrive.expect_tx of load warp 4 of CTA (0) at t:19:1 counts for phase 1 of full[0], "
      "but nothing orders it after TMA load of load warp 4 of CTA (0) at t:20:1 of phase 0: it "
      "can slip into that phase. The ring has one slot too few for what runs ahead: load warp 4 of "
      "CTA (0) begins 5 turns of full before it has waited for the end of one, and full has 4 "
      "slots. Wait for phase 0 of full[0] (or for something that follows it) first, or run at most "
      "4 turns ahead");
}

/// All lanes arrive, `waits` wait, all lanes arrive again.
Builder twiceByAllLanes(Exec waits) {
  Builder b;
  const int bars = b.barriers("bar", 1);
  b.grid(1);
  b.initAll({{bars, 32}}, 1);
  b.role("r", 0, 1, [&] {
    b.arrive(bars, {}, Exec::threads);
    b.wait(bars, {}, constant(0), waits);
    b.arrive(bars, {}, Exec::threads);
    b.wait(bars, {}, constant(1));
  });
  return b;
}

TEST(MbarrierRules, R4_AcceptsLanesThatAllWaited) {
  EXPECT_EQ(text(twiceByAllLanes(Exec::threads).check()), "proven");
}

TEST(MbarrierRules, R4_RefusesLanesThatDidNotWait) {
  EXPECT_EQ(rule(twiceByAllLanes(Exec::one).check()), "R4");
}

/// cp.async operations arrive when they have ended; then the warp arrives itself.
Builder afterCopies(bool waits) {
  Builder b;
  const int A = b.tensor("A", DType::f16, {8, 8});
  const int t = b.buffer("t", Space::smem, DType::f16, {8, 8}, Layout::row);
  const int bars = b.barriers("bar", 1);
  b.grid(1);
  b.initAll({{bars, 32}}, 1);
  b.role("r", 0, 1, [&] {
    b.emit(Copy{b.tile(t), b.box(A, {constant(0), constant(0)}, {8, 8}), true});
    b.emit(CpAsyncArrive{Builder::at(bars), true});
    b.emit(CpAsyncCommit{});
    b.emit(CpAsyncWait{0});
    if (waits)
      b.wait(bars, {}, constant(0));
    b.arrive(bars, {}, Exec::threads);
    b.wait(bars, {}, constant(1));
  });
  return b;
}

TEST(MbarrierRules, R4_AcceptsAnArrivalAfterThoseOfCopies) {
  EXPECT_EQ(text(afterCopies(true).check()), "proven");
}

TEST(MbarrierRules, R4_RefusesAnArrivalBeforeThoseOfCopies) {
  EXPECT_EQ(rule(afterCopies(false).check()), "R4");
}

TEST(MbarrierRules, R4_AcceptsAProducerThatNeedsNoAcquire) {
  EXPECT_EQ(text(ring({.stages = 4, .trips = 4, .waitEmpty = false}).check()), "proven");
}

TEST(MbarrierRules, R5_RefusesAReleaseCountedTooLow) {
  // The fourth warp may fall two phases behind the other three.
  EXPECT_EQ(
      text(ring({.emptyCount = 3}).check()),
      "R5: wait of mma warp 3 of CTA (0) at t:34:1 for phase 2 of full[0] passes one phase "
      "early: it does not know arrive.expect_tx of load warp 4 of CTA (0) at t:20:1 of phase 1,"
      " and the parity of two phases before looks the same. Wait for every phase in turn, or "
      "take the parity from the ring's cursor");
}

/// A signal between two warps over `phases` phases; the receiver answers or not.
Builder pingPong(int phases, bool answer) {
  Builder b;
  const int ping = b.barriers("ping", 1), pong = b.barriers("pong", 1);
  b.grid(1);
  b.initAll({{ping, 1}, {pong, 1}}, 2);
  b.role("left", 0, 1, [&] {
    for (int i = 0; i < phases; ++i) {
      b.arrive(ping, zero);
      if (answer)
        b.wait(pong, zero, constant(i % 2), Exec::one);
    }
  });
  b.role("right", 1, 1, [&] {
    for (int i = 0; i < phases; ++i) {
      b.wait(ping, zero, constant(i % 2), Exec::one);
      if (answer)
        b.arrive(pong, zero);
    }
  });
  return b;
}

TEST(MbarrierRules, R5_AcceptsAWaiterThatAnswers) {
  EXPECT_EQ(text(pingPong(5, true).check()), "proven");
}

TEST(MbarrierRules, R5_RefusesAFirstWaitThatMayComeTooLate) {
  Builder b;
  const int bar = b.barriers("bar", 1);
  b.grid(1);
  b.initAll({{bar, 1}}, 2);
  b.role("waiter", 1, 1, [&] { b.wait(bar, zero, one, Exec::one); }); // passes when it is early
  b.role("signaller", 0, 1, [&] { b.arrive(bar, zero); });
  EXPECT_EQ(text(b.check()),
            "R5: phase 0 of bar completes with arrive of signaller warp 0 of CTA (0) at t:10:1 "
            "although wait of waiter warp 1 of CTA (0) at t:8:1 may come later: it would then find "
            "the fresh barrier gone and block. The waiter must be known to one of the arrivals of "
            "phase 0");
}

TEST(MbarrierRules, R5_RefusesAPhaseThatNobodyFinds) {
  EXPECT_EQ(
      text(pingPong(2, false).check()),
      "R5: phase 1 of ping completes with arrive of left warp 0 of CTA (0) at t:10:1 although "
      "no wait has found phase 0 complete: every phase must be observed before the next one "
      "is. Wait for each phase, or use a counter");
}

TEST(MbarrierRules, R5_RefusesAWaitOnAPeersBarrier) {
  Builder b;
  const int bar = b.barriers("bar", 1);
  b.program.cluster[0] = 2;
  b.grid(2);
  b.role("one", 0, 1, [&] {
    b.init(bar, 1);
    b.emit(Fence{Fence::mbarrierInit}, Exec::one);
    b.emit(ClusterBarrier{ClusterBarrier::sync});
    b.emit(MbarrierWait{Builder::peer(bar, zero, one), one}, Exec::one);
    b.emit(ClusterBarrier{ClusterBarrier::sync});
  });
  EXPECT_EQ(
      text(b.check()),
      "R5: wait of one warp 0 of CTA (0) at t:7:1 names a barrier of another CTA: "
      "mbarrier.try_wait takes one of the own CTA only. Wait on a local barrier that the peer "
      "signals");
}

/// Warp 1 announces the bytes of a load that warp 0 issues and arrives for.
Builder announcedBy(bool ordered) {
  Builder b;
  const int A = b.tensor("A", DType::f16, {64, 64});
  const int a = b.buffer("a", Space::smem, DType::f16, {64, 64}, Layout::sw128);
  const int full = b.barriers("full", 1), told = b.barriers("told", 1);
  b.grid(1);
  b.initAll({{full, 1}, {told, 1}}, 2);
  b.role("teller", 1, 1, [&] {
    b.emit(MbarrierExpectTx{b.at(full), constant(8192)}, Exec::one);
    b.arrive(told, zero);
    b.wait(full, zero, zero);
  });
  b.role("loader", 0, 1, [&] {
    if (ordered)
      b.wait(told, zero, zero, Exec::one);
    b.load(b.tile(a), b.box(A, {zero, zero}, {64, 64}), full, zero);
    b.arrive(full, zero);
    if (!ordered)
      b.wait(told, zero, zero, Exec::one);
    b.wait(full, zero, zero);
  });
  return b;
}

TEST(MbarrierRules, R6_AcceptsBytesAnnouncedBeforeTheArrival) {
  EXPECT_EQ(text(announcedBy(true).check()), "proven");
}

TEST(MbarrierRules, R6_RefusesBytesThatMayBeAnnouncedTooLate) {
  EXPECT_EQ(
      text(announcedBy(false).check()),
      "R6: phase 0 of full may complete before expect_tx of teller warp 1 of CTA (0) at t:9:1 "
      "announces its bytes: no arrival of the phase is ordered after it. Use arrive.expect_tx, "
      "or put the expect_tx before an arrival of the same thread");
}

/// Two warps arrive on a barrier of `count` whose bytes come from warp 1 alone.
Builder twoArrivals(int64_t count) {
  Builder b;
  const int A = b.tensor("A", DType::f16, {64, 64});
  const int a = b.buffer("a", Space::smem, DType::f16, {64, 64}, Layout::sw128);
  const int full = b.barriers("full", 1);
  b.grid(1);
  b.initAll({{full, count}}, 2);
  b.role("loader", 0, 1, [&] {
    b.expect(full, zero, 8192);
    if (count == 2)
      b.load(b.tile(a), b.box(A, {zero, zero}, {64, 64}), full, zero);
    b.arrive(full, zero);
    if (count != 2)
      b.load(b.tile(a), b.box(A, {zero, zero}, {64, 64}), full, zero);
    b.wait(full, zero, zero);
  });
  return b;
}

TEST(MbarrierRules, R7_AcceptsAsManyArrivalsAsTheCount) {
  EXPECT_EQ(text(twoArrivals(2).check()), "proven");
}

TEST(MbarrierRules, R7_RefusesMoreArrivalsThanTheCount) {
  EXPECT_EQ(text(twoArrivals(1).check()),
            "R7: arrive of loader warp 0 of CTA (0) at t:9:1 on full: more arrivals than the phase "
            "expects (phase 0, arrivals 1 of 1, bytes 0 of 8192). The count of the initialisation "
            "must be the number of arrivals of one phase");
}

Builder announce(int64_t bytes) {
  Builder b;
  const int full = b.barriers("full", 1);
  b.grid(1);
  b.initAll({{full, 1}}, 1);
  b.role("loader", 0, 1, [&] { b.expect(full, zero, bytes); });
  return b;
}

TEST(MbarrierRules, R8_AcceptsBytesInRange) {
  EXPECT_EQ(rule(announce((1 << 20) - 1).check()), "R14"); // in range; never loaded, though
  EXPECT_EQ(text(ring({.stages = 2}).check()), "proven");
}

TEST(MbarrierRules, R8_RefusesBytesOutOfRange) {
  EXPECT_EQ(
      text(announce(1 << 20).check()),
      "R8: arrive.expect_tx of loader warp 0 of CTA (0) at t:8:1 on full: what it announces is "
      "negative, or the tx-count leaves its range of +-(2^20 - 1) bytes (phase 0, arrivals 0 of 1, "
      "bytes 0 of 0). Split the phase's bytes over more slots");
}

TEST(MbarrierRules, R9_AcceptsEveryTripCount) {
  for (int64_t stages = 1; stages <= 4; ++stages)
    for (int64_t trips = 0; trips <= 3 * stages; ++trips)
      EXPECT_EQ(text(ring({.stages = stages, .trips = trips}).check()), "proven");
}

TEST(MbarrierRules, R9_RefusesARingThatIsNeverReleased) {
  EXPECT_EQ(text(ring({.release = false}).check()),
            "R9: deadlock: load warp 4 of CTA (0) waits at t:19:1 for empty[0] parity 0 (phase 0, "
            "arrivals 0 of 4, bytes 0 of 0). Nobody will signal it: nothing in the kernel signals "
            "empty. Add the arrive. 5 of 5 "
            "agents are blocked");
  EXPECT_EQ(rule(ring({.trips = 4, .release = false}).check()), "proven");
}

/// `right` waits `waits` times for `left`, which signals three times and gets an answer each time.
Builder answered(int waits) {
  Builder b;
  const int ping = b.barriers("ping", 1), pong = b.barriers("pong", 1);
  b.grid(1);
  b.initAll({{ping, 1}, {pong, 1}}, 2);
  b.role("left", 0, 1, [&] {
    for (int i = 0; i < 3; ++i) {
      b.arrive(ping, zero);
      b.wait(pong, zero, constant(i % 2), Exec::one);
    }
  });
  b.role("right", 1, 1, [&] {
    for (int i = 0; i < waits; ++i) {
      b.wait(ping, zero, constant(i % 2), Exec::one);
      b.arrive(pong, zero);
    }
  });
  return b;
}

TEST(MbarrierRules, R9_SaysThatAPhaseNeverComes) {
  EXPECT_EQ(text(answered(3).check()), "proven");
  EXPECT_EQ(
      text(answered(4).check()),
      "R9: deadlock: right warp 1 of CTA (0) waits at t:22:1 for ping parity 1 (phase 3, "
      "arrivals 0 of 1, bytes 0 of 0). Nobody will signal it: no agent has an operation left "
      "that does. Add the arrive, or make both sides run the same number of iterations. 1 of 2 "
      "agents are blocked");
}

TEST(MbarrierRules, R6_RefusesACopyWhoseBytesAreNotAnnounced) {
  EXPECT_EQ(text(ring({.bytes = 8192}).check()),
            "R6: TMA load of load warp 4 of CTA (0) at t:22:1 brings bytes to full[0] that phase 0 "
            "has not announced: the phase completes with TMA load of load warp 4 of CTA (0) at "
            "t:21:1, while this copy may still write. Announce the bytes of all copies of the "
            "phase");
}

TEST(MbarrierRules, R9_RefusesCountsThatAreTooHigh) {
  EXPECT_EQ(text(ring({.emptyCount = 5}).check()),
            "R9: deadlock: load warp 4 of CTA (0) waits at t:19:1 for empty[0] parity 0 (phase 0, "
            "arrivals 4 of 5, bytes 0 of 0). The count of the initialisation must be the number of "
            "arrivals of one phase. 5 of 5 agents are blocked");
}

TEST(MbarrierRules, R9_RefusesBytesThatDoNotAddUp) {
  EXPECT_EQ(text(ring({.bytes = 16384 + 16}).check()),
            "R9: deadlock: mma warp 0 of CTA (0) waits at t:34:1 for full[0] parity 0 (phase 0, "
            "arrivals 1 of 1, bytes 16384 of 16400). Its arrivals are complete, its bytes are not: "
            "announce the bytes of all copies of the phase, 16384 here. 5 of 5 agents are blocked");
  EXPECT_EQ(rule(ring({.bytes = 16384 - 16}).check()), "R9");
}

TEST(MbarrierRules, R9_RefusesAnAcquireThatDoesNotPassAtFirst) {
  const Verdict v = ring({.producerPhase = 0}).check();
  EXPECT_EQ(
      text(v),
      "R9: deadlock: mma warp 0 of CTA (0) waits at t:34:1 for full[0] parity 0 (phase 0, "
      "arrivals 0 of 1, bytes 0 of 0). full[0] would be signalled by arrive.expect_tx of load "
      "warp 4 of CTA (0) at t:20:1, which waits for empty[0]. empty[0] would be signalled by "
      "arrive of mma warp 0 of CTA (0) at t:39:1, which waits for full[0]. When its slots start"
      " free, the first wait on them must pass: start that side with phase 1. 5 of 5 agents are"
      " blocked");
  ASSERT_EQ(v.violations[0].blocked.size(), 5u);
  EXPECT_EQ(v.violations[0].blocked[4].agent, "load warp 4 of CTA (0)");
  EXPECT_EQ(v.violations[0].blocked[4].waitsOn, "empty[0] parity 0");
  EXPECT_EQ(v.violations[0].blocked[4].state, "phase 0, arrivals 0 of 4, bytes 0 of 0");
}

TEST(MbarrierRules, R10_RefusesWgmmasThatNobodyWaitsFor) {
  Builder b = ring({.trips = 2, .release = false, .waitBeforeRelease = false, .drain = false});
  Role *mma = nullptr;
  for (Stmt &s : b.program.body.stmts)
    if (auto *r = std::get_if<Role>(&s.op); r && r->name == "mma")
      mma = r;
  mma->body.stmts.pop_back(); // the copy of the accumulator
  EXPECT_EQ(
      text(b.check()),
      "R10: wgmma of mma warp 0 of CTA (0) at t:36:1 may still be under way when CTA (0) exits."
      " Wait for it before the end");
}

/// CTA 1 of a pair arrives at CTA 0's barrier; CTA 0 waits, or both only meet, or nothing.
enum class Tail { waits, nothing };
Builder pair(Tail tail) {
  Builder b;
  const int bar = b.barriers("bar", 1);
  b.program.cluster[0] = 2;
  b.grid(2);
  b.role("one", 0, 1, [&] {
    b.init(bar, 1);
    b.emit(Fence{Fence::mbarrierInit}, Exec::one);
    b.emit(ClusterBarrier{ClusterBarrier::sync});
    const ValueId rank = b.scalar(ScalarOp::clusterRank);
    b.when(rank, [&] { b.emit(MbarrierArrive{Builder::peer(bar, zero, zero), 1}, Exec::one); });
    b.when(b.scalar(ScalarOp::eq, {rank, b.number(0)}), [&] {
      if (tail == Tail::waits)
        b.wait(bar, zero, zero, Exec::one);
    });
  });
  return b;
}

TEST(MbarrierRules, R10_AcceptsACtaThatWaitsForItsPeer) {
  EXPECT_EQ(text(pair(Tail::waits).check()), "proven");
}

TEST(MbarrierRules, R10_RefusesACtaThatLeavesWhileItsPeerMaySignal) {
  EXPECT_EQ(
      text(pair(Tail::nothing).check()),
      "R10: arrive of one warp 0 of CTA (1) at t:9:1 on bar of CTA (0) may still be under way "
      "when CTA (0) exits. Let that CTA wait for it (the producer's tail) or for a cluster "
      "barrier after it");
}

TEST(MbarrierRules, R14_AcceptsCompletePhases) {
  EXPECT_EQ(text(pingPong(3, true).check()), "proven");
}

TEST(MbarrierRules, R14_RefusesAPhaseLeftHalfway) {
  EXPECT_EQ(
      text(announce(64).check()),
      "R14: full is left in the middle of a phase (phase 0, arrivals 1 of 1, bytes 0 of 64); "
      "the last to signal it is arrive.expect_tx of loader warp 0 of CTA (0) at t:8:1. Make the"
      " arrivals and bytes of its last phase complete, or none");
}

TEST(Check, SaysWhatItCovered) {
  const Verdict v = ring({.stages = 2, .trips = 1}).check();
  EXPECT_EQ(v.tripCounts, "this launch: 1 iteration; the only CTA");
  EXPECT_EQ(v.notes, (std::vector<std::string>{"never used in this run: empty[1]",
                                               "never used in this run: full[1]"}));
  EXPECT_EQ(v.assumptions[0],
            "warps-converge: the lanes of a warp come to and leave a wait together");
  EXPECT_GT(v.events, 0);
}

TEST(Check, RefusesToJudgeAForeignLaunch) {
  Builder b = ring({});
  b.launch.tensors.pop_back();
  EXPECT_EQ(text(b.check()), "unsupported: the launch gives 2 tensors, the kernel has 3");
}

} // namespace
} // namespace sluice::test

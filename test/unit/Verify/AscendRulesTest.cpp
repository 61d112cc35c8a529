// R29 to R35, and the ping-pong loop of tilelang-ascend #1237 in its variants.
#include "Core.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

/// One statement on a core with buffers of every space.
struct Parts {
  Builder b{Target::ascend910b};
  int A, C, l1, l0a, l0b, l0c, ub;

  explicit Parts(Target target = Target::ascend910b, int64_t rows = 32) : b(target) {
    A = b.tensor("A", DType::f16, {64, 64});
    C = b.tensor("C", DType::f32, {64, 64}, true);
    l1 = b.buffer("l1", Space::l1, DType::f16, {rows, 32}, Layout::zN);
    l0a = b.buffer("l0a", Space::l0a, DType::f16, {rows, 32}, Layout::zZ);
    l0b = b.buffer("l0b", Space::l0b, DType::f16, {32, 32}, Layout::nZ);
    l0c = b.buffer("l0c", Space::l0c, DType::f32, {rows, 32}, Layout::zN);
    ub = b.buffer("ub", Space::ub, DType::f32, {32, 32}, Layout::row, 2);
    b.grid(1);
  }
  View global(int tensor, int64_t row = 0) {
    return b.box(tensor, {constant(row), constant(0)}, {32, 32});
  }
};

TEST(AscendRules, R29_AcceptsWholeFractals) {
  EXPECT_EQ(text(core({}).check()), "proven");
}

TEST(AscendRules, R29_RefusesPartOfAFractal) {
  Parts p(Target::ascend910b, 24);
  p.b.core("aic", [&] {
    p.b.emit(Mmad{p.b.tile(p.l0c), p.b.tile(p.l0a), p.b.tile(p.l0b), constant(0)}, Exec::threads,
             Pipe::m);
  });
  EXPECT_EQ(
      text(p.b.structure()),
      "R29: mmad at t:4:1 multiplies 24 x 32 by 32 x 32; rows and columns come in 16, K in 16 "
      "(whole fractals)");
}

TEST(AscendRules, R29_AcceptsRowsOfATile) {
  Parts p;
  View b = p.b.tile(p.l0b);
  b.shape = {16, 32}; // half of K
  View a = p.b.tile(p.b.buffer("narrow", Space::l0a, DType::f16, {64, 16}, Layout::zZ));
  a.shape = {32, 16}; // half of the rows
  p.b.core("aic", [&] {
    p.b.emit(Mmad{p.b.tile(p.l0c), a, b, constant(0)}, Exec::threads, Pipe::m);
  });
  EXPECT_EQ(text(p.b.structure()), "none");
}

TEST(AscendRules, R29_RefusesColumnsOfATile) {
  Parts p;
  View a = p.b.tile(p.l0a), b = p.b.tile(p.l0b);
  a.shape = {32, 16}, b.shape = {16, 32};
  p.b.core("aic", [&] {
    p.b.emit(Mmad{p.b.tile(p.l0c), a, b, constant(0)}, Exec::threads, Pipe::m);
  });
  EXPECT_EQ(text(p.b.structure()),
            "R29: mmad at t:4:1 takes 32 x 16 of l0a, whose fractals do not lie one behind the "
            "other in layout zZ");
}

TEST(AscendRules, R29_RefusesOperandsFromL1) {
  Parts p;
  p.b.core("aic", [&] {
    p.b.emit(Mmad{p.b.tile(p.l0c), p.b.tile(p.l1), p.b.tile(p.l0b), constant(0)}, Exec::threads,
             Pipe::m);
  });
  EXPECT_EQ(text(p.b.structure()),
            "R29: mmad at t:4:1: A is in L0A, B in L0B, D in L0C, on pipe M");
}

TEST(AscendRules, R29_RefusesTheOrderOfFractalsOfAnotherMachine) {
  Parts p(Target::ascend950);
  p.b.core("aic", [&] {
    p.b.emit(Mmad{p.b.tile(p.l0c), p.b.tile(p.l0a), p.b.tile(p.l0b), constant(0)}, Exec::threads,
             Pipe::m);
  });
  EXPECT_EQ(text(p.b.structure()), "R29: mmad at t:4:1 takes l0a in layout zZ; ascend950 has "
                                   "fractals of L0A in zN");
}

TEST(AscendRules, R29_AcceptsColumnsOfFractals) {
  Parts p(Target::ascend950);
  View a = p.b.tile(p.b.buffer("a", Space::l0a, DType::f16, {32, 32}, Layout::zN));
  View b = p.b.tile(p.l0b);
  a.shape = {32, 16}, b.shape = {16, 32};
  p.b.core("aic", [&] {
    p.b.emit(Mmad{p.b.tile(p.l0c), a, b, constant(0)}, Exec::threads, Pipe::m);
  });
  EXPECT_EQ(text(p.b.structure()), "none");
}

TEST(AscendRules, R29_RefusesRowsOfTwoColumnsOfFractals) {
  Parts p(Target::ascend950);
  View a = p.b.tile(p.b.buffer("a", Space::l0a, DType::f32, {64, 16}, Layout::zN));
  View b = p.b.tile(p.b.buffer("b", Space::l0b, DType::f32, {16, 32}, Layout::nZ));
  a.shape = {32, 16}; // of f32, 8 columns are a fractal's
  p.b.core("aic", [&] {
    p.b.emit(Mmad{p.b.tile(p.l0c), a, b, constant(0)}, Exec::threads, Pipe::m);
  });
  EXPECT_EQ(text(p.b.structure()), "R29: mmad at t:4:1 takes 32 x 16 of a, whose fractals do not "
                                   "lie one behind the other in layout zN");
}

/// Half of the sum's rows in UB.
View halfOf(Parts &p) {
  View half = p.b.tile(p.ub);
  half.shape = {16, 32};
  return half;
}

TEST(AscendRules, R30_AcceptsThePathsOfTheChip) {
  Parts p(Target::ascend950);
  p.b.core("aic", [&] { p.b.copy(Pipe::fix, halfOf(p), p.b.tile(p.l0c)); });
  EXPECT_EQ(text(p.b.structure()), "none");
}

TEST(AscendRules, R20_RefusesAWholeSumInUb) {
  Parts p(Target::ascend950);
  p.b.core("aic", [&] { p.b.copy(Pipe::fix, p.b.tile(p.ub), p.b.tile(p.l0c)); });
  EXPECT_EQ(
      text(p.b.structure()),
      "R20: copy at t:4:1: the destination is 32 x 32, the source is 32 x 32, of which each "
      "of the two vector cores gets half of the rows. The operands of an operation must agree "
      "in rank, shape and type");
}

TEST(AscendRules, R30_RefusesL1ToUb) {
  Parts p(Target::ascend950);
  p.b.core("aic", [&] { p.b.copy(Pipe::mte1, p.b.tile(p.ub), p.b.tile(p.l1)); });
  EXPECT_EQ(text(p.b.structure()),
            "R30: copy at t:4:1 from L1 to UB: to which of the vector cores is left open, and it "
            "is not followed. Load the tile into UB");
}

TEST(AscendRules, R30_RefusesMemoryOfTheOtherCore) {
  Parts p;
  p.b.core("aiv", [&] { p.b.copy(Pipe::mte2, p.b.tile(p.l1), p.global(p.A)); });
  EXPECT_EQ(text(p.b.structure()),
            "R30: copy at t:4:1 in a role of core aiv touches l1 in L1: UB is of the vector cores, "
            "the other memories of the cube core");
}

TEST(AscendRules, R30_RefusesAPathThatTheChipLacks) {
  Parts p;
  p.b.core("aic", [&] { p.b.copy(Pipe::fix, p.b.tile(p.ub), p.b.tile(p.l0c)); });
  EXPECT_EQ(text(p.b.structure()),
            "R30: copy at t:4:1 from L0C to UB on pipe FIX: no pipe of ascend910b has that path");
}

TEST(AscendRules, R30_RefusesTheWrongPipe) {
  Parts p;
  p.b.core("aic", [&] { p.b.copy(Pipe::mte2, p.b.tile(p.l0a), p.b.tile(p.l1)); });
  EXPECT_EQ(text(p.b.structure()),
            "R30: copy at t:4:1 from L1 to L0A on pipe MTE2: that path belongs to MTE1");
}

TEST(AscendRules, R30_RefusesAPipeOfTheOtherCore) {
  Parts p;
  p.b.core("aiv", [&] { p.b.set(Pipe::mte1, Pipe::mte2, constant(0)); });
  EXPECT_EQ(text(p.b.structure()), "R30: set_flag at t:4:1 is queued on pipe MTE1 of a vector "
                                   "core, which has MTE2, V, MTE3 and S");
}

TEST(AscendRules, R30_RefusesOperationsOfBothCoresWithoutRoles) {
  Parts p;
  p.b.emit(Fill{p.b.tile(p.ub), 0}, Exec::threads, Pipe::v);
  p.b.copy(Pipe::mte2, p.b.tile(p.l1), p.global(p.A));
  EXPECT_EQ(text(p.b.structure()),
            "R30: copy at t:4:1 of a program of core aiv touches l1 in L1: UB is of the vector "
            "cores, the other memories of the cube core");
}

TEST(AscendRules, R31_AcceptsIds0To5) {
  EXPECT_EQ(text(core({.id = 5}).check()), "proven");
}

TEST(AscendRules, R31_RefusesWhatStaticTensorModeKeeps) {
  EXPECT_EQ(text(core({.id = 6}).check()),
            "R31: set_flag of pipe MTE1 of aic at t:4:1 uses flag MTE1->MTE2 id 6; a pair of pipes "
            "has the ids 0 to 5 in static-tensor mode, which keeps 6 and 7");
}

TEST(AscendRules, R31_RefusesAFlagOfOnePipe) {
  Parts p;
  p.b.core("aic", [&] { p.b.set(Pipe::m, Pipe::m, constant(0)); });
  EXPECT_EQ(text(p.b.structure()),
            "R31: set_flag at t:4:1 names one pipe twice; a flag joins two pipes");
}

/// MTE2 sets one flag for MTE1 twice; MTE1 waits twice and may tell MTE2 so in between.
Builder twoSets(bool credit) {
  Parts p;
  p.b.core("aic", [&] {
    for (int i = 0; i < 2; ++i) {
      p.b.set(Pipe::mte2, Pipe::mte1, constant(3));
      p.b.waitFor(Pipe::mte2, Pipe::mte1, constant(3));
      if (credit) {
        p.b.set(Pipe::mte1, Pipe::mte2, constant(0));
        p.b.waitFor(Pipe::mte1, Pipe::mte2, constant(0));
      }
    }
  });
  return std::move(p.b);
}

TEST(AscendRules, R32_AcceptsASetAfterTheWaitIsKnown) {
  EXPECT_EQ(text(twoSets(true).check()), "proven");
}

TEST(AscendRules, R32_RefusesTwoSetsThatNothingSeparates) {
  EXPECT_EQ(
      text(twoSets(false).check()),
      "R32: set_flag of pipe MTE2 of aic at t:6:1 sets flag MTE2->MTE1 id 3 again, but nothing "
      "orders it after the wait for set_flag of pipe MTE2 of aic at t:4:1: two sets may be "
      "outstanding on one flag. Wait for the credit of MTE1 before the set, or use another id");
}

TEST(AscendRules, R33_AcceptsLargeAccumulatorsWithoutABarrier) {
  EXPECT_EQ(text(core({.accumulatorBarrier = false}).check()), "proven");
}

TEST(AscendRules, R33_AcceptsSmallAccumulatorsWithABarrier) {
  EXPECT_EQ(text(core({.n = 32}).check()), "proven");
}

TEST(AscendRules, R33_RefusesSmallAccumulatorsWithoutABarrier) {
  EXPECT_EQ(
      text(core({.n = 32, .accumulatorBarrier = false}).check()),
      "R33: mmad of pipe M of aic at t:30:1 reads c0 that mmad of pipe M of aic at t:30:1 wrote"
      " on the same pipe: back-to-back mmads on one accumulator of 8 fractals (fewer than 10) "
      "overlap. Put a pipe barrier of M between");
}

/// UB slot 1 = 2 x slot 0 after a fill, on V.
Builder vectorChain(bool barrier, Target target = Target::ascend910b) {
  Parts p(target);
  p.b.core("aiv", [&] {
    p.b.emit(Fill{p.b.tile(p.ub, constant(0)), 1}, Exec::threads, Pipe::v);
    if (barrier)
      p.b.emit(PipeBarrier{Pipe::v}, Exec::threads, Pipe::v);
    p.b.emit(Map{{p.b.tile(p.ub, constant(1))}, {p.b.tile(p.ub, constant(0))}, {}}, Exec::threads,
             Pipe::v);
  });
  return std::move(p.b);
}

TEST(AscendRules, R33_AcceptsVectorOperationsWithABarrier) {
  EXPECT_EQ(text(vectorChain(true).check()), "proven");
  EXPECT_EQ(text(vectorChain(false, Target::ascend950).check()), "proven"); // in order there
}

TEST(AscendRules, R33_RefusesVectorOperationsWithoutABarrier) {
  EXPECT_EQ(
      text(vectorChain(false).check()),
      "R33: map of pipe V of aiv0 at t:5:1 reads ub that fill of pipe V of aiv0 at t:4:1 wrote "
      "on the same pipe: vector operations overlap. Put a pipe barrier of V between");
}

TEST(AscendRules, R33_RefusesABarrierOfVOn950) {
  EXPECT_EQ(
      text(vectorChain(true, Target::ascend950).structure()),
      "R33: pipe barrier at t:5:1 of V: on ascend950 the vector pipe is in order and has none. "
      "Remove it");
}

TEST(AscendRules, R33_RefusesACopyOverAFillOnMte2) {
  Parts p;
  p.b.core("aic", [&] {
    p.b.emit(Fill{p.b.tile(p.l1), 0}, Exec::threads, Pipe::mte2);
    p.b.copy(Pipe::mte2, p.b.tile(p.l1), p.global(p.A));
  });
  EXPECT_EQ(
      text(p.b.check()),
      "R33: copy of pipe MTE2 of aic at t:5:1 writes l1 that fill of pipe MTE2 of aic at t:4:1 "
      "wrote on the same pipe: a copy may overtake the fill before it. Put a pipe barrier of "
      "MTE2 between");
}

/// The AIC sets flag 2 for the AIVs `sets` times; they wait as often, and signal back every time.
Builder crossCore(int64_t sets, bool back) {
  Parts p;
  p.b.core("aic", [&] {
    for (int64_t i = 0; i < sets; ++i) {
      p.b.emit(CrossSet{2, Pipe::fix, constant(2)}, Exec::threads, Pipe::fix);
      if (back)
        p.b.emit(CrossWait{Pipe::fix, constant(3)}, Exec::threads, Pipe::fix);
    }
  });
  p.b.core("aiv", [&] {
    for (int64_t i = 0; i < sets; ++i) {
      p.b.emit(CrossWait{Pipe::v, constant(2)}, Exec::threads, Pipe::v);
      if (back)
        p.b.emit(CrossSet{2, Pipe::v, constant(3)}, Exec::threads, Pipe::v);
    }
  });
  return std::move(p.b);
}

TEST(AscendRules, R34_AcceptsFifteenSetsAndSignalsBack) {
  EXPECT_EQ(text(crossCore(15, false).check()), "proven");
  EXPECT_EQ(text(crossCore(40, true).check()), "proven");
}

TEST(AscendRules, R34_RefusesASixteenthSet) {
  EXPECT_EQ(
      text(crossCore(16, false).check()),
      "R34: cross-core set of pipe FIX of aic at t:19:1 may leave more than 15 sets of "
      "cross-core flag 2 aic->aiv0 without a wait: the system freezes. Let the receiver signal "
      "back at least every 15 sets");
}

TEST(AscendRules, R35_AcceptsDrainedFlags) {
  EXPECT_EQ(text(core({.trips = 1}).check()), "proven");
}

TEST(AscendRules, R35_RefusesFlagsLeftSet) {
  EXPECT_EQ(text(core({.drained = false}).check()),
            "R35: left set at the end: flag MTE1->MTE2 id 0 of aic, flag M->MTE1 id 0 of aic, flag "
            "M->MTE1 id 1 of aic. The next kernel on this core would find them set. Wait for each "
            "once after the loop (drain)");
}

TEST(AscendRules, R35_RefusesCrossCoreFlagsLeftSet) {
  Parts p;
  p.b.core("aic", [&] { p.b.emit(CrossSet{2, Pipe::fix, constant(2)}, Exec::threads, Pipe::fix); });
  p.b.core("aiv", [&] { p.b.emit(Fill{p.b.tile(p.ub), 0}, Exec::threads, Pipe::v); });
  EXPECT_EQ(
      text(p.b.check()),
      "R35: left set at the end: cross-core flag 2 aic->aiv0 (count 1). The next kernel on this"
      " core would find it set. Wait for each set");
}

TEST(AscendRules, R9_RefusesALoopThatIsNotPrimed) {
  const Verdict v = core({.primed = false}).check();
  EXPECT_EQ(
      text(v),
      "R9: deadlock: pipe MTE2 of aic waits at t:14:1 for flag MTE1->MTE2 id 0 (not set). flag "
      "MTE1->MTE2 id 0 would be signalled by set_flag of pipe MTE1 of aic at t:22:1, which "
      "waits for flag MTE2->MTE1 id 0. flag MTE2->MTE1 id 0 would be signalled by set_flag of "
      "pipe MTE2 of aic at t:17:1, which waits for flag MTE1->MTE2 id 0. A flag that means "
      "`free` must be set once before the loop (primed). 4 of 4 agents are blocked");
  EXPECT_EQ(v.violations[0].blocked.size(), 4u);
}

TEST(AscendRules, R21_RefusesAResidentTileInTooManySlots) {
  EXPECT_EQ(text(core({.residentLoads = 6}).check()), "proven");
  EXPECT_EQ(
      text(core({.slots = 3, .residentLoads = 2}).check()),
      "R21: mmad of pipe M of aic at t:34:1 reads a0[2] (L0A bytes 16384 to 24575), which "
      "nothing has written. Fill or load it first; check that producer and consumer count the "
      "same slots");
}

/// MTE2 fills L1, MTE1 copies it on, MTE2 fills it again.
Builder refill(bool handBack) {
  Parts p;
  p.b.core("aic", [&] {
    p.b.copy(Pipe::mte2, p.b.tile(p.l1), p.global(p.A));
    p.b.set(Pipe::mte2, Pipe::mte1, constant(0));
    p.b.waitFor(Pipe::mte2, Pipe::mte1, constant(0));
    p.b.copy(Pipe::mte1, p.b.tile(p.l0a), p.b.tile(p.l1));
    if (handBack) {
      p.b.set(Pipe::mte1, Pipe::mte2, constant(0));
      p.b.waitFor(Pipe::mte1, Pipe::mte2, constant(0));
    }
    p.b.copy(Pipe::mte2, p.b.tile(p.l1), p.global(p.A, 32));
  });
  return std::move(p.b);
}

TEST(AscendRules, R22_AcceptsATileThatIsHandedBack) {
  EXPECT_EQ(text(refill(true).check()), "proven");
}

TEST(AscendRules, R22_RefusesATileThatIsNotHandedBack) {
  EXPECT_EQ(
      text(refill(false).check()),
      "R22: copy of pipe MTE2 of aic at t:8:1 writes l1 (L1 bytes 0 to 2047) while copy of pipe"
      " MTE1 of aic at t:7:1 may still read it: nothing orders the two. Set flag MTE1->MTE2 "
      "after the first and wait for it before the second");
}

TEST(AscendRules, R32_RefusesALoopWithoutCredits) {
  EXPECT_EQ(rule(core({.credit = false}).check()), "R32");
}

/// Two products, each of a tile of A and a tile of B, stored one after the other to C; a barrier of
/// all pipes after every step. `moves`: which side goes on to its second tile, and D with it;
/// `broughtIn`: it is copied to L0 for both.
Builder twoTiles(int moves, bool broughtIn, bool storedOn = true) {
  Builder b(Target::ascend910b);
  const int A = b.tensor("A", DType::f16, {128, 64});
  const int B = b.tensor("B", DType::f16, {64, 128});
  const int C = b.tensor("C", DType::f32, {128, 128}, true);
  const int a1 = b.buffer("a1", Space::l1, DType::f16, {64, 64}, Layout::zN);
  const int b1 = b.buffer("b1", Space::l1, DType::f16, {64, 64}, Layout::zN);
  const int a0 = b.buffer("a0", Space::l0a, DType::f16, {64, 64}, Layout::zZ);
  const int b0 = b.buffer("b0", Space::l0b, DType::f16, {64, 64}, Layout::nZ);
  const int c0 = b.buffer("c0", Space::l0c, DType::f32, {64, 64}, Layout::zN);
  b.grid(1);
  b.core("aic", [&] {
    b.loop(2, 1, 0, [&](Index tile, Index, Index) {
      const Index on{b.scalar(ScalarOp::mul, {tile.value, b.number(64)}), 0};
      const Index row = moves == 0 ? on : zero, column = moves == 1 ? on : zero;
      const ValueId first = b.scalar(ScalarOp::eq, {tile.value, b.number(0)});
      const auto barrier = [&] { b.emit(PipeBarrier{Pipe::all}); };
      const auto toL0 = [&](int side, int to, int from) {
        const auto copy = [&] { b.copy(Pipe::mte1, b.tile(to), b.tile(from)); };
        moves != side || broughtIn ? copy() : b.when(first, copy);
      };
      b.copy(Pipe::mte2, b.tile(a1), b.box(A, {row, zero}, {64, 64}));
      b.copy(Pipe::mte2, b.tile(b1), b.box(B, {zero, column}, {64, 64}));
      barrier();
      toL0(0, a0, a1);
      toL0(1, b0, b1);
      barrier();
      b.emit(Mmad{b.tile(c0), b.tile(a0), b.tile(b0), zero}, Exec::threads, Pipe::m);
      barrier();
      b.copy(Pipe::fix,
             b.box(C, storedOn ? std::vector{row, column} : std::vector{zero, zero}, {64, 64}),
             b.tile(c0));
      barrier();
    });
  });
  return b;
}

TEST(AscendRules, R28_AcceptsAStoreThatMovesWithItsOperand) {
  EXPECT_EQ(text(twoTiles(0, true).check()), "proven");
  EXPECT_EQ(text(twoTiles(1, true).check()), "proven");
}

TEST(AscendRules, R28_AcceptsTheSameProductStoredTwice) {
  EXPECT_EQ(text(twoTiles(0, false, false).check()), "proven");
}

TEST(AscendRules, R28_RefusesRowsOfATileThatWasNotBroughtInAgain) {
  EXPECT_EQ(
      text(twoTiles(0, false).check()),
      "R28: copy of pipe FIX of aic at t:25:1 stores to other rows of C than before what comes "
      "from the same tile of A: the product took a slot that nothing has brought in since. "
      "Load the operand of every tile, or store to where it belongs");
}

TEST(AscendRules, R28_RefusesColumnsOfATileThatWasNotBroughtInAgain) {
  EXPECT_EQ(rule(twoTiles(1, false).check()), "R28");
}

TEST(AscendRules, R28_RefusesAnOperandThatStaysBehind) {
  EXPECT_EQ(
      text(core({.residentLoads = 2}).check()),
      "R28: mmad of pipe M of aic at t:33:1 multiplies columns of A from 0 by rows of B from "
      "128; earlier steps of the same sum were 0 apart: one operand is a stale or a wrong slot."
      " Producer and consumer of both must count the same slots; if these are meant, mark the "
      "product {sluice.any_tiles}");
}

} // namespace
} // namespace sluice::test

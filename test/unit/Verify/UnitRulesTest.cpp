// R48: sums of L0C that M and FIX hand over unit by unit.
#include "Core.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

/// Tiles of sums that FIX stores one after the other, each from two products, by units.
struct UnitsOptions {
  UnitUse first = UnitUse::keeps, last = UnitUse::handsOver;
  bool stores = true;
  int64_t length = 64; // of C's lines
  int64_t width = 64;  // of the tile, of which operations take 64 columns
};

Builder units(const UnitsOptions &o) {
  Builder b(Target::ascend910b);
  const int A = b.tensor("A", DType::f16, {64, 64});
  const int C = b.tensor("C", DType::f32, {64, o.length}, true);
  b.program.tensors[C].extents = {64, o.length};
  const int l1 = b.buffer("l1", Space::l1, DType::f16, {64, 64}, Layout::zN);
  const int a0 = b.buffer("a0", Space::l0a, DType::f16, {64, 64}, Layout::zZ);
  const int b0 = b.buffer("b0", Space::l0b, DType::f16, {64, 64}, Layout::nZ);
  const int c0 = b.buffer("c0", Space::l0c, DType::f32, {64, o.width}, Layout::zN);
  b.grid(1);
  b.core("aic", [&] {
    b.copy(Pipe::mte2, b.tile(l1), b.box(A, {constant(0), constant(0)}, {64, 64}));
    b.emit(PipeBarrier{Pipe::all});
    b.copy(Pipe::mte1, b.tile(a0), b.tile(l1));
    b.copy(Pipe::mte1, b.tile(b0), b.tile(l1));
    b.emit(PipeBarrier{Pipe::all});
    View sums = b.tile(c0);
    sums.shape[1] = 64;
    for (int tile = 0; tile < (o.stores ? 2 : 1); ++tile) {
      b.emit(Mmad{sums, b.tile(a0), b.tile(b0), constant(0), false, o.first}, Exec::threads,
             Pipe::m);
      b.emit(Mmad{sums, b.tile(a0), b.tile(b0), constant(1), false, o.last}, Exec::threads,
             Pipe::m);
      if (o.stores)
        b.emit(Copy{b.box(C, {constant(0), constant(0)}, {64, 64}), sums, false, {}, true},
               Exec::threads, Pipe::fix);
    }
  });
  return b;
}

TEST(UnitRules, R48_AcceptsSumsThatAreHandedOver) {
  EXPECT_EQ(text(units({}).check()), "proven");
}

TEST(UnitRules, R48_RefusesAStoreThatLeavesUnits) {
  EXPECT_EQ(
      text(units({.length = 60}).structure()),
      "R48: copy at t:11:1 takes the units of c0 for a box that may end outside of dimension 1 "
      "of C: units beyond it would stay with FIX. Store with units in a branch that is taken "
      "where the box lies inside, offset + 64 <= extent");
}

TEST(UnitRules, R48_RefusesPartsOfTiles) {
  EXPECT_EQ(text(units({.width = 128}).structure()),
            "R48: mmad at t:9:1 takes units of a part of a tile; a product hands over those of a "
            "whole tile of L0C, and a store takes them");
}

TEST(UnitRules, R48_RefusesASumThatIsBegunWithoutThem) {
  EXPECT_EQ(
      text(units({.first = UnitUse::none}).check()),
      "R48: mmad of pipe M of aic at t:10:1 takes units and adds to sums in c0 that no product "
      "with units has begun. Let the first product of the sum take them too");
}

TEST(UnitRules, R48_RefusesProductsThatGoOnWithoutThem) {
  EXPECT_EQ(
      text(units({.last = UnitUse::none}).check()),
      "R48: mmad of pipe M of aic at t:10:1 takes no units, but touches sums in c0 that mmad "
      "of pipe M of aic at t:9:1 has begun with them. Let all products of a sum and the store "
      "of it take units, or none");
}

TEST(UnitRules, R48_RefusesUnitsThatNobodyTakes) {
  EXPECT_EQ(
      text(units({.stores = false}).check()),
      "R48: left to FIX at the end: the units of c0, which mmad of pipe M of aic at t:10:1 has "
      "handed over. The next kernel's Mmad would wait for them. Store the tile with units");
}

TEST(UnitRules, R48_WaitsForUnitsThatNobodyHandsOver) {
  EXPECT_NE(text(units({.last = UnitUse::keeps}).check())
                .find("waits at t:11:1 for units of c0 (of M). Nobody will hand them over"),
            std::string::npos);
}

/// Of who hands over, stores without units are asked too.
TEST(UnitRules, R48_WaitsBesideAStoreWithoutThem) {
  Builder b = units({.last = UnitUse::keeps});
  const int other = b.buffer("other", Space::l0c, DType::f32, {64, 64}, Layout::zN);
  b.core("aic", [&] {
    b.copy(Pipe::fix, b.box(1, {constant(0), constant(0)}, {64, 64}), b.tile(other));
  });
  EXPECT_NE(text(b.check()).find("Nobody will hand them over"), std::string::npos);
}

/// What FIX learns of M is about the sums.
TEST(UnitRules, R48_RefusesOperandsThatFixSetsFree) {
  Builder b = units({});
  b.core("aic", [&] {
    b.set(Pipe::fix, Pipe::mte1, constant(0));
    b.waitFor(Pipe::fix, Pipe::mte1, constant(0));
    b.copy(Pipe::mte1, b.tile(1), b.tile(0));
  });
  EXPECT_NE(text(b.check()).find("R22: "), std::string::npos) << text(b.check());
}

/// A store in a branch that says that its box lies inside of a tensor of an unknown extent.
std::string guardedStore(int64_t length, ScalarOp comparison) {
  Builder b(Target::ascend910b);
  const int C = b.tensor("C", DType::f32, {64, -1}, true);
  b.program.tensors[C].extents = {};
  const int c0 = b.buffer("c0", Space::l0c, DType::f32, {64, 64}, Layout::zN);
  const ValueId i = b.grid(4);
  b.core("aic", [&] {
    const ValueId at = b.scalar(ScalarOp::mul, {i, b.number(64)});
    const ValueId end = b.scalar(ScalarOp::add, {at, b.number(length)});
    const ValueId rows = b.scalar(ScalarOp::dim, {}, 0, C),
                  extent = b.scalar(ScalarOp::dim, {}, 1, C);
    const ValueId inRows = b.scalar(ScalarOp::ge, {rows, b.number(64)});
    const ValueId inside = b.scalar(comparison, {end, extent});
    b.when(b.scalar(ScalarOp::andI, {inRows, inside}), [&] {
      b.emit(Copy{b.box(C, {constant(0), {at, 0}}, {64, 64}), b.tile(c0), false, {}, true},
             Exec::threads, Pipe::fix);
    });
  });
  return text(b.structure());
}

TEST(UnitRules, R48_AcceptsAStoreWhereTheBoxLiesInside) {
  EXPECT_EQ(guardedStore(64, ScalarOp::le), "none");
  EXPECT_EQ(guardedStore(63, ScalarOp::lt), "none");
}

TEST(UnitRules, R48_RefusesAStoreWhereItMayNot) {
  EXPECT_NE(guardedStore(63, ScalarOp::le), "none");
  EXPECT_NE(guardedStore(64, ScalarOp::ne), "none");
}

} // namespace
} // namespace sluice::test

// Numbers that steer: integers of tensors, numbers in shared memory, draws; and remote copies.
#include "Builder.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

/// Meets at a named barrier of two warps `n` times.
void meet(Builder &b, ValueId n, int barrier) {
  For f;
  f.lower = b.number(0);
  f.upper = n;
  f.step = b.number(1);
  f.iv = b.program.values++;
  Stmt stmt;
  stmt.op = NamedBarrier{{kNone, barrier}, 64};
  stmt.loc = {"t", 99, 1};
  f.body.stmts.push_back(stmt);
  b.emit(std::move(f));
}

/// Roles "a" and "b" meet at a named barrier `n` times: n is element `own` (of b: `other`) of a
/// tensor.
Builder meetings(int64_t own, int64_t other) {
  Builder b;
  const int counts = b.tensor("counts", DType::i32, {4});
  b.grid(1);
  const auto loop = [&](int64_t element) {
    const ValueId at = b.number(element);
    meet(b, b.scalar(ScalarOp::load, {at}, 0, counts), 1);
  };
  b.role("a", 0, 1, [&] { loop(own); });
  b.role("b", 1, 1, [&] { loop(other); });
  return b;
}

Verdict proof(Builder b) {
  b.place();
  return prove(b.program, defaultArch(b.program.target), b.launch);
}

TEST(Numbers, OneElementIsOneNumberForAllWhoReadIt) {
  const Verdict v = proof(meetings(2, 2));
  EXPECT_EQ(text(v), "proven");
  EXPECT_EQ(v.tripCounts, "all");
}

TEST(Numbers, TwoElementsMayDiffer) {
  const Verdict v = proof(meetings(2, 3));
  EXPECT_EQ(rule(v), "R9");
  ASSERT_TRUE(v.witness);
  std::vector<int64_t> integers = v.witness->tensors[0].integers;
  integers.resize(4, 1); // those that the violation leaves open
  EXPECT_NE(integers[2], integers[3]);
  EXPECT_NE(v.tripCounts.find("counts={"), std::string::npos) << v.tripCounts;
}

TEST(Numbers, IntegersOfALaunchAreTheTripCounts) {
  Builder b = meetings(2, 3);
  b.launch.tensors[0].integers = {0, 0, 5, 5};
  EXPECT_EQ(text(b.check()), "proven");
  b.launch.tensors[0].integers = {0, 0, 5, 6};
  EXPECT_EQ(rule(b.check()), "R9");
}

/// Warp 0 writes a number, warp 1 reads it after a barrier and takes as many steps; so does warp 0.
Builder handedOn(bool written, bool ordered) {
  Builder b;
  const int counts = b.tensor("counts", DType::i32, {1});
  const int slot = b.buffer("slot", Space::smem, DType::i32, {1, 4}, Layout::row);
  View place = b.tile(slot);
  place.shape = {1, 1};
  b.grid(1);
  b.role("from", 0, 1, [&] {
    const ValueId n = b.scalar(ScalarOp::load, {b.number(0)}, 0, counts);
    if (written)
      b.emit(ScalarWrite{place, {n, 0}});
    else
      b.emit(Fill{b.tile(slot), 3});
    if (ordered)
      b.sync(1, 2);
    meet(b, n, 2);
  });
  b.role("to", 1, 1, [&] {
    if (ordered)
      b.sync(1, 2);
    const ValueId n = b.program.values++;
    b.emit(ScalarRead{place, n});
    meet(b, n, 2);
  });
  return b;
}

TEST(Numbers, AReaderFollowsTheNumberThatWasWritten) {
  EXPECT_EQ(text(proof(handedOn(true, true))), "proven");
}

TEST(Numbers, ReadingWithoutOrderIsARace) {
  EXPECT_EQ(rule(proof(handedOn(true, false))), "R22");
}

TEST(Numbers, OtherWritesAreNotFollowed) {
  const Verdict v = proof(handedOn(false, true));
  EXPECT_EQ(v.kind, Verdict::unsupported);
  EXPECT_NE(text(v).find("takes a number that fill of from warp 0"), std::string::npos) << text(v);
}

/// Two warps draw a number each and go on while their own is below 4.
TEST(Numbers, DrawsOfTwoWarpsHaveNothingInCommon) {
  Builder b;
  const int next = b.tensor("next", DType::i32, {1}, true);
  b.program.tensors[next].input = true;
  b.grid(1);
  for (int warp : {0, 1})
    b.role(warp ? "b" : "a", warp, 1, [&] {
      For f;
      f.lower = f.upper = b.number(0);
      f.step = b.number(1);
      f.iv = b.program.values++;
      const ValueId four = b.number(4), old = b.program.values++, more = b.program.values++;
      Stmt draw, meet, compare;
      draw.op = CounterAdd{b.box(next, {zero}, {1}), one, Scope::gpu, true, old};
      draw.exec = Exec::one;
      draw.loc = meet.loc = {"t", 99, 1};
      meet.op = NamedBarrier{{kNone, 1}, 64};
      compare.op = Scalar{ScalarOp::lt, more, {old, four}};
      f.body.stmts = {draw, compare, meet};
      f.condition = more;
      b.emit(std::move(f));
    });
  const Verdict v = proof(b);
  EXPECT_FALSE(v.provenForEveryLaunch()) << text(v);
}

Builder remote(DType type, int64_t columns, Exec exec) {
  Builder b;
  b.program.cluster[0] = 2;
  const int from = b.buffer("from", Space::smem, DType::f32, {4, 4}, Layout::row);
  const int to = b.buffer("to", Space::smem, type, {4, columns}, Layout::row);
  const int full = b.barriers("full", 1);
  b.grid(2);
  b.initAll({{full, 1}}, 1);
  b.emit(RemoteCopy{b.tile(to), b.tile(from), Builder::peer(full, zero, one)}, exec);
  return b;
}

TEST(Numbers, R20_AcceptsRemoteCopiesOfTilesLaidOutAlike) {
  EXPECT_EQ(text(remote(DType::f32, 4, Exec::one).structure()), "none");
}

TEST(Numbers, R20_RefusesRemoteCopiesBetweenDifferentTiles) {
  EXPECT_EQ(text(remote(DType::i32, 4, Exec::one).structure()),
            "R20: remote copy at t:7:1: to and from differ in shape, type or layout, and it moves "
            "bytes. The operands of an operation must agree in rank, shape and type");
  EXPECT_EQ(text(remote(DType::f32, 8, Exec::one).structure()).substr(0, 3), "R20");
}

TEST(Numbers, R13_RefusesARemoteCopyByAllLanes) {
  EXPECT_EQ(text(remote(DType::f32, 4, Exec::threads).structure()).substr(0, 3), "R13");
}

} // namespace
} // namespace sluice::test

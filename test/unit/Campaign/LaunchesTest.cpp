// Trip counts from launches, and runs with random delays.
#include "Campaign/Launches.h"

#include "Campaign/Chaos.h"
#include "Explore/Protocols.h"
#include "Verify/Ring.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

/// A loop of as many trips as tiles of 8 rows.
Builder overRows(int64_t rows) {
  Builder b;
  const int A = b.tensor("A", DType::f16, {rows, 64});
  const int a = b.buffer("a", Space::smem, DType::f16, {8, 8}, Layout::row, 2);
  b.barriers("full", 2);
  b.grid(1);
  const ValueId extent = b.scalar(ScalarOp::dim, {}, 0);
  const ValueId trips = b.scalar(ScalarOp::ceilDiv, {extent, b.number(8)});
  b.role("fill", 0, 1, [&] {
    b.loop(1, 2, 0, [&](Index, Index, Index) { b.emit(Fill{b.tile(a), 0}); });
  });
  walk(b.program.body, [&](const Stmt &s) {
    if (auto *loop = std::get_if<For>(&s.op))
      const_cast<For *>(loop)->upper = trips;
    auto *scalar = std::get_if<Scalar>(&s.op);
    if (scalar && scalar->op == ScalarOp::dim)
      const_cast<Scalar *>(scalar)->object = A;
  });
  b.place();
  return b;
}

/// Rings of two slots: 0 to 4 trips, and the 7 of the launch that was given.
TEST(Launches, EveryTripCountUpToTwiceTheSlots) {
  const Builder b = overRows(56);
  std::vector<int64_t> rows;
  for (const Launch &launch : launchesOf(b.program, b.launch)) {
    rows.push_back(launch.tensors[0].extents[0]);
    EXPECT_EQ(launch.tensors[0].strides.back(), 1);
  }
  ASSERT_EQ(rows.size(), 6u);
  for (int64_t trips = 0; trips <= 4; ++trips)
    EXPECT_EQ((rows[trips] + 7) / 8, trips);
  EXPECT_EQ(rows[5], 56);
}

TEST(Launches, KeepWhatTheAuthorAssumes) {
  Builder b = overRows(48);
  b.program.assumptions = {
      {{{ScalarOp::dim, 0, {}, 0, 0}, {ScalarOp::constant, 1, {}, 16}, {ScalarOp::gt, 2, {0, 1}}},
       "more than two tiles",
       {}}};
  std::vector<int64_t> rows;
  for (const Launch &launch : launchesOf(b.program, b.launch))
    rows.push_back(launch.tensors[0].extents[0]);
  EXPECT_EQ(rows, (std::vector<int64_t>{24, 32, 48}));
}

TEST(Launches, FixedExtentsHaveOne) {
  Builder b = readersRing({2, 3, 1});
  b.place();
  EXPECT_EQ(launchesOf(b.program, b.launch).size(), 1u);
}

std::optional<std::string> faultOf(Builder &b, int runs) {
  b.place();
  Chaos chaos(b.program, defaultArch(b.program.target), b.launch, 3000, {});
  for (int run = 0; run < runs; ++run)
    if (auto fault = chaos.run())
      return fault;
  return {};
}

TEST(Chaos, AgreesOnARightProgram) {
  RingOptions o;
  o.trips = 3;
  Builder right = ring(o);
  EXPECT_EQ(faultOf(right, 20), std::nullopt);
}

/// Two warps store to the same element, in no order.
TEST(Chaos, ShowsARace) {
  Builder b;
  const int C = b.tensor("C", DType::f16, {8, 8}, true);
  std::vector<int> r;
  for (const char *name : {"a", "b"})
    r.push_back(b.buffer(name, Space::reg, DType::f16, {8, 8}, Layout::blocked, 1, name));
  b.grid(1);
  for (int i = 0; i < 2; ++i)
    b.role(i ? "b" : "a", i, 1, [&] {
      b.emit(Fill{b.tile(r[i]), 1.0 + i});
      b.emit(Copy{b.box(C, {constant(0), constant(0)}, {8, 8}), b.tile(r[i])});
    });
  const auto fault = faultOf(b, 50);
  ASSERT_TRUE(fault);
  EXPECT_TRUE(fault->ends_with("another C")) << *fault;
}

} // namespace
} // namespace sluice::test

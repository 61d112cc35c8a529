// What the checker tells beside the verdict: operations that never matter, slots that never fill,
// and generic reads that a refill overtakes.
#include "Ring.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sluice::test {
namespace {

using Texts = std::vector<std::string>;

Texts notes(Builder b) {
  b.place();
  const Verdict v = prove(b.program, defaultArch(b.program.target), b.launch);
  EXPECT_EQ(v.kind, Verdict::proven) << (v.violations.empty() ? "" : v.violations[0].message);
  EXPECT_EQ(v.tripCounts, "all");
  return v.notes;
}

TEST(Notes, AreNoneForARing) {
  EXPECT_EQ(notes(ring({})), Texts{});
}

TEST(Notes, NameABarrierThatBringsNothing) {
  Builder b;
  b.grid(1);
  b.program.warps = 2;
  const int a = b.buffer("a", Space::smem, DType::f16, {64, 64}, Layout::row);
  b.role("first", 0, 1, [&] { b.emit(Fill{b.tile(a), 0}); });
  b.sync(0, 2);
  const int once = b.line();
  b.sync(0, 2);
  EXPECT_EQ(notes(b), (Texts{"named barrier 0 at t:" + std::to_string(once + 1) +
                             ":1 is implied by others: nobody learns anything new from it"}));
}

/// Warp 0 fills a tile, fences, and one lane stores it; `again`: a second fence.
Builder staged(bool again) {
  Builder b;
  const int C = b.tensor("C", DType::f16, {64, 64}, true);
  const int c = b.buffer("c", Space::smem, DType::f16, {64, 64}, Layout::row);
  b.grid(1);
  b.role("store", 0, 1, [&] {
    b.emit(Fill{b.tile(c), 0});
    b.emit(Fence{Fence::proxyAsync});
    if (again)
      b.emit(Fence{Fence::proxyAsync});
    b.emit(WarpSync{});
    b.emit(TmaStore{b.box(C, {zero, zero}, {64, 64}), b.tile(c)}, Exec::one);
    b.emit(BulkCommit{}, Exec::one);
    b.emit(BulkWait{0, false}, Exec::one);
  });
  return b;
}

TEST(Notes, NameAFenceThatHasNothingToShow) {
  EXPECT_EQ(notes(staged(false)), Texts{});
  EXPECT_EQ(notes(staged(true)),
            (Texts{"fence.proxy.async at t:6:1 has nothing to make visible: no generic access to "
                   "shared memory comes before it that another fence does not cover"}));
}

TEST(Notes, NameAWaitThatNeverBlocks) {
  Builder b;
  const int bar = b.barriers("bar", 1);
  b.grid(1);
  b.initAll({{bar, 1}}, 2);
  b.role("signaller", 0, 1, [&] { b.arrive(bar, zero); });
  b.sync(0, 2);
  int line = 0;
  b.role("waiter", 1, 1, [&] {
    b.wait(bar, zero, zero, Exec::one);
    line = b.line();
  });
  b.sync(0, 2);
  EXPECT_EQ(notes(b), (Texts{"the wait for bar at t:" + std::to_string(line) +
                             ":1 never blocks: all that it waits for is known before it"}));
}

/// A loads into a ring of `stages`; warps 0-3 read it with generic loads.
Builder genericReaders(int64_t stages, bool fence, bool waitForReaders = false) {
  Builder b;
  const int64_t trips = 3 * stages + 1;
  const int A = b.tensor("A", DType::f16, {64 * trips, 64});
  const int a = b.buffer("a", Space::smem, DType::f16, {64, 64}, Layout::row, stages);
  const int r = b.buffer("r", Space::reg, DType::f16, {64, 64}, Layout::acc, 1, "use");
  const int full = b.barriers("full", stages), empty = b.barriers("empty", stages);
  b.grid(1);
  b.initAll({{full, 1}, {empty, 4}}, 5);
  b.role("load", 4, 1, [&] {
    b.loop(trips, stages, 1, [&](Index i, Index slot, Index parity) {
      const ValueId row = b.scalar(ScalarOp::mul, {i.value, b.number(64)});
      b.wait(empty, slot, parity, Exec::one);
      b.expect(full, slot, 8192);
      b.load(b.tile(a, slot), b.box(A, {{row, 0}, constant(0)}, {64, 64}), full, slot);
      if (waitForReaders)
        b.wait(empty, slot, {b.scalar(ScalarOp::xorI, {parity.value, b.number(1)}), 0}, Exec::one);
    });
  });
  b.role("use", 0, 4, [&] {
    b.loop(trips, stages, 0, [&](Index, Index slot, Index parity) {
      b.wait(full, slot, parity);
      b.emit(Copy{b.tile(r), b.tile(a, slot)});
      if (fence)
        b.emit(Fence{Fence::proxyAsync});
      b.emit(WarpSync{});
      b.arrive(empty, slot);
    });
  });
  return b;
}

TEST(Notes, NameARingThatIsSerialised) {
  const Texts found = notes(genericReaders(2, true, true));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].substr(0, 18), "the wait for empty");
  EXPECT_EQ(found[1], "a is serialised: each refill follows the last read of the fill before, so "
                      "its 2 slots never overlap");
}

Verdict strictly(Builder b) {
  b.place();
  return prove(b.program, defaultArch(b.program.target), b.launch, {.strict = true});
}

TEST(MemoryRules, R39_AcceptsAFenceBetweenGenericReadAndRefill) {
  EXPECT_EQ(strictly(genericReaders(2, true)).kind, Verdict::proven);
  EXPECT_EQ(notes(genericReaders(2, true)), Texts{});
}

TEST(MemoryRules, R39_AcceptsAsynchronousReaders) {
  EXPECT_EQ(strictly(ring({})).kind, Verdict::proven);
}

TEST(MemoryRules, R39_RefusesARefillOverGenericReadsWithoutAFence) {
  const Verdict v = strictly(genericReaders(2, false));
  ASSERT_EQ(v.kind, Verdict::violated);
  EXPECT_EQ(v.violations[0].rule, "R39");
  EXPECT_EQ(
      v.violations[0].message,
      "TMA load of load warp 4 of CTA (0) at t:21:1 overwrites a[0] (shared memory bytes 0 to "
      "2047) that copy of use warp 0 of CTA (0) at t:33:1 has read through the generic proxy, "
      "and no fence.proxy.async lies between. Put the fence after the read, before the arrive "
      "that releases the bytes");
}

TEST(MemoryRules, R39_IsAnAssumptionOtherwise) {
  Builder b = genericReaders(2, false);
  b.place();
  const Verdict v = prove(b.program, defaultArch(b.program.target), b.launch);
  EXPECT_EQ(v.kind, Verdict::proven);
  EXPECT_NE(std::ranges::find(
                v.assumptions,
                "reads-in-time: what copy at t:33:1 reads of a has come before TMA load at t:21:1 "
                "overwrites it, without fence.proxy.async between (R39; an H100 has overtaken such "
                "reads of shared memory, --strict refuses it)"),
            v.assumptions.end());
}

} // namespace
} // namespace sluice::test

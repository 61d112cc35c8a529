// cp.async: every lane waits for its own copies. What checker and explorer make of it.
#include "Compare.h"
#include "Verify/Builder.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

/// A warp that copies by all its lanes and arrives on `full` when the copies have ended; then
/// `after`.
struct CopyingWarp : Builder {
  int tileT, full;

  explicit CopyingWarp(const std::function<void(CopyingWarp &)> &after) {
    const int A = tensor("A", DType::f16, {8, 8});
    tileT = buffer("t", Space::smem, DType::f16, {8, 8}, Layout::row);
    full = barriers("full", 1);
    grid(1);
    initAll({{full, 32}}, 1);
    role("copy", 0, 1, [&] {
      emit(Copy{tile(tileT), box(A, {zero, zero}, {8, 8}), true});
      emit(CpAsyncArrive{at(full), true});
      after(*this);
    });
    place();
  }
  void waitGroup(Exec exec) {
    emit(CpAsyncCommit{}, exec);
    emit(CpAsyncWait{0}, exec);
  }
  void awaitArrivals(Exec exec) { wait(full, zero, zero, exec); }
  void refill() { emit(Fill{tile(tileT), 0}); }
};

/// What the checker says, after what the explorer finds.
std::string both(const std::function<void(CopyingWarp &)> &after) {
  const CopyingWarp b(after);
  const Exploration e = explore(b.program, b.launch);
  const Verdict v = check(b.program, defaultArch(b.program.target), b.launch);
  return (e.kind == Exploration::clean ? "clean" : e.rule) + ", " + rule(v);
}

TEST(CopyGroups, AWaitOfAllLanesAndAWarpSync) {
  EXPECT_EQ(both([](CopyingWarp &w) {
              w.waitGroup(Exec::threads);
              w.emit(WarpSync{});
              w.refill();
              w.awaitArrivals(Exec::threads);
            }),
            "clean, proven");
}

TEST(CopyGroups, OtherLanesDoNotKnowTheElectedLanesCopies) {
  // The elected lane knows all copies by their arrivals, the others their own by wait_group.
  EXPECT_EQ(both([](CopyingWarp &w) {
              w.waitGroup(Exec::threads);
              w.awaitArrivals(Exec::one);
              w.refill();
            }),
            "R22, R22");
  EXPECT_EQ(both([](CopyingWarp &w) {
              w.waitGroup(Exec::threads);
              w.awaitArrivals(Exec::one);
              w.emit(WarpSync{});
              w.refill();
            }),
            "clean, proven");
}

TEST(CopyGroups, TheElectedLaneDoesNotWaitForTheOthers) {
  EXPECT_EQ(both([](CopyingWarp &w) {
              w.waitGroup(Exec::one);
              w.emit(WarpSync{});
              w.refill();
              w.awaitArrivals(Exec::threads);
            }),
            "R22, R22");
  EXPECT_EQ(both([](CopyingWarp &w) {
              w.waitGroup(Exec::one);
              w.awaitArrivals(Exec::threads);
              w.refill();
            }),
            "clean, proven");
}

} // namespace
} // namespace sluice::test

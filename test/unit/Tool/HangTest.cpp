// What a kernel that hangs on the device has written, in words.
#include "sluice/Hang.h"

#include "Diagnose/Report.h"
#include "Emit/SyncIds.h"

#include <gtest/gtest.h>

namespace sluice::tool {
namespace {

Stmt statement(Operation op, int line) {
  return {std::move(op), Exec::threads, Pipe::none, {"ring.mlir", line, 3}};
}

/// A ring of two slots between a role of two warps and one of one; offsets 64 and 80.
Program ring() {
  Program p;
  p.name = "ring";
  p.warps = 3;
  p.gridRank = 2;
  p.mbarriers = {{"full", 2, 64, {}}, {"empty", 2, 80, {}}};
  p.tensors.push_back({"turn", DType::i32, 1, 0, 4, true, true, {}});
  View turn;
  turn.kind = View::tensor;
  turn.object = 0;
  Role read{"read", 0, 2, "", 0, {}}, write{"write", 2, 1, "", 0, {}};
  read.body.stmts.push_back(statement(MbarrierWait{{0, {}, {}}, {}}, 10));
  read.body.stmts.push_back(statement(CounterWait{turn, {kNone, 4}}, 11));
  write.body.stmts.push_back(statement(MbarrierWait{{1, {}, {}}, {}}, 20));
  p.body.stmts.push_back(statement(NamedBarrier{{kNone, 0}, 96}, 5));
  p.body.stmts.push_back(statement(std::move(read), 9));
  p.body.stmts.push_back(statement(std::move(write), 19));
  return p;
}

WatchdogNote note(uint32_t sync, uint32_t warp, uint32_t offset, uint32_t parity, uint32_t phase) {
  return {sync, WatchdogNote::expired, {3, 1, 0}, warp, offset, parity, 0x1fff, phase, 4};
}

TEST(Hang, SaysWhoWaitsOnWhat) {
  const Program p = ring();
  const std::vector<WatchdogNote> notes = {note(2, 0, 72, 1, 1), note(2, 1, 72, 1, 1),
                                           note(4, 2, 80, 0, 0), note(3, 1, 0, 0, 0),
                                           note(1, 2, 0, 0, 0)};
  EXPECT_EQ(hangSummary(p, notes), "kernel ring hangs: 5 warps wait for more than 2 s");
  EXPECT_EQ(
      blockedText(blockedIn(p, notes)),
      "  blocked: read warp 0 of CTA (3,1) and 1 more on full[1] parity 1 (the phase of parity 1 "
      "runs, the barrier holds 0x0000000000001fff) at ring.mlir:10:3\n"
      "  blocked: write warp 2 of CTA (3,1) on empty[0] parity 0 (the phase of parity 0 runs, the "
      "barrier holds 0x0000000000001fff) at ring.mlir:20:3\n"
      "  blocked: read warp 1 of CTA (3,1) on counter turn >= 4 (at 8191) at ring.mlir:11:3\n"
      "  blocked: warp 2 of CTA (3,1) on named barrier 0 (of 96 threads) at ring.mlir:5:3\n");
}

/// Which one of those that an id chooses from is not noted.
TEST(Hang, LeavesOutAnIdThatIsComputed) {
  Program p = ring();
  p.body.stmts[0] = statement(NamedBarrier{{7, 1}, 96}, 5);
  EXPECT_EQ(blockedText(blockedIn(p, {note(1, 2, 0, 0, 0)})),
            "  blocked: warp 2 of CTA (3,1) on a named barrier (of 96 threads) at ring.mlir:5:3\n");
}

TEST(Hang, IgnoresWhatIsNoNumberOfTheProgram) {
  const Program p = ring();
  EXPECT_TRUE(blockedIn(p, {note(0, 0, 0, 0, 0), note(99, 0, 0, 0, 0)}).empty());
}

} // namespace
} // namespace sluice::tool

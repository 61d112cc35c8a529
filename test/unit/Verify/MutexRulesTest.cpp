// R49, and what mutexes of Ascend 950 order.
#include "Builder.h"
#include "Program/Watchers.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

/// A tile is loaded to UB and stored, each under a mutex; `step` may come between.
struct Handover {
  int64_t loaded = 3, stored = 3; // ids
  Pipe unlocks = Pipe::mte2;      // the load's
  bool storeUnlocks = true;
  Target target = Target::ascend950;

  Builder program() const {
    Builder b(target);
    const int x = b.tensor("x", DType::f32, {64, 64}),
              y = b.tensor("y", DType::f32, {64, 64}, true);
    const int ub = b.buffer("ub", Space::ub, DType::f32, {32, 32}, Layout::row);
    b.grid(1);
    b.core("aiv", [&] {
      const Index mine{b.scalar(ScalarOp::mul, {b.scalar(ScalarOp::subblock), b.number(32)}), 0};
      b.lock(Pipe::mte2, loaded);
      b.copy(Pipe::mte2, b.tile(ub), b.box(x, {constant(0), constant(0)}, {32, 32}));
      b.unlock(unlocks, loaded);
      b.lock(Pipe::mte3, stored);
      b.copy(Pipe::mte3, b.box(y, {mine, constant(0)}, {32, 32}), b.tile(ub));
      if (storeUnlocks)
        b.unlock(Pipe::mte3, stored);
    });
    findWatchers(b.program);
    return b;
  }
  std::string verdict() const { return text(program().check()); }
};

TEST(MutexRules, R49_AcceptsTurns) {
  EXPECT_EQ(Handover{}.verdict(), "proven");
  EXPECT_EQ((Handover{.loaded = 27, .stored = 27}).verdict(), "proven");
}

TEST(MutexRules, R49_RefusesReservedIds) {
  EXPECT_EQ(
      (Handover{.loaded = 28, .stored = 28}).verdict(),
      "R49: mutex.lock of pipe MTE2 of aiv0 at t:7:1 uses mutex 28; the ids are 0 to 27; 28 to "
      "31 are reserved");
}

TEST(MutexRules, R49_RefusesTheUnlockOfAnotherPipe) {
  EXPECT_EQ(
      (Handover{.unlocks = Pipe::mte3}).verdict(),
      "R49: mutex.unlock of pipe MTE3 of aiv0 at t:9:1 unlocks mutex 3, which pipe MTE3 has not "
      "locked: a lock and the unlock behind it are of one pipe");
}

TEST(MutexRules, R49_RefusesWhatIsLeftLocked) {
  EXPECT_EQ((Handover{.storeUnlocks = false}).verdict(),
            "R49: mutex 3 of aiv0 is left locked at the end by mutex.lock at t:10:1. Unlock it");
}

TEST(MutexRules, R49_RefusesPairsThatNest) {
  Builder b(Target::ascend950);
  b.grid(1);
  b.core("aiv", [&] {
    b.lock(Pipe::v, 0);
    b.lock(Pipe::v, 0);
    b.unlock(Pipe::v, 0);
    b.unlock(Pipe::v, 0);
  });
  findWatchers(b.program);
  EXPECT_EQ(
      text(b.check()),
      "R49: mutex.lock of pipe V of aiv0 at t:5:1 locks mutex 0, which mutex.lock at t:4:1 has "
      "locked and nothing has unlocked: pairs of one id do not nest. Unlock it first, or take "
      "another id");
}

TEST(MutexRules, R49_RefusesThemOn910b) {
  EXPECT_EQ(text((Handover{.target = Target::ascend910b}).program().structure()),
            "R49: mutex.lock at t:7:1: ascend910b has no mutexes; ascend950 has. Hand tiles on by "
            "flags");
}

TEST(MutexRules, R22_AnotherIdOrdersNothing) {
  EXPECT_TRUE((Handover{.stored = 4}).verdict().starts_with("R22: "))
      << Handover{.stored = 4}.verdict();
}

/// What stands between a fill and a copy of MTE2 into the same tile.
std::string fillThenLoad(const std::function<void(Builder &)> &between) {
  Builder b(Target::ascend950);
  const int x = b.tensor("x", DType::f16, {64, 64});
  const int l1 = b.buffer("l1", Space::l1, DType::f16, {32, 32}, Layout::zN);
  b.grid(1);
  b.core("aic", [&] {
    b.lock(Pipe::mte2, 0);
    b.emit(Fill{b.tile(l1), 0}, Exec::threads, Pipe::mte2);
    b.unlock(Pipe::mte2, 0);
    between(b);
    b.lock(Pipe::mte2, 0);
    b.copy(Pipe::mte2, b.tile(l1), b.box(x, {constant(0), constant(0)}, {32, 32}));
    b.unlock(Pipe::mte2, 0);
  });
  findWatchers(b.program);
  return text(b.check());
}

/// Lock: "cannot synchronise instructions of one pipe"; a turn of another pipe in between does.
TEST(MutexRules, R33_ATurnOfTheSamePipeOrdersNothing) {
  EXPECT_TRUE(fillThenLoad([](Builder &) {}).starts_with("R33: "));
  EXPECT_EQ(fillThenLoad([](Builder &b) {
              b.lock(Pipe::mte1, 0);
              b.unlock(Pipe::mte1, 0);
            }),
            "proven");
}

/// Pipes that share no id with a statement need not come to it.
TEST(Mutexes, AreCountedByThoseWhoShareIds) {
  Builder b(Target::ascend950);
  b.grid(1);
  b.core("aic", [&] {
    b.lock(Pipe::mte2, 0);
    b.unlock(Pipe::mte2, 0);
    b.lock(Pipe::mte1, 0);
    b.unlock(Pipe::mte1, 0);
    b.lock(Pipe::m, 1);
    b.unlock(Pipe::m, 1);
  });
  findWatchers(b.program);
  std::vector<uint32_t> watchers;
  walk(b.program.body, [&](const Stmt &s) {
    if (auto *mutex = std::get_if<Mutex>(&s.op))
      watchers.push_back(mutex->watchers);
  });
  const uint32_t pair = bitOf(Pipe::mte2) | bitOf(Pipe::mte1), alone = bitOf(Pipe::m);
  EXPECT_EQ(watchers, (std::vector<uint32_t>{pair, pair, pair, pair, alone, alone}));
}

} // namespace
} // namespace sluice::test

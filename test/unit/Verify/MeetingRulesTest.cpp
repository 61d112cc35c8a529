// R47: the meeting of all cores of a launch, and what it orders.
#include "Builder.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

/// Each vector core of three blocks stores a row, meets all others and loads the row of `other`
/// blocks further on, of six.
struct Rows {
  Builder b{Target::ascend910b};
  int W, stored, loaded;
  ValueId core = kNone;

  Rows() {
    W = b.tensor("W", DType::f32, {6, 8}, true);
    b.program.tensors[W].input = true;
    stored = b.buffer("stored", Space::ub, DType::f32, {1, 8}, Layout::row);
    loaded = b.buffer("loaded", Space::ub, DType::f32, {1, 8}, Layout::row);
    core = b.grid(3);
  }
  View row(int64_t other) {
    const ValueId twice = b.scalar(ScalarOp::mul, {core, b.number(2)});
    const ValueId mine = b.scalar(ScalarOp::add, {twice, b.scalar(ScalarOp::subblock)});
    const ValueId far = b.scalar(ScalarOp::add, {mine, b.number(2 * other)});
    const ValueId at = b.scalar(ScalarOp::remS, {far, b.number(6)});
    return b.box(W, {Index{at, 0}, zero}, {1, 8});
  }
  void store() {
    b.emit(Fill{b.tile(stored), 1}, Exec::threads, Pipe::v);
    b.set(Pipe::v, Pipe::mte3, zero);
    b.waitFor(Pipe::v, Pipe::mte3, zero);
    b.copy(Pipe::mte3, row(0), b.tile(stored));
  }
  void set(Pipe pipe = Pipe::mte3, int64_t id = 1) { b.emit(CrossSet{0, pipe, constant(id)}); }
  void wait(Pipe pipe = Pipe::mte2, int64_t id = 1) { b.emit(CrossWait{pipe, constant(id)}); }
  void load(int64_t other) { b.copy(Pipe::mte2, b.tile(loaded), row(other)); }
};

Builder rows(const std::function<void(Rows &)> &body) {
  Rows r;
  r.b.core("aiv", [&] { body(r); });
  return r.b;
}

TEST(MeetingRules, R47_AcceptsAMeetingBehindTheStore) {
  for (const int64_t other : {0, 1, 2})
    EXPECT_EQ(text(rows([&](Rows &r) { r.store(), r.set(), r.wait(), r.load(other); }).check()),
              "proven");
}

TEST(MeetingRules, R27_RefusesALoadInFrontOfTheMeeting) {
  EXPECT_EQ(rule(rows([](Rows &r) { r.store(), r.load(1), r.set(), r.wait(); }).check()), "R27");
}

TEST(MeetingRules, R27_RefusesAStoreBehindTheMeeting) {
  EXPECT_EQ(rule(rows([](Rows &r) { r.set(), r.store(), r.wait(), r.load(1); }).check()), "R27");
}

TEST(MeetingRules, R27_RefusesASetByAnotherPipe) {
  EXPECT_EQ(rule(rows([](Rows &r) { r.store(), r.set(Pipe::v), r.wait(), r.load(1); }).check()),
            "R27");
}

TEST(MeetingRules, R27_RefusesAWaitOfAnotherPipe) {
  EXPECT_EQ(rule(rows([](Rows &r) { r.store(), r.set(), r.wait(Pipe::v), r.load(1); }).check()),
            "R27");
}

TEST(MeetingRules, R9_RefusesAWaitInFrontOfTheSet) {
  EXPECT_EQ(rule(rows([](Rows &r) { r.wait(), r.set(Pipe::mte2); }).check()), "R9");
}

TEST(MeetingRules, R47_RefusesASetNobodyWaitsFor) {
  EXPECT_EQ(text(rows([](Rows &r) { r.store(), r.set(); }).structure()),
            "R47: cross-core set at t:16:1 is waited for by nobody: the flag of every core would "
            "stay set");
}

TEST(MeetingRules, R47_RefusesSomeCores) {
  EXPECT_EQ(text(rows([](Rows &r) {
                   r.b.when(r.b.scalar(ScalarOp::subblock), [&] { r.set(); });
                   r.wait();
                 }).structure()),
            "R47: cross-core set at t:6:1 stands in a loop or a branch; each core has to come to "
            "the meeting of all, and once. Put it behind the loop");
}

TEST(MeetingRules, R47_RefusesAWaitInALoop) {
  EXPECT_EQ(text(rows([](Rows &r) {
                   r.set();
                   r.b.loop(2, 1, 0, [&](Index, Index, Index) { r.wait(); });
                 }).structure()),
            "R47: cross-core wait at t:13:1 stands in a loop or a branch; each core has to come to "
            "the meeting of all, and once. Put it behind the loop");
}

TEST(MeetingRules, R47_RefusesASecondMeeting) {
  EXPECT_EQ(text(rows([](Rows &r) {
                   r.set(), r.wait();
                   r.set(Pipe::mte3, 2), r.wait(Pipe::mte2, 2);
                 }).structure()),
            "R47: cross-core set at t:6:1 is a second meeting of all cores at t:4:1; a launch has "
            "one");
}

TEST(MeetingRules, R47_RefusesAnotherSetOfItsFlag) {
  EXPECT_EQ(text(rows([](Rows &r) {
                   r.set(), r.wait();
                   r.b.emit(CrossSet{2, Pipe::mte3, one});
                 }).structure()),
            "R47: cross-core set at t:6:1 has the id of the meeting of all cores at t:4:1; take "
            "another");
}

TEST(MeetingRules, R47_RefusesOtherCoresThatWait) {
  Rows r;
  r.b.core("aiv", [&] { r.set(); });
  r.b.core("aic", [&] { r.wait(); });
  EXPECT_EQ(
      text(r.b.structure()),
      "R47: cross-core wait at t:6:1 waits in a role of core aic for the meeting of all cores "
      "at t:4:1, where those of aiv meet");
}

} // namespace
} // namespace sluice::test

// Flags, pipes and their costs on an Ascend core.
#include "QkLoop.h"

#include "Program/Blocks.h"
#include "Simulate/Simulate.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace sluice;
using namespace sluice::test;

namespace {

SimulateResult timed(const Builder &b, const std::string &arch) {
  SimulateOptions options;
  options.timeline = true;
  auto result = simulateTime(b.program, *findArch(arch), b.launch, options);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  EXPECT_FALSE(result->violation) << result->violation->message;
  return *result;
}

double cyclesPerIteration(QkSlots slots) {
  Timeline t = timed(qkLoop(14, slots), "public-a2a3").timeline;
  EXPECT_EQ(t.iterations, 14);
  return t.cycles / 14;
}

TEST(PingPong, CyclesPerIterationOfThePublicModel) {
  EXPECT_NEAR(cyclesPerIteration({1, 1, 1}), 1373, 0.03 * 1373);
  EXPECT_NEAR(cyclesPerIteration({1, 2, 2}), 892, 0.03 * 892);
  EXPECT_NEAR(cyclesPerIteration({1, 2, 1}), 1373, 0.03 * 1373);
  EXPECT_NEAR(cyclesPerIteration({1, 1, 2}), 892, 0.03 * 892);
  EXPECT_NEAR(cyclesPerIteration({2, 2, 2}), 892, 0.03 * 892);
}

/// Without units on the side of FIX.
Builder takingNone() {
  Builder b = qkLoop(3, {1, 2, 1, true});
  const auto change = [](auto &self, Block &block) -> void {
    for (Stmt &s : block.stmts) {
      if (auto *copy = std::get_if<Copy>(&s.op))
        copy->byUnits = false;
      forBlocks(s, [&](Block &inner) { self(self, inner); });
    }
  };
  change(change, b.program.body);
  return b;
}

TEST(Units, FixStoresUnderTheProductsOfOneSlot) {
  EXPECT_NEAR(cyclesPerIteration({1, 2, 1, true}), 855, 0.03 * 855);
  EXPECT_NEAR(cyclesPerIteration({1, 1, 1, true}), 855, 0.03 * 855);
}

TEST(Units, ThatFixDoesNotTakeHang) {
  const Builder b = takingNone();
  const auto result = simulateTime(b.program, *findArch("ascend910b2"), b.launch, {});
  ASSERT_TRUE(result->violation);
  EXPECT_EQ(result->violation->rule, "R9");
  EXPECT_NE(result->violation->message.find("waits on units of acc[0] (of FIX)"),
            std::string::npos);
}

TEST(PingPong, CostsOfTheOperations) {
  Timeline t = timed(qkLoop(14, {1, 2, 2}), "public-a2a3").timeline;
  auto duration = [&](const std::string &row) {
    for (const TimelineEvent &e : t.events)
      if (t.rows[e.row].name == row && e.kind == TimelineEvent::work)
        return e.end - e.begin;
    return 0.0;
  };
  EXPECT_NEAR(duration("MTE2"), 418, 1);
  EXPECT_NEAR(duration("MTE1"), 256, 1);
  EXPECT_NEAR(duration("M"), 518, 1);
  EXPECT_NEAR(duration("FIX"), 807, 1);
  EXPECT_NEAR(t.serialInterval, 418 + 256 + 518 + 807, 3);
  EXPECT_EQ(t.critical, "FIX");
  EXPECT_NEAR(t.initiationInterval, 807, 2); // steady state: FIX never stops
  EXPECT_NEAR(t.utilisation["FIX"], 0.9, 0.03);
}

bool mentions(const Timeline &t, const std::string &text) {
  for (const std::string &note : t.notes)
    if (note.find(text) != std::string::npos)
      return true;
  return false;
}

TEST(PingPong, NotesSayWhichSlotsPay) {
  Timeline one = timed(qkLoop(14, {1, 2, 1}), "public-a2a3").timeline;
  EXPECT_TRUE(mentions(one, "slots of acc (L0C): 1, M waits")) << one.notes.back();
  Timeline two = timed(qkLoop(14, {1, 2, 2}), "public-a2a3").timeline;
  EXPECT_TRUE(mentions(two, "FIX is busy all the time")) << two.notes.back();
  EXPECT_TRUE(mentions(two, "ring acc: slots 2, at most 2 in use"));
}

class QkValues : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(PingPong, QkValues, testing::Values(false, true));

TEST_P(QkValues, AreRight) {
  Builder b = qkLoop(3, {1, 2, GetParam() ? 1 : 2, GetParam()});
  std::vector<HostTensor> t;
  for (size_t i = 0; i < 3; ++i)
    t.push_back(HostTensor::dense(DType::f16, b.launch.tensors[i].extents, 1));
  for (int64_t i = 0; i < 128; ++i) {
    for (int64_t k = 0; k < 128; ++k)
      t[0].set({i, k}, double((i * 7 + k * 3) % 5) - 2);
    for (int64_t j = 0; j < 384; ++j)
      t[1].set({i, j}, double((i * 5 + j) % 7) - 3);
  }
  auto result = simulate(b.program, *findArch("ascend910b2"), {}, t, {});
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_FALSE(result->violation) << result->violation->message;
  for (int64_t i = 0; i < 128; i += 13)
    for (int64_t j = 0; j < 384; j += 11) {
      double sum = 0;
      for (int64_t k = 0; k < 128; ++k)
        sum += t[0].at({i, k}) * t[1].at({k, j});
      EXPECT_EQ(t[2].at({i, j}), sum);
    }
}

SimulateResult runFlags(const std::function<void(Builder &)> &body) {
  Builder b(Target::ascend910b);
  b.grid(1);
  b.core("aic", [&] { body(b); });
  SimulateOptions options;
  return *simulateTime(b.program, *findArch("ascend910b2"), b.launch, options);
}

TEST(Flags, SetTwiceIsAViolation) {
  auto result = runFlags([](Builder &b) {
    b.set(Pipe::mte2, Pipe::mte1, constant(0));
    b.set(Pipe::mte2, Pipe::mte1, constant(0));
  });
  ASSERT_TRUE(result.violation);
  EXPECT_EQ(result.violation->rule, "R32");
  EXPECT_EQ(result.violation->location.line, 5);
}

TEST(Flags, LeftSetAtTheEndIsAViolation) {
  auto result = runFlags([](Builder &b) { b.set(Pipe::m, Pipe::fix, constant(3)); });
  ASSERT_TRUE(result.violation);
  EXPECT_EQ(result.violation->rule, "R35");
  EXPECT_EQ(result.violation->barrier, "flag M->FIX id 3");
}

TEST(Flags, MissingPrimingHangsAndNamesEveryPipe) {
  auto result = runFlags([](Builder &b) {
    b.waitFor(Pipe::mte1, Pipe::mte2, constant(0));
    b.set(Pipe::mte2, Pipe::mte1, constant(0));
    b.waitFor(Pipe::mte2, Pipe::mte1, constant(0));
    b.set(Pipe::mte1, Pipe::mte2, constant(0));
  });
  ASSERT_TRUE(result.violation);
  EXPECT_EQ(result.violation->rule, "R9");
  ASSERT_EQ(result.violation->blocked.size(), 2u);
  EXPECT_EQ(result.violation->blocked[0].agent, "pipe MTE1 of aic");
  EXPECT_EQ(result.violation->blocked[0].waitsOn, "flag MTE2->MTE1 id 0");
  EXPECT_EQ(result.violation->blocked[1].waitsOn, "flag MTE1->MTE2 id 0");
}

TEST(Flags, CrossCoreCountsToFifteen) {
  auto sets = [](int64_t n) {
    Builder b(Target::ascend910b);
    b.grid(1);
    b.core("aic", [&] {
      b.loop(n, 1, 0, [&](Index, Index, Index) { b.emit(CrossSet{2, Pipe::fix, constant(1)}); });
    });
    b.core("aiv", [&] {
      b.loop(n, 1, 0, [&](Index, Index, Index) {
        b.emit(Fill{b.tile(b.buffer("u", Space::ub, DType::f32, {64, 64}, Layout::row)), 0},
               Exec::threads, Pipe::v);
        b.emit(CrossWait{Pipe::v, constant(1)});
      });
    });
    return simulateTime(b.program, *findArch("ascend910b2"), b.launch, {})->violation;
  };
  EXPECT_FALSE(sets(15));
  auto violation = sets(40); // the vector cores are slower
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->rule, "R34");
}

} // namespace

// Counters in global memory: CTAs that take turns.
#include "Verify/Builder.h"

#include "Simulate/Simulate.h"

#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::test;

namespace {

/// CTA k waits for turn k + `late`, adds k + 1 to T, and gives the turn to the next; the last one
/// sets it back.
Builder takesTurns(int64_t ctas, int64_t late = 0) {
  Builder b;
  const int T = b.tensor("T", DType::f32, {32, 32}, true);
  b.program.tensors[T].input = true;
  const int turn = b.tensor("turn", DType::i32, {2, 2}, true);
  const int r = b.buffer("r", Space::reg, DType::f32, {32, 32}, Layout::blocked, 1, "all");
  const ValueId split = b.grid(ctas);
  const View counter = b.box(turn, {constant(1), zero}, {1, 1});
  const View part = b.box(T, {zero, zero}, {32, 32});
  const ElementFn increment{1,
                            false,
                            {{ElementOp::argument, DType::f32, {}, 0, 0},
                             {ElementOp::constant, DType::f32, {}, 0, 1},
                             {ElementOp::add, DType::f32, {0, 1}, 0, 0}},
                            {2}};
  b.role("all", 0, 1, [&] {
    const Index mine{b.scalar(ScalarOp::add, {split, b.number(late)}), 0};
    b.emit(CounterWait{counter, mine, Scope::gpu, true});
    b.emit(Copy{b.tile(r), part});
    b.emit(Map{{b.tile(r)}, {b.tile(r)}, increment});
    b.emit(Copy{part, b.tile(r)});
    b.emit(WarpSync{});
    const ValueId last = b.scalar(ScalarOp::eq, {split, b.number(ctas - 1)});
    b.emit(CounterAdd{counter,
                      {b.scalar(ScalarOp::select, {last, b.number(1 - ctas), b.number(1)}), 0}},
           Exec::one);
  });
  b.place();
  return b;
}

std::vector<HostTensor> zeros(const Builder &b) {
  std::vector<HostTensor> all;
  for (size_t i = 0; i < b.program.tensors.size(); ++i)
    all.push_back(HostTensor::dense(b.program.tensors[i].type, b.launch.tensors[i].extents, 1));
  return all;
}

TEST(Counters, CtasAddInTurnWhateverTheDelays) {
  const Builder b = takesTurns(50);
  for (const uint64_t seed : {0, 1, 2}) {
    std::vector<HostTensor> t = zeros(b);
    SimulateOptions options;
    options.seed = seed;
    options.chaos = seed ? 500 : 0;
    auto result = simulate(b.program, *findArch("h100"), {}, t, options);
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_FALSE(result->violation) << result->violation->message;
    EXPECT_EQ(t[0].at({3, 5}), 50);
    EXPECT_EQ(t[1].at({1, 0}), 0); // back for the next launch
    EXPECT_GT(result->cycles, 50 * findArch("h100")->loadLatency);
  }
}

TEST(Counters, MoreCtasThanTheMachineHolds) {
  const Builder b = takesTurns(3000); // those that wait came first
  auto result = simulateTime(b.program, *findArch("h100"), b.launch, {});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_FALSE(result->violation) << result->violation->message;
}

TEST(Counters, TimeOfOneCtaNeedsTheOthers) {
  const Builder b = takesTurns(4);
  SimulateOptions options;
  options.onlyCta = 3;
  options.timeline = true;
  auto result = simulateTime(b.program, *findArch("h100"), b.launch, options);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_FALSE(result->violation);
  EXPECT_FALSE(result->timeline.events.empty());
}

TEST(Counters, ATurnThatNeverComesIsTold) {
  const Builder b = takesTurns(2, 1);
  auto result = simulateTime(b.program, *findArch("h100"), b.launch, {});
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_TRUE(result->violation);
  EXPECT_EQ(result->violation->rule, "R9");
  EXPECT_EQ(result->violation->message,
            "no agent can go on and nothing is in flight; all warp 0 of CTA (0) waits on counter "
            "turn >= 1 (at 0)");
}

TEST(Counters, ACounterOutsideItsTensorIsTold) {
  Builder b = takesTurns(2);
  b.launch.tensors[1].extents = {1, 2};
  auto result = simulateTime(b.program, *findArch("h100"), b.launch, {});
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_TRUE(result->violation);
  EXPECT_EQ(result->violation->rule, "R24");
}

} // namespace

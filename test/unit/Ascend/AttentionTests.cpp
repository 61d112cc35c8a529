// Printed attention of cube and vector cores on our model of the public API.
#include "Ascend/ExpectedNotes.h"
#include "Ascend/Printed.h"
#include "Emit/Ascend/Flags.h"

#include <gtest/gtest.h>

#include <set>

namespace sluice::test {
namespace {

class AscendAttention : public testing::Test {
protected:
  void SetUp() override { ASSERT_EQ(all.error, ""); }
  const PrintedKernels &all = printedKernels();
};

TEST_F(AscendAttention, IsRightInEveryOrderOfThePipes) {
  EXPECT_EQ(RandomLaunch(all.of("attention", 2)).wrong(seedsTo(40)), "");
}

TEST_F(AscendAttention, EveryPipeDoesWhatTheBarrierLevelSaysInItsOrder) {
  constexpr Pipe queues[] = {Pipe::mte2, Pipe::mte1, Pipe::m, Pipe::fix, Pipe::v, Pipe::mte3};
  const RandomLaunch attention(all.of("attention", 2));
  ASSERT_EQ(attention.record(), "");
  for (const int core : {0, 1, 2, 3, 4, 5}) // of two blocks: a cube core and its two vector cores
    for (int queue = 0; queue < 6; ++queue) {
      const bool isCube = core % 3 == 0;
      if (isCube ? queue > 3 : queue > 0 && queue < 4)
        continue;
      const std::string kind = isCube ? "aic" : "aiv" + std::to_string(core % 3 - 1);
      const auto expected =
          expectedNotes(attention.program, attention.launch(), {core / 3, kind, queues[queue]});
      EXPECT_GT(expected.size(), 10u);
      EXPECT_EQ(ownNotes(all.model->notes(attention.program, core, queue), expected), expected)
          << kind << " pipe " << queue;
    }
}

/// What the cores tell each other stands for the rest: a tile goes round cube, vector and cube
/// core, and the scalar unit holds up all pipes where it waits. One flag less of these breaks no
/// order.
TEST_F(AscendAttention, NeedsItsFlags) {
  const RandomLaunch attention(all.of("attention", 2));
  const Ranges ranges(attention.program);
  const ascend::Flags flags(attention.program, ranges);
  std::set<std::string> implied;
  for (const ascend::FlagGroup &g : flags.groups())
    if (attention.wrongWithout(g.source, g.destination, g.first, g.last) == "")
      implied.insert(g.name);
  for (const ascend::CrossFlag &flag : ascend::crossFlagsOf(attention.program))
    if (attention.wrong(seedsTo(24), {{6, 6, int(flag.id)}}) == "")
      implied.insert(flag.name);
  EXPECT_EQ(implied, (std::set<std::string>{
                         "empty_k", "empty_k_l0b", "empty_p_l1_l0a_v_l0b", "empty_p_workspace",
                         "empty_q", "empty_q_l0a", "empty_result", "empty_s", "empty_s_ub",
                         "empty_s_workspace", "empty_v_p_l1", "empty_values", "empty_values_ub",
                         "empty_values_workspace", "full_q_l0a"}));
}

} // namespace
} // namespace sluice::test

// Stream-K among the settings of a GEMM: where its turns cost next to nothing it comes first.
#include "Plan/GemmPlan.h"

#include "Arch/GemmCosts.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

/// The steps of tiles may be dealt out.
GemmProblem problem() {
  GemmProblem p{1280, 1280, 8192};
  p.rowBytesA = 8192 * 2;
  p.rowBytesB = 1280 * 2;
  p.streams = true;
  return p;
}

/// A machine whose tiles end in no time, and hand their sums on in none.
struct Machine {
  GemmCosts costs = hopperGemmCosts();
  Arch arch = defaultArch(Target::sm_90a);
  Machine() {
    costs.turnBytesPerCycle = 1e9;
    costs.tile = costs.nextTile = costs.store = costs.copy = costs.part = 0;
    costs.loadBytesPerCycle = costs.apartBytesPerCycle = 1e6;
    costs.loadLatency = costs.box = 0;
    arch.gemm = &costs;
  }
};

bool isStreamed(const std::string &settings) {
  return settings.find("mode=streamk") != std::string::npos;
}

TEST(PlanStream, FirstWhereItTakesATenthLess) {
  const Machine machine;
  const Plan plan = planGemm(problem(), machine.arch);
  const PlanCandidate &first = plan.candidates.front();
  ASSERT_TRUE(isStreamed(first.settings)) << first.settings;
  EXPECT_LT(first.cycles, 0.9 * plan.candidates[1].cycles);
  EXPECT_FALSE(isStreamed(plan.candidates[1].settings));
  EXPECT_NE(first.why.find("132 CTAs with "), std::string::npos) << first.why;
  EXPECT_NE(first.why.find("; whole tiles take "), std::string::npos) << first.why;
}

/// Where loads take the time, CTAs that share them are faster.
TEST(PlanStream, InClustersWhereLoadsTakeTheTime) {
  Machine machine;
  machine.costs.loadBytesPerCycle = machine.costs.apartBytesPerCycle = 40;
  const Plan plan = planGemm(problem(), machine.arch);
  const std::string &first = plan.candidates.front().settings;
  EXPECT_TRUE(isStreamed(first)) << first;
  EXPECT_NE(first.find(" cluster="), std::string::npos) << first;
}

TEST(PlanStream, OutWithAReasonOtherwise) {
  const Plan plan = planGemm(problem(), defaultArch(Target::sm_90a));
  for (const PlanCandidate &candidate : plan.candidates)
    EXPECT_FALSE(isStreamed(candidate.settings)) << candidate.settings;
  const PlanRejected &last = plan.rejected.back();
  EXPECT_TRUE(isStreamed(last.settings));
  EXPECT_EQ(last.reason.rfind("stream-K: ", 0), 0U) << last.reason;
}

TEST(PlanStream, NotWhereTilesAreToBeWhole) {
  GemmProblem whole = problem();
  whole.streams = false;
  const Plan plan = planGemm(whole, Machine().arch);
  for (const PlanCandidate &candidate : plan.candidates)
    EXPECT_FALSE(isStreamed(candidate.settings)) << candidate.settings;
}

} // namespace
} // namespace sluice

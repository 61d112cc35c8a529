// Mutants of protocols that are right: none that can fail is proven.
#include "Campaign/Campaign.h"

#include "Explore/Protocols.h"
#include "Explore/TensorProtocol.h"
#include "Verify/Core.h"
#include "Verify/Ring.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

/// At least `refused` of the mutants are refused, all with rules that fit, and nothing disagrees.
void expectCaught(Builder b, size_t refused, const CampaignOptions &options = {}) {
  b.place();
  const Arch &arch = defaultArch(b.program.target);
  ASSERT_EQ(text(check(b.program, arch, b.launch)), "proven");
  const auto judged = campaign(b.program, arch, b.launch, options);
  ASSERT_TRUE(judged) << judged.error().message;
  const std::vector<MutantVerdict> &all = *judged;
  size_t caught = 0;
  for (const MutantVerdict &v : all) {
    caught += v.outcome == MutantVerdict::refused;
    EXPECT_NE(v.outcome, MutantVerdict::disagreement) << v.mutation.str() << ": " << v.detail;
    EXPECT_NE(v.outcome, MutantVerdict::refusedOddly)
        << v.mutation.str() << ": " << v.rule << ": " << v.detail;
  }
  EXPECT_GE(caught, refused) << campaignText(all);
}

RingOptions ringOf(int64_t stages, int64_t trips) {
  RingOptions o;
  o.stages = stages;
  o.trips = trips;
  return o;
}

TEST(Campaign, Readers) {
  expectCaught(readersRing({2, 5, 1}), 43);
  expectCaught(readersRing({2, 5, 2}), 64);
}

TEST(Campaign, ChangeAndStore) {
  expectCaught(changeAndStore({2, 3, 1}), 68);
}

TEST(Campaign, Multicast) {
  expectCaught(multicastRing({2, 3, 1}), 55);
}

TEST(Campaign, CopyRing) {
  expectCaught(copyRing({2, 4, 1}), 38);
}

TEST(Campaign, HandOver) {
  expectCaught(handOver({2, 3, 1}), 44);
}

TEST(Campaign, WgmmaRing) {
  expectCaught(ring(ringOf(2, 3)), 54);
}

TEST(Campaign, TensorMemory) {
  expectCaught(TensorProtocol{.tiles = 3, .byMany = true}.build(), 80);
  expectCaught(TensorProtocol{.sums = 2, .tiles = 3, .steps = 2}.build(), 80);
}

TEST(Campaign, Core) {
  CoreOptions o;
  o.trips = 4;
  expectCaught(core(o), 57);
}

/// Above the explorer's limit, runs with random delays decide.
TEST(Campaign, DelaysInsteadOfStates) {
  expectCaught(ring(ringOf(2, 3)), 50, {10, 4, 3000});
}

TEST(Campaign, LargerSlow) {
  expectCaught(ring(ringOf(3, 7)), 50, {60'000, 5, 3000});
  expectCaught(multicastRing({3, 5, 1}), 55, {60'000, 5, 3000});
  expectCaught(changeAndStore({3, 7, 1}), 68);
  expectCaught(handOver({3, 7, 1}), 44);
}

TEST(Campaign, SampleIsDrawnBySeed) {
  Builder b = readersRing({2, 3, 1});
  b.place();
  const Arch &arch = defaultArch(b.program.target);
  const auto sample = [&](uint64_t seed) {
    CampaignOptions options;
    options.sample = 5;
    options.seed = seed;
    std::vector<std::string> names;
    const auto judged = campaign(b.program, arch, b.launch, options);
    for (const MutantVerdict &v : *judged)
      names.push_back(v.mutation.str() + v.mutation.loc.str());
    return names;
  };
  EXPECT_EQ(sample(1).size(), 5u);
  EXPECT_EQ(sample(1), sample(1));
  EXPECT_NE(sample(1), sample(2));
}

TEST(Campaign, RefusesAProgramThatIsNotClean) {
  RingOptions o = ringOf(2, 3);
  o.fullCount = 2;
  Builder b = ring(o);
  b.place();
  const auto judged = campaign(b.program, defaultArch(b.program.target), b.launch);
  ASSERT_FALSE(judged);
  EXPECT_TRUE(judged.error().message.starts_with("kernel 'test' is no clean program: R9: "))
      << judged.error().message;
}

/// Of a refusal the fault that shows it; of a proof who has looked for one.
TEST(Campaign, Evidence) {
  Builder b = readersRing({2, 3, 1});
  b.place();
  const auto judged = campaign(b.program, defaultArch(b.program.target), b.launch);
  ASSERT_TRUE(judged);
  std::map<MutantVerdict::Evidence, int> seen;
  for (const MutantVerdict &v : *judged) {
    ++seen[v.evidence];
    EXPECT_FALSE(v.outcome == MutantVerdict::harmless && v.evidence != MutantVerdict::explorer);
  }
  EXPECT_GT(seen[MutantVerdict::explorer], 30);
  EXPECT_GT(seen[MutantVerdict::structure], 0);
}

TEST(Campaign, SummaryCounts) {
  Builder b = readersRing({1, 2, 1});
  std::vector<MutantVerdict> two(2);
  two[0].mutation = mutations(b.program)[0];
  two[1] = two[0];
  two[0].rule = "R1";
  two[1].outcome = MutantVerdict::harmless;
  EXPECT_EQ(campaignSummary(two), "2 mutants, 1 refused, 1 harmless, 0 DISAGREEMENT\n"
                                  "refused by purpose: initialisation 1 of 2\n");
}

} // namespace
} // namespace sluice::test

// What is proven for every launch holds at launches drawn at random: kernels with every scalar
// operation, rings and several roles, before the checker's run of one launch, all CTAs' accesses at
// once and the virtual machine.
#include "Campaign/Differential.h"
#include "Campaign/RandomLaunches.h"
#include "RandomKernel.h"
#include "RandomMeetings.h"
#include "Verify/TripCounts.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

namespace sluice::test {
namespace {

/// How hard it is tried.
struct Effort {
  int programs, launches;
  int onMachine;    // of the launches: those that the virtual machine runs too, twice
  int64_t events;   // most of one launch
  double seconds;   // of a proof
  int small = 0;    // launches beside the others, of few CTAs and events: most defects show there
  int refused = 10; // of so many programs one at least is violated
};

constexpr int64_t fewEvents = 1000; // of a small launch

/// Whether the proof without tensors comes to its end. Where it does not, prove() looks at hundreds
/// of launches for a violation, which would be most of this test's time: of those one in 16 is
/// kept.
bool isWorthwhile(const Program &program, const Arch &arch, uint64_t seed, double seconds) {
  if (seed % 64 == 0 || !checkStructure(program, arch).empty())
    return true;
  Context context(program, nullptr);
  TripLimits limits;
  limits.seconds = seconds;
  const TripProof proof = proveTripCounts(context, limits);
  return !proof.violation && !proof.unsupported;
}

/// To try one program again: SLUICE_SEED=17 SLUICE_PROGRAMS=1.
uint64_t given(const char *variable, uint64_t otherwise) {
  const char *text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

template <typename Kernel> void expectProvenHolds(uint64_t firstSeed, Effort effort) {
  firstSeed = given("SLUICE_SEED", firstSeed);
  effort.programs = static_cast<int>(given("SLUICE_PROGRAMS", effort.programs));
  std::cout << "seeds from " << firstSeed << '\n';
  int proven = 0, violated = 0;
  Differential::Counts counts;
  const Arch &arch = defaultArch(Target::sm_90a);
  for (uint64_t seed = firstSeed; seed < firstSeed + effort.programs; ++seed) {
    const Kernel kernel(seed);
    if (!isWorthwhile(kernel.program(), arch, seed, effort.seconds))
      continue;
    CheckOptions options;
    options.seconds = effort.seconds;
    const Verdict verdict = prove(kernel.program(), arch, kernel.launch(), options);
    violated += verdict.kind == Verdict::violated;
    if (!verdict.provenForEveryLaunch())
      continue;
    ++proven;
    RandomLaunches launches(kernel.program(), kernel.launch(), seed);
    Differential against(kernel.program(), arch, verdict, effort.events);
    for (int i = 0; i < effort.launches; ++i)
      if (const auto launch = launches.draw())
        if (const auto fault = against.disagreementAt(*launch, i < effort.onMachine ? 2 : 0))
          ADD_FAILURE() << "seed " << seed << " " << *fault;
    counts.add(against.counts());
    Differential briefly(kernel.program(), arch, verdict, fewEvents);
    for (int i = 0; i < effort.small; ++i)
      if (const auto launch = launches.drawSmall())
        if (const auto fault = briefly.disagreementAt(*launch, 0))
          ADD_FAILURE() << "seed " << seed << " " << *fault;
    counts.add(briefly.counts());
  }
  std::cout << proven << " proven, " << violated << " violated of " << effort.programs << "; "
            << counts.str() << '\n';
  EXPECT_GE(proven, effort.programs / 20);
  EXPECT_GE(violated, effort.programs / effort.refused);
}

TEST(Launches, WhatIsProvenHolds) {
  expectProvenHolds<RandomKernel>(1, {600, 6, 1, 5000, 0.02, 44});
}

TEST(Launches, WhatIsProvenOfMeetingsHolds) {
  expectProvenHolds<RandomMeetings>(1, {240, 6, 1, 5000, 0.02, 44, 20});
}

// Two hours of a processor.
TEST(Launches, WhatIsProvenHoldsSlow) {
  expectProvenHolds<RandomKernel>(std::random_device()() * uint64_t{100'000},
                                  {100'000, 6, 1, 5000, 0.02, 44});
}

TEST(Launches, WhatIsProvenOfMeetingsHoldsSlow) {
  expectProvenHolds<RandomMeetings>(std::random_device()() * uint64_t{100'000},
                                    {20'000, 6, 1, 5000, 0.02, 44, 20});
}

TEST(Launches, WhatIsProvenHoldsAtLargeLaunchesSlow) {
  expectProvenHolds<RandomKernel>(std::random_device()() * uint64_t{100'000},
                                  {500, 50, 4, 200'000, 0.1});
}

} // namespace
} // namespace sluice::test

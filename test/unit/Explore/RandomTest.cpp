// Random programs: what the checker proves, the explorer must find clean; what it refuses without
// effect must be a slip against the order of phases.
#include "AnyTrips.h"
#include "Compare.h"
#include "RandomProtocol.h"
#include "Tiny.h"
#include "TinyCore.h"
#include "TinyGrid.h"
#include "TinyMeeting.h"
#include "Verify/RandomKernel.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

/// Beside those: R41, an add that lowers a counter (R38), and what only a relaxed operation orders.
std::set<std::string> slipsOfAll() {
  std::set<std::string> all = harmlessSlips;
  all.insert({"R38", "R41", "R38 kept", "R1 kept", "R22 kept", "R26 kept", "R27 kept"});
  return all;
}

void expectAgreementOfAny(const Comparison &c, int64_t atLeast) {
  expectAgreement(c, atLeast, slipsOfAll());
}

template <typename Grower>
Comparison grown(uint64_t first, uint64_t count, int64_t maxStates = 200'000) {
  Comparison c;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const Builder b = Grower(seed).grow();
    c.add(b.program, b.launch, "seed " + std::to_string(seed), maxStates);
  }
  return c;
}

/// With tests and tokens.
Comparison asked(uint64_t first, uint64_t count) {
  Comparison c;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Builder b = Tiny(seed).grow();
    AskedAhead(b.program, seed).ask();
    c.add(b.program, b.launch, "seed " + std::to_string(seed), 100'000);
  }
  return c;
}

Comparison protocols(uint64_t first, uint64_t count, bool asks = false) {
  Comparison c;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const RandomProtocol p = randomProtocol(seed, asks);
    c.add(p.program, p.launch, p.name, 30'000);
  }
  return c;
}

/// Roles, rings and nested loops, whose trips extents and an argument say. The explorer sees the
/// first cluster alone: what it does not find may be between clusters.
Comparison kernels(uint64_t first, uint64_t count) {
  Comparison c;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const RandomKernel kernel(seed);
    std::mt19937_64 random(seed);
    Launch launch = kernel.launch();
    for (int draw = 0; draw < 3; ++draw) {
      c.add(kernel.program(), launch, "seed " + std::to_string(seed), 20'000);
      for (size_t t = 0; t < launch.tensors.size(); ++t)
        for (size_t d = 0; d < launch.tensors[t].extents.size(); ++d)
          if (kernel.program().tensors[t].extents.empty())
            launch.tensors[t].extents[d] = static_cast<int64_t>(random() % 130);
      for (Launch::Shape &shape : launch.tensors)
        if (shape.extents.size() == 2)
          shape.strides = {std::max<int64_t>(shape.extents[1], 1), 1};
      launch.arguments[0] = static_cast<int64_t>(random() % 6) - 1;
    }
  }
  return c;
}

void expectNoneUnsound(const Comparison &c, int64_t atLeastGood) {
  EXPECT_TRUE(c.unsound.empty()) << c.unsound.size() << " unsound; the first: " << c.unsound[0];
  EXPECT_GE(c.good, atLeastGood) << c.summary();
  EXPECT_LE(c.bounded, atLeastGood / 4) << c.summary();
}

/// What prove() says of loops over an argument, against the explorer at the first trip counts.
void expectAllTripsAgree(uint64_t first, uint64_t count, bool asks = false) {
  AllTrips all;
  for (uint64_t seed = first; seed < first + count; ++seed)
    all.add(randomLoop(seed, asks), 8, 20'000);
  EXPECT_TRUE(all.unsound.empty()) << all.unsound.size() << " unsound; " << all.unsound[0];
  EXPECT_GE(all.proven, static_cast<int64_t>(count) / 5) << all.summary();
  EXPECT_GE(all.refused, static_cast<int64_t>(count) / 5) << all.summary();
}

TEST(RandomPrograms, AllTripCounts) {
  expectAllTripsAgree(1, 150);
}

TEST(RandomPrograms, AllTripCountsSlow) {
  expectAllTripsAgree(100'000, 4000);
}

TEST(RandomPrograms, Kernels) {
  expectNoneUnsound(kernels(1, 200), 200);
}

TEST(RandomPrograms, KernelsSlow) {
  expectNoneUnsound(kernels(100'000, 4'000), 4'000);
}

TEST(RandomPrograms, WarpsAndCtas) {
  expectAgreementOfAny(grown<Tiny>(1, 6000), 1000);
}

TEST(RandomPrograms, WarpsAndCtasSlow) {
  expectAgreementOfAny(grown<Tiny>(100'000, 60'000), 10'000);
}

TEST(RandomPrograms, Grids) {
  expectAgreementOfAny(grown<TinyGrid>(1, 2000, 20'000), 400);
}

TEST(RandomPrograms, GridsSlow) {
  expectAgreementOfAny(grown<TinyGrid>(100'000, 60'000, 20'000), 10'000);
}

TEST(RandomPrograms, Pipes) {
  expectAgreementOfAny(grown<TinyCore>(1, 1500), 300);
}

TEST(RandomPrograms, PipesSlow) {
  expectAgreementOfAny(grown<TinyCore>(100'000, 20'000), 4000);
}

TEST(RandomPrograms, Meetings) {
  expectAgreementOfAny(grown<TinyMeeting>(1, 1000, 20'000), 200);
}

TEST(RandomPrograms, MeetingsSlow) {
  expectAgreementOfAny(grown<TinyMeeting>(100'000, 20'000, 20'000), 4000);
}

TEST(RandomPrograms, Protocols) {
  expectAgreementOfAny(protocols(1, 800), 200);
}

TEST(RandomPrograms, Tokens) {
  expectAgreementOfAny(asked(1, 2000), 300);
}

TEST(RandomPrograms, TokensSlow) {
  expectAgreementOfAny(asked(100'000, 60'000), 10'000);
}

TEST(RandomPrograms, ProtocolsWithTokens) {
  expectAgreementOfAny(protocols(1, 400, true), 60);
}

TEST(RandomPrograms, ProtocolsWithTokensSlow) {
  expectAgreementOfAny(protocols(100'000, 15'000, true), 2000);
}

TEST(RandomPrograms, AllTripCountsWithTokens) {
  expectAllTripsAgree(1, 100, true);
}

TEST(RandomPrograms, AllTripCountsWithTokensSlow) {
  expectAllTripsAgree(100'000, 4000, true);
}

TEST(RandomPrograms, ProtocolsSlow) {
  expectAgreementOfAny(protocols(100'000, 15'000), 4000);
}

} // namespace
} // namespace sluice::test

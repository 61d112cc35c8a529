// Random programs: what the checker proves, the explorer must find clean; what it refuses without
// effect must be a slip against the order of phases.
#include "Compare.h"
#include "Tiny.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

/// R4, R5, R6 and R11 ask for an order of phases that is known, not only kept.
const std::set<std::string> harmlessSlips{"R4", "R5", "R6", "R11"};

void expectAgreement(const Comparison &c, int64_t atLeastGood) {
  EXPECT_TRUE(c.unsound.empty()) << c.unsound.size() << " unsound; the first: " << c.unsound[0];
  for (const auto &[rule, count] : c.nothing)
    EXPECT_TRUE(harmlessSlips.count(rule)) << count << " times; " << c.example.at(rule);
  EXPECT_GE(c.good, atLeastGood) << c.summary();
  EXPECT_GE(c.bad, atLeastGood) << c.summary();
}

Comparison tinyPrograms(uint64_t first, uint64_t count) {
  Comparison c;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const Builder b = Tiny(seed).grow();
    c.add(b.program, b.launch, "seed " + std::to_string(seed));
  }
  return c;
}

TEST(RandomPrograms, Tiny) {
  expectAgreement(tinyPrograms(1, 6000), 1000);
}

TEST(RandomPrograms, TinySlow) {
  expectAgreement(tinyPrograms(100'000, 60'000), 10'000);
}

} // namespace
} // namespace sluice::test

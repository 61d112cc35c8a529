// The explorer and pairs of CTAs: what it finds in a protocol without one of its operations, and
// that the checker proves no mutant in which it finds a fault.
#include "Compare.h"
#include "PairProtocol.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

std::string exploredPair(Builder b) {
  b.place();
  return foundIn(explore(b.program, b.launch));
}

/// The protocol with one operation bent.
std::string bent(Mutation::Kind kind, const std::string &operation, int which) {
  Builder b = PairProtocol{}.build();
  b.place();
  for (const Mutation &m : mutations(b.program))
    if (m.kind == kind && m.operation == operation && which-- == 0) {
      const Exploration e = explore(mutated(b.program, m), b.launch);
      return e.kind == Exploration::clean ? "clean" : e.rule;
    }
  return "no such operation";
}

TEST(ExploredPairs, ProtocolsAreClean) {
  EXPECT_EQ(exploredPair(PairProtocol{}.build()), "clean");
  EXPECT_EQ(exploredPair(PairProtocol{.sums = 2, .tiles = 3}.build()), "clean");
  EXPECT_EQ(exploredPair(PairProtocol{.half = true}.build()), "clean");
  EXPECT_EQ(exploredPair(PairProtocol{.shifted = true}.build()), "clean");
}

TEST(ExploredPairs, EachOperationIsNeeded) {
  EXPECT_EQ(bent(Mutation::drop, "tcgen05.alloc", 0), "R42");
  EXPECT_EQ(bent(Mutation::drop, "tcgen05.dealloc", 0), "R42");
  EXPECT_EQ(bent(Mutation::mask, "tcgen05.commit", 0), "R9");
  EXPECT_EQ(bent(Mutation::scope, "arrive", 0), "R44"); // what the other CTA has loaded
  EXPECT_EQ(bent(Mutation::scope, "wait", 1), "R44");
  EXPECT_EQ(bent(Mutation::drop, "cluster barrier", 0), "R42");
  EXPECT_EQ(bent(Mutation::drop, "cluster barrier", 1), "R22");
}

TEST(ExploredPairs, NoMutantWithAFaultIsProven) {
  expectAgreement(comparedOn(randomPairProtocol, 1, 150), 30);
}

TEST(ExploredPairs, NoMutantWithAFaultIsProvenSlow) {
  expectAgreement(comparedOn(randomPairProtocol, 100'000, 8000), 1500);
}

} // namespace
} // namespace sluice::test

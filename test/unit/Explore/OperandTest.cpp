// The explorer and operands in tensor memory: stores of lanes, the products that read them, and
// sums that share their columns.
#include "Compare.h"
#include "OperandProtocol.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

std::string explored(const OperandProtocol &o, bool tensorInOrder = true) {
  Builder b = o.build();
  b.place();
  return foundIn(explore(b.program, b.launch, {.tensorInOrder = tensorInOrder}));
}

std::string checked(const OperandProtocol &o, bool strict) {
  Builder b = o.build();
  b.place();
  CheckOptions options;
  options.strict = strict;
  const Verdict v = check(b.program, defaultArch(b.program.target), b.launch, options);
  return v.kind == Verdict::proven ? "proven" : v.violations.empty() ? "?" : v.violations[0].rule;
}

/// The protocol without what `drops` says of it, statement by statement.
std::string without(const OperandProtocol &o, const std::string &operation, int which) {
  Builder b = o.build();
  b.place();
  for (const Mutation &m : mutations(b.program))
    if (m.kind == Mutation::drop && m.operation == operation && which-- == 0) {
      const Exploration e = explore(mutated(b.program, m), b.launch);
      return e.kind == Exploration::clean ? "clean" : e.rule;
    }
  return "no such operation";
}

TEST(ExploredOperands, ProtocolsAreClean) {
  for (const bool over : {false, true})
    for (const bool byMany : {false, true})
      EXPECT_EQ(explored({.over = over, .asked = true, .byMany = byMany}, false), "clean");
  EXPECT_EQ(explored({}, false), "clean");
}

/// A sum over the operand that the product before reads: one thread asks for both.
TEST(ExploredOperands, OrderOfDifferentSumsIsAnAssumption) {
  const OperandProtocol over{.over = true};
  EXPECT_EQ(explored(over), "clean");
  EXPECT_EQ(checked(over, false), "proven");
  EXPECT_EQ(explored(over, false), "R22");
  EXPECT_EQ(checked(over, true), "R22");
  EXPECT_EQ(checked({.over = true, .asked = true}, true), "proven");
  EXPECT_EQ(checked({}, true), "proven");
}

TEST(ExploredOperands, EachOperationIsNeeded) {
  EXPECT_EQ(without({}, "tcgen05.st", 0), "R21"); // an operand that nobody has written
  EXPECT_EQ(without({}, "tcgen05.wait::st", 0), "R22");
  EXPECT_EQ(without({.tiles = 1}, "tcgen05.wait::ld", 0), "R22");
  EXPECT_EQ(without({.tiles = 1}, "fence", 1), "R44"); // of the second product
  EXPECT_EQ(without({.tiles = 1}, "fence", 3), "R44"); // behind the store
}

TEST(ExploredOperands, OneThreadTellsOfTheStoresOfOthersOnceTheyHaveMet) {
  EXPECT_EQ(without({}, "named barrier", 1), "R36");
  EXPECT_EQ(without({.byMany = true}, "warp sync", 0), "R36");
}

TEST(ExploredOperands, NoMutantWithAFaultIsProven) {
  expectAgreement(comparedOn(randomOperandProtocol, 1, 300), 60);
}

TEST(ExploredOperands, NoMutantWithAFaultIsProvenSlow) {
  expectAgreement(comparedOn(randomOperandProtocol, 100'000, 8000), 1500);
}

} // namespace
} // namespace sluice::test

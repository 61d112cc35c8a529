// Launches that break what the author assumes: who refuses them, and in which words.
#include "Program/Assumption.h"
#include "Ring.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

/// "extent 1 of the first tensor is a multiple of `divisor`".
Assumption multipleOf(int64_t divisor) {
  return {{{ScalarOp::dim, 0, {}, 1, 0},
           {ScalarOp::constant, 1, {}, divisor},
           {ScalarOp::remS, 2, {0, 1}},
           {ScalarOp::constant, 3, {}, 0},
           {ScalarOp::eq, 4, {2, 3}}},
          "columns come in pairs",
          {"/home/somebody/ring.cpp", 7, 3}};
}

Builder pairs(int64_t columns) {
  Builder b = ring({});
  b.program.assumptions = {multipleOf(2)};
  b.launch.tensors[0].extents[1] = columns;
  return b;
}

TEST(Assumption, HoldsOrNamesTheNumbersOfTheLaunch) {
  EXPECT_FALSE(brokenAssumption(pairs(64).program, pairs(64).launch));
  const auto broken = brokenAssumption(pairs(63).program, pairs(63).launch);
  ASSERT_TRUE(broken);
  EXPECT_EQ(broken->kind, Error::input);
  EXPECT_EQ(broken->location.str(), "/home/somebody/ring.cpp:7:3");
  EXPECT_EQ(broken->message, "kernel test assumes \"columns come in pairs\"; this launch has "
                             "extent 1 of A = 63");
}

TEST(Assumption, TheVirtualMachineRefusesALaunchThatBreaksIt) {
  Builder good = pairs(64), bad = pairs(63);
  good.place(), bad.place();
  const Arch &arch = defaultArch(Target::sm_90a);
  EXPECT_TRUE(simulateTime(good.program, arch, good.launch, {}));
  const auto refused = simulateTime(bad.program, arch, bad.launch, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().location.line, 7);
}

TEST(Assumption, TheCheckerRefusesALaunchThatBreaksIt) {
  EXPECT_EQ(pairs(64).check().kind, Verdict::proven);
  const Verdict refused = pairs(63).check();
  EXPECT_EQ(refused.kind, Verdict::unsupported);
  EXPECT_EQ(refused.notes[0], "kernel test assumes \"columns come in pairs\"; this launch has "
                              "extent 1 of A = 63 at /home/somebody/ring.cpp:7:3");
}

TEST(Assumption, IsNamedWithoutFolders) {
  EXPECT_EQ(placeText(multipleOf(2)), "ring.cpp:7:3");
}

} // namespace
} // namespace sluice::test

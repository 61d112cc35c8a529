// R42, R43, R44: tensor memory.
#include "TensorMemory.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

std::string verdictOf(const TensorMemoryOptions &o) {
  return rule(tensorMemory(o).check());
}

TEST(TensorMemoryRules, R42_AcceptsAnAllocationThatAllKnow) {
  EXPECT_EQ(verdictOf({}), "proven");
  EXPECT_EQ(verdictOf({.stages = 3, .trips = 1}), "proven");
  EXPECT_EQ(verdictOf({.columns = 512, .freed = 512}), "proven");
}

TEST(TensorMemoryRules, R42_RefusesColumnsThatAreNoPowerOfTwo) {
  EXPECT_EQ(verdictOf({.columns = 192, .freed = 192}), "R42");
}

TEST(TensorMemoryRules, R42_RefusesATileBehindTheColumns) {
  EXPECT_EQ(verdictOf({.columns = 64, .freed = 64}), "R42");
}

TEST(TensorMemoryRules, R42_RefusesUseWithoutTheAddress) {
  EXPECT_EQ(verdictOf({.address = false}), "R42");
}

TEST(TensorMemoryRules, R42_RefusesAnAddressThatIsReadTooEarly) {
  EXPECT_EQ(verdictOf({.meet = false}), "R21"); // nobody has written it then
}

TEST(TensorMemoryRules, R42_RefusesOtherColumnsThanWereAllocated) {
  EXPECT_EQ(verdictOf({.freed = 256}), "R42");
}

TEST(TensorMemoryRules, R42_RefusesAnEndWithTensorMemoryAllocated) {
  EXPECT_EQ(verdictOf({.free = false}), "R42");
}

TEST(TensorMemoryRules, R42_RefusesToFreeWhatIsStillRead) {
  EXPECT_EQ(verdictOf({.freeFence = false}), "R42");
  EXPECT_EQ(verdictOf({.fenceBefore = false}), "R42");
}

TEST(TensorMemoryRules, R22_RefusesASumThatIsReadBeforeItsProductsHaveEnded) {
  EXPECT_EQ(verdictOf({.waitDone = false}), "R21"); // nobody has written it then
}

TEST(TensorMemoryRules, R22_RefusesRegistersBeforeTheirLoadsHaveEnded) {
  EXPECT_EQ(verdictOf({.waitLoads = false}), "R22");
}

TEST(TensorMemoryRules, R4_RefusesASlotThatProductsMayStillRead) {
  EXPECT_EQ(verdictOf({.commit = false, .tail = false}), "R4");
}

TEST(TensorMemoryRules, R10_RefusesCommitsThatNobodyWaitsFor) {
  EXPECT_EQ(verdictOf({.tail = false}), "R10");
}

TEST(TensorMemoryRules, R2_RefusesCommitsToBarriersWhoseInitialisationIsNotFenced) {
  EXPECT_EQ(verdictOf({.initFence = false}), "R2");
}

TEST(TensorMemoryRules, R43_AcceptsTheShapesOfTheInstructions) {
  EXPECT_EQ(text(tensorMemory({}).structure()), "none");
}

TEST(TensorMemoryRules, R43_RefusesLanesOfOtherWarps) {
  EXPECT_EQ(text(tensorMemory({.epilogueWarp = 1}).structure()).substr(0, 3), "R43");
}

TEST(TensorMemoryRules, R44_AcceptsFencesOnBothSides) {
  EXPECT_EQ(verdictOf({.stages = 1}), "proven");
}

TEST(TensorMemoryRules, R44_RefusesALoadWithoutTheFenceBehindTheWait) {
  EXPECT_EQ(text(tensorMemory({.fenceAfter = false}).check()).substr(0, 5), "R44: ");
}

} // namespace
} // namespace sluice::test

#include "Support/Nearest.h"

#include <gtest/gtest.h>

using namespace sluice;

namespace {

TEST(Nearest, CountsEdits) {
  EXPECT_EQ(editDistance("check", "check"), 0);
  EXPECT_EQ(editDistance("chekc", "check"), 1); // a swap
  EXPECT_EQ(editDistance("chck", "check"), 1);
  EXPECT_EQ(editDistance("SM_90A", "sm_90a"), 0);
  EXPECT_EQ(editDistance("", "run"), 3);
}

TEST(Nearest, SuggestsOnlyWhatIsNear) {
  std::vector<std::string> verbs = {"check", "run", "trace"};
  EXPECT_EQ(nearestName("chekc", verbs), "check");
  EXPECT_EQ(nearestName("tarce", verbs), "trace");
  EXPECT_EQ(nearestName("rum", verbs), "run");
  EXPECT_EQ(nearestName("simulate", verbs), "");
  EXPECT_EQ(nearestName(std::string(1000000, 'x'), verbs), "");
}

TEST(Nearest, Sentences) {
  EXPECT_EQ(unknownName("verb", "chekc", {"check", "run"}),
            "unknown verb 'chekc'; did you mean 'check'?");
  EXPECT_EQ(unknownName("verb", "xyz", {"check", "run"}), "unknown verb 'xyz'; known: check, run");
  EXPECT_EQ(unknownName("kernel", "xyz", {}), "unknown kernel 'xyz'");
}

} // namespace

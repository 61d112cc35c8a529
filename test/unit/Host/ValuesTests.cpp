// The printed text computes on the host what the virtual machine computes, element by element.
#include "Host/ValuesRun.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

template <class Of> void agree(const Of &what) {
  auto made = caseOf(what);
  ASSERT_TRUE(made) << made.error().message;
  auto found = compareValues(*made);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_GT(found->elements, 0);
  EXPECT_TRUE(found->good()) << found->text();
}

class Values : public testing::TestWithParam<Config> {};

TEST_P(Values, AreTheVirtualMachines) {
  agree(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Sweep, Values, testing::ValuesIn(hostConfigs()),
                         [](const auto &info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(SlowSweep, Values, testing::ValuesIn(moreHostConfigs()),
                         [](const auto &info) { return info.param.name; });

class ValuesOfTexts : public testing::TestWithParam<Text> {};

TEST_P(ValuesOfTexts, AreTheVirtualMachines) {
  if (GetParam().name() == "raw_ring")
    GTEST_SKIP() << "its raw text is PTX, which no host compiles";
  agree(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Corpus, ValuesOfTexts, testing::ValuesIn(hostTexts()),
                         [](const auto &info) { return info.param.name(); });

} // namespace
} // namespace sluice::test

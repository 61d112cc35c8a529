#include "Arch/Datasheet.h"

#include <gtest/gtest.h>

#include <set>

namespace sluice {
namespace {

TEST(Datasheet, TellsEveryNumberOnceAndWithASource) {
  for (const Datasheet &sheet : datasheets()) {
    std::set<std::pair<int, std::string>> names;
    size_t limits = 0;
    for (const Fact &fact : facts(sheet.arch())) {
      EXPECT_TRUE(names.insert({fact.group, fact.name}).second) << fact.name;
      EXPECT_FALSE(fact.source.text.empty()) << fact.name;
      limits += fact.group == Fact::limit;
    }
    EXPECT_EQ(names.size() - limits, sheet.numbers()) << sheet.arch().name;
  }
}

TEST(Datasheet, StandsInWithAssumptionsAlone) {
  Datasheet known("known", Target::sm_90a);
  known.set(&Arch::cores, 4, "a page");
  Datasheet other = known.standIn("other", Target::sm_100a);
  EXPECT_EQ(other.arch().cores, 4);
  EXPECT_EQ(other.source(&Arch::cores)->text, "as on known (a page)");
  EXPECT_TRUE(other.source(&Arch::cores)->assumed);
  EXPECT_FALSE(known.source(&Arch::cores)->assumed);
  other.set(&Arch::cores, 5, "its own page");
  EXPECT_FALSE(other.source(&Arch::cores)->assumed);
  EXPECT_EQ(other.source(&Arch::warpsPerSm), nullptr);
  EXPECT_EQ(other.numbers(), 1U);
}

} // namespace
} // namespace sluice

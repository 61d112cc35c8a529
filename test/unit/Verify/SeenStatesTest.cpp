// States are told apart by their whole normal form, or, beyond a limit, by 128 bits of it.
#include "Verify/SeenStates.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(SeenStates, TellsTextsApart) {
  SeenStates seen(100);
  EXPECT_TRUE(seen.insert("a"));
  EXPECT_TRUE(seen.insert("b"));
  EXPECT_FALSE(seen.insert("a"));
  EXPECT_EQ(seen.size(), 2);
  EXPECT_FALSE(seen.byFingerprint());
  seen.clear();
  EXPECT_EQ(seen.size(), 0);
  EXPECT_TRUE(seen.insert("a"));
}

TEST(SeenStates, RemembersTextsAsFingerprints) {
  SeenStates seen(1000);
  const auto text = [](int i) { return std::string(100, 'x') + std::to_string(i); };
  for (int i = 0; i < 50; ++i)
    EXPECT_TRUE(seen.insert(text(i)));
  EXPECT_TRUE(seen.byFingerprint());
  EXPECT_EQ(seen.size(), 50);
  for (int i = 0; i < 50; ++i)
    EXPECT_FALSE(seen.insert(text(i)));
  EXPECT_EQ(seen.size(), 50);
}

} // namespace
} // namespace sluice

#include "Program/Extent.h"

#include <gtest/gtest.h>

using namespace sluice;

namespace {

std::string split(const std::string &text) {
  const Extent e = parseExtent(text);
  EXPECT_EQ(textOf(e), text);
  return e.name + " " + std::to_string(e.more);
}

TEST(Extent, NamesAndNumbers) {
  EXPECT_EQ(split("M"), "M 0");
  EXPECT_EQ(split("groups+1"), "groups 1");
  EXPECT_EQ(split("H-2"), "H -2");
  EXPECT_EQ(split("128"), " 128");
  EXPECT_EQ(split("M+N"), "M+N 0"); // any name
  EXPECT_EQ(split("M+"), "M+ 0");
  EXPECT_EQ(split("(M+N)/0"), "(M+N)/0 0");
}

TEST(Extent, PartsOfANumber) {
  EXPECT_EQ(split("(M+127)/128"), "M 127");
  EXPECT_EQ(split("(K+127)/128*32"), "K 127");
  const Extent e = parseExtent("(K+127)/128*32");
  EXPECT_EQ(e.at(0), 0);
  EXPECT_EQ(e.at(128), 32);
  EXPECT_EQ(e.at(129), 64);
  EXPECT_FALSE(e.tells());
  EXPECT_TRUE(parseExtent("groups+1").tells());
}

} // namespace

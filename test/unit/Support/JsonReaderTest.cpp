// Reading JSON: every kind of value, and where the faults are.
#include "Support/JsonReader.h"
#include "Support/Json.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

std::string fault(std::string_view text) {
  const auto value = readJson(text);
  return value ? "" : value.error().message;
}

TEST(JsonReader, ReadsEveryKind) {
  const auto v = readJson(R"( {"a": [1, -2.5e2, true, false, null], "b": {"c": "x"}, "d": []} )");
  ASSERT_TRUE(v);
  const JsonValue &a = (*v)["a"];
  ASSERT_EQ(a.items().size(), 5u);
  EXPECT_EQ(a.items()[0].asInteger(), 1);
  EXPECT_EQ(a.items()[1].asNumber(), -250);
  EXPECT_TRUE(a.items()[2].truth());
  EXPECT_FALSE(a.items()[3].truth());
  EXPECT_EQ(a.items()[4].kind(), JsonValue::null);
  EXPECT_EQ((*v)["b"]["c"].asText(), "x");
  EXPECT_TRUE((*v)["d"].items().empty());
  EXPECT_EQ((*v)["e"]["f"].kind(), JsonValue::null);
}

TEST(JsonReader, ReadsBackWhatTheWriterEscapes) {
  const std::string odd = "a\"b\\c\n\t\x01 \xC3\xA9 \xF0\x9F\x98\x80";
  const auto v = readJson(jsonQuoted(odd));
  ASSERT_TRUE(v);
  EXPECT_EQ(v->asText(), odd);
}

TEST(JsonReader, ReadsEscapes) {
  const auto v = readJson(R"("\u00e9\ud83d\ude00\/\b")");
  ASSERT_TRUE(v);
  EXPECT_EQ(v->asText(), "\xC3\xA9\xF0\x9F\x98\x80/\b");
}

TEST(JsonReader, SaysWhereItIsWrong) {
  EXPECT_EQ(fault(""), "not JSON: line 1, column 1: a value is expected");
  EXPECT_EQ(fault("{\"a\": 1,\n x}"), "not JSON: line 2, column 2: a name in quotes is expected");
  EXPECT_EQ(fault("[1 2]"), "not JSON: line 1, column 4: ',' or ']' is expected");
  EXPECT_EQ(fault("{\"a\" 1}"), "not JSON: line 1, column 6: ':' is expected");
  EXPECT_EQ(fault("\"ab"), "not JSON: line 1, column 4: a text does not end");
  EXPECT_EQ(fault("\"\\"), "not JSON: line 1, column 3: a text does not end");
  EXPECT_EQ(fault("\"\\u12"), "not JSON: line 1, column 3: an unknown escape");
  EXPECT_EQ(fault("\"\\ud800x\""), "not JSON: line 1, column 7: half a surrogate pair");
  EXPECT_EQ(fault("1 2"), "not JSON: line 1, column 3: nothing may follow the value");
  EXPECT_EQ(fault("infinity"), "not JSON: line 1, column 1: a value is expected");
  EXPECT_EQ(fault(std::string(100, '[')), "not JSON: line 1, column 65: too deeply nested");
}

} // namespace
} // namespace sluice

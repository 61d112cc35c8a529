#include "Support/Json.h"

#include <gtest/gtest.h>

#include <limits>

namespace sluice {
namespace {

TEST(Json, NestsObjectsAndArrays) {
  JsonWriter json;
  json.beginObject().member("a", 1).key("b").beginArray().value(2).value("x").endArray();
  json.key("c").beginObject().endObject().member("d", true).key("e").null().endObject();
  EXPECT_EQ(json.str(), R"({"a": 1, "b": [2, "x"], "c": {}, "d": true, "e": null})");
}

TEST(Json, EscapesStrings) {
  EXPECT_EQ(jsonQuoted("a\"b\\c\n\x01"), R"("a\"b\\c\n\u0001")");
  EXPECT_EQ(jsonQuoted("\xC3\xA9"), "\"\xC3\xA9\"");
  EXPECT_EQ(jsonQuoted("\xFF"
                       "a"),
            "\"\xEF\xBF\xBD"
            "a\"");
}

TEST(Json, WritesNumbers) {
  JsonWriter json;
  json.beginArray().value(0.5).value(-3).value(1e300).value(uint64_t{18446744073709551615u});
  json.value(std::numeric_limits<double>::infinity()).endArray();
  EXPECT_EQ(json.str(), "[0.5, -3, 1e+300, 18446744073709551615, null]");
}

TEST(Json, WritesListsOfStrings) {
  JsonWriter json;
  json.value(std::vector<std::string>{"a", "b"});
  EXPECT_EQ(json.str(), R"(["a", "b"])");
}

} // namespace
} // namespace sluice

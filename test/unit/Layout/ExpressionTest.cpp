#include "Layout/Expression.h"

#include "Layout/Random.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

std::string told(const std::string &expression) {
  const auto parsed = parseLayoutExpression(expression);
  return parsed ? text(parsed->layout) : parsed.error().message;
}

TEST(Expression, WhatIsPrintedIsReadAlike) {
  RandomLayouts random(10);
  for (int i = 0; i < 1000; ++i) {
    const std::string layout = text(random.any(3));
    ASSERT_EQ(told(layout), layout);
  }
  EXPECT_EQ(told(" Sw<2, 3,-3> o ( 8 ,(2,4) ) "), "Sw<2,3,-3> o (8,(2,4)):(1,(8,16))");
}

/// Figures of the public page "CuTe Layout Algebra".
TEST(Expression, ExamplesOfThePublicPage) {
  EXPECT_EQ(told("coalesce((2,(1,6)):(1,(6,2)))"), "12:1");
  EXPECT_EQ(told("composition(20:2, (5,4):(4,1))"), "(5,4):(8,2)");
  EXPECT_EQ(told("composition((10,2):(16,4), (5,4):(1,5))"), "(5,(2,2)):(16,(80,4))");
  EXPECT_EQ(told("complement((2,2):(1,6), 24)"), "(3,2):(2,12)");
  EXPECT_EQ(told("complement(4:2, 24)"), "(2,3):(1,8)");
  EXPECT_EQ(told("logical_divide((4,2,3):(2,1,8), 4:2)"), "((2,2),(2,3)):((4,1),(2,8))");
  EXPECT_EQ(told("logical_product((2,2):(4,1), 6:1)"), "((2,2),(2,3)):((4,1),(2,8))");
}

TEST(Expression, RefusalsNameTheColumn) {
  const std::pair<const char *, const char *> cases[] = {
      {"", "column 1: expected a number, found the end"},
      {"(4,8", "column 5: expected ',' or ')', found the end"},
      {"(4,8):(1,4) x", "column 13: unexpected 'x'"},
      {"(4,0)", "column 4: an extent is at least 1"},
      {"(4,8):(1,(4,2))", "column 10: the stride has not the form of the shape"},
      {"4:-1", "column 3: expected a number, found '-'"},
      {"99999999999999999999", "column 1: the number is larger than 2^40"},
      {"(1000000,1000000,1000000)", "column 1: the layout has more than 2^40 elements or offsets"},
      {"composition((6,2):(8,2), 4:2)",
       "column 1: composition: steps of 4:2 do not divide mode 6:8 of the outer layout, nor it "
       "them"},
      {"composition((4,2):(1,100), (2,2):(3,3))",
       "column 1: composition: the modes of (2,2):(3,3) together leave mode 4:1 of the outer "
       "layout (4,2):(1,100): no layout is their composition"},
      {"composition(8:1, 4:3)", "column 1: composition: 4:3 reaches offset 9; the outer layout 8:1 "
                                "has 8 elements"},
      {"coalesce(complement((4,2):(1,3), 24))",
       "column 10: complement: modes of (4,2):(1,3) overlap: 2:3 starts anew below offset 4"},
      {"complement((2,2):(1,3), 24)",
       "column 1: complement: stride of mode 2:3 of (2,2):(1,3) is no multiple of 2, where the "
       "modes before end: the gap has no layout"},
      {"logical_divide(10:1, 4:1)", "column 1: logical_divide: tiles 4:1 do not divide the 10 "
                                    "elements of 10:1"},
      {"left_inverse((2,2):(1,0))", "column 1: left_inverse: mode 2:0 of (2,2):(1,0) reaches one "
                                    "offset several times: there is no left inverse"},
      {"zipped_divide(8:1, 2, 2)", "column 1: zipped_divide: 2 layouts for the 1 modes of 8:1"},
      {"right_inverse(Sw<1,0,1> o 8)", "column 15: right_inverse takes no swizzle here"},
      {"Sw<3,4,2> o 8", "column 3: a swizzle has bits, base and shift of at most 20, and no more "
                        "bits than it shifts"},
      {"Sw<1,0,1> o 8388608", "column 3: a swizzled layout has at most 2^22 elements"},
      {"coalesce(4, 4)", "column 1: it takes coalesce(layout)"},
      {"coalesc(4)", "column 1: unknown function 'coalesc'; did you mean 'coalesce'?"},
      {"zN(16,16,f61)", "column 10: the type of elements is s8, i32, e4m3, e5m2, f16, bf16, tf32 "
                        "or f32"},
      {"zN(24,16,f16)", "column 1: zN: 24 rows: they must be a multiple of 16"},
      {"acc(64)", "column 1: it takes acc(rows,columns)"},
      {"f16", "column 1: 'f16' is no layout"}};
  for (const auto &[expression, message] : cases)
    EXPECT_EQ(told(expression), message) << expression;
}

/// Any text is a layout or one error with a column within it.
TEST(Expression, AnyTextIsReadOrRefused) {
  RandomLayouts random(11);
  const std::string seeds[] = {"logical_divide((4,2,3):(2,1,8),4:2)", "Sw<3,4,3> o (8,64):(64,1)",
                               "composition((10,2):(16,4),(5,4):(1,5))", "zN(64,32,f16)"};
  const std::string letters = "0123456789(),:<>o Sw-_zNfx\t\xff";
  int read = 0;
  for (int i = 0; i < 8000; ++i) {
    std::string word = seeds[i % 4];
    for (int64_t edits = random.number(0, 4); edits > 0; --edits) {
      const auto at = static_cast<size_t>(random.number(0, int64_t(word.size())));
      const char letter = letters[size_t(random.number(0, int64_t(letters.size()) - 1))];
      if (random.number(0, 1) && at < word.size())
        word.erase(at, 1);
      else
        word.insert(at, 1, letter);
    }
    const auto parsed = parseLayoutExpression(word);
    read += bool(parsed);
    if (parsed) {
      ASSERT_EQ(told(text(parsed->layout)), text(parsed->layout)) << word;
      continue;
    }
    const std::string message = parsed.error().message;
    ASSERT_TRUE(message.starts_with("column ")) << word << ": " << message;
    ASSERT_LE(std::stoul(message.substr(7)), word.size() + 1) << word << ": " << message;
  }
  EXPECT_GT(read, 400);
  EXPECT_EQ(told(std::string(100000, '(')), "column 32: more than 32 open parentheses");
}

} // namespace
} // namespace sluice

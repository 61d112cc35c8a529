// Whether integers satisfy constraints, against all of a small box.
#include "Verify/Integers.h"

#include <gtest/gtest.h>

#include <random>

namespace sluice {
namespace {

constexpr int columns = 4, most = 4; // of -most to most each

bool holds(const std::vector<LinearConstraint> &all, const std::vector<int64_t> &point) {
  for (const LinearConstraint &c : all) {
    int64_t value = c.form.constant;
    for (const auto &[column, factor] : c.form.factors)
      value += factor * point[column];
    if (c.equality ? value != 0 : value < 0)
      return false;
  }
  return true;
}

bool heldInBox(const std::vector<LinearConstraint> &all) {
  std::vector<int64_t> point(columns, -most);
  while (true) {
    if (holds(all, point))
      return true;
    int column = 0;
    while (column < columns && point[column] == most)
      point[column++] = -most;
    if (column == columns)
      return false;
    ++point[column];
  }
}

/// Some equalities and inequalities of a few columns, beside the box.
std::vector<LinearConstraint> drawn(std::mt19937 &random) {
  const auto number = [&](int least, int largest) {
    return std::uniform_int_distribution<int>(least, largest)(random);
  };
  std::vector<LinearConstraint> all;
  for (int i = 0, count = number(1, 5); i < count; ++i) {
    LinearForm form = LinearForm::of(number(-7, 7));
    for (int c = 0; c < columns; ++c)
      if (const int factor = number(-5, 5); factor && number(0, 2))
        form = form + int64_t(factor) * LinearForm::column(c);
    all.push_back({form, number(0, 1) == 1});
  }
  for (int c = 0; c < columns; ++c) {
    all.push_back(atLeast(LinearForm::of(most), LinearForm::column(c)));
    all.push_back(atLeast(LinearForm::column(c), LinearForm::of(-most)));
  }
  return all;
}

TEST(Integers, AreThereWhereABoxHasThem) {
  std::mt19937 random(1);
  int there = 0;
  constexpr int draws = 600;
  for (int i = 0; i < draws; ++i) {
    const auto all = drawn(random);
    const bool expected = heldInBox(all);
    there += expected;
    const auto found = integersOf(all, columns);
    ASSERT_EQ(found.has_value(), expected) << "draw " << i;
    ASSERT_TRUE(!found || holds(all, *found)) << "draw " << i;
  }
  EXPECT_GT(there, draws / 5);
  EXPECT_LT(there, draws * 4 / 5);
}

TEST(Integers, ParityAlone) {
  const auto x = LinearForm::column(0), y = LinearForm::column(1);
  EXPECT_FALSE(integersOf({same(2 * x + 4 * y, LinearForm::of(3))}, 2));
  EXPECT_TRUE(integersOf({same(2 * x + 3 * y, LinearForm::of(1))}, 2));
  // 3 <= 2x <= 3, and a column that nothing says anything of
  EXPECT_FALSE(
      integersOf({atLeast(2 * x, LinearForm::of(3)), atLeast(LinearForm::of(3), 2 * x)}, 2));
}

} // namespace
} // namespace sluice

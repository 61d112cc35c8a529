#include "Verify/CountedWhiles.h"

#include "Builder.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

/// Two roles go on while `L[number] < limit`, from 0 in steps.
struct Asked {
  int list = 0;
  int64_t limit = 9, step = 1, mask = 7;
  ScalarOp relation = ScalarOp::lt;
};

Decision decided(const Asked &by) {
  Builder b;
  const int lists[] = {b.tensor("L", DType::i32, {8}, false),
                       b.tensor("M", DType::i32, {8}, false)};
  ValueId goesOn = kNone;
  b.role("a", 0, 1, [&] {
    const ValueId zero = b.number(0);
    Stmt &s = b.carried({zero, zero, b.number(1)}, zero, [&](ValueId, ValueId number) {
      const ValueId at = b.scalar(ScalarOp::andI, {number, b.number(by.mask)});
      const ValueId read = b.scalar(ScalarOp::load, {at}, 0, lists[by.list]);
      goesOn = b.scalar(by.relation, {read, b.number(by.limit)});
      return b.either(goesOn, number, [&] {
        return b.scalar(ScalarOp::add, {number, b.number(by.step)});
      });
    });
    std::get<For>(s.op).condition = goesOn;
  });
  std::optional<Decision> found;
  walk(b.program.body, [&](const Stmt &s) {
    if (auto *loop = std::get_if<For>(&s.op))
      found = decisionOf(b.program, *loop);
  });
  EXPECT_TRUE(found);
  return found.value_or(Decision{});
}

TEST(CountedWhiles, WhatIsComputedAlikeHasOneText) {
  EXPECT_EQ(decided({}).functions, decided({}).functions);
}

TEST(CountedWhiles, WhateverDiffersIsInTheText) {
  const std::string same = decided({}).functions;
  EXPECT_NE(decided({.list = 1}).functions, same);
  EXPECT_NE(decided({.limit = 10}).functions, same);
  EXPECT_NE(decided({.step = 2}).functions, same);
  EXPECT_NE(decided({.mask = 3}).functions, same);
  EXPECT_NE(decided({.relation = ScalarOp::le}).functions, same);
}

} // namespace
} // namespace sluice::test

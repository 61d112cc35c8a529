// Without any one of the conditions C1 to C4 the checker proves programs that can fail.
#include "Verify/Conditions.h"

#include "Explore/Compare.h"
#include "Explore/Tiny.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {
Conditions chosen;
}

/// In place of the library's.
const Conditions &conditions() {
  return chosen;
}

namespace test {
namespace {

/// Tiny programs that are proven under `c` and can fail.
size_t unsound(const Conditions &c, uint64_t programs) {
  chosen = c;
  Comparison found;
  for (uint64_t seed = 1; seed <= programs; ++seed) {
    const Builder b = Tiny(seed).grow();
    found.add(b.program, b.launch, "");
  }
  chosen = {};
  return found.unsound.size();
}

constexpr uint64_t few = 4000;

TEST(Ablation, AllConditionsTogetherAreSound) {
  EXPECT_EQ(unsound({}, few), 0u);
}

TEST(Ablation, C1IsNeeded) {
  EXPECT_GE(unsound({.c1 = false}, few), 5u);
}

TEST(Ablation, C2IsNeeded) {
  EXPECT_GE(unsound({.c2 = false}, few), 1u);
}

TEST(Ablation, C3IsNeeded) {
  EXPECT_GE(unsound({.c3 = false}, few), 12u);
}

TEST(Ablation, C4IsNeeded) {
  EXPECT_GE(unsound({.c4 = false}, few), 3u);
}

} // namespace
} // namespace test
} // namespace sluice

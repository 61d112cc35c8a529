// Tensors of a launch that have bytes in common.
#include "Launch/CommonMemory.h"
#include "Launch/LaunchPlan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace sluice::test {
namespace {

/// A tensor that owns its extents and strides.
struct Own {
  uint64_t address;
  std::vector<int64_t> extents, strides;
  DType type = DType::f32;

  TensorArgument argument() const {
    return {address, extents.data(), strides.data(), static_cast<int>(extents.size()), type};
  }
};

bool share(const Own &a, const Own &b) {
  const bool shared = mayShareMemory(a.argument(), b.argument());
  EXPECT_EQ(shared, mayShareMemory(b.argument(), a.argument()));
  return shared;
}

constexpr uint64_t base = 1 << 20;

TEST(SharedMemory, ColumnsOfOneMatrix) {
  const Own left{base, {100, 24}, {64, 1}}, right{base + 24 * 4, {100, 40}, {64, 1}};
  EXPECT_FALSE(share(left, right));
  const Own wide{base, {100, 25}, {64, 1}};
  EXPECT_TRUE(share(wide, right));
  EXPECT_TRUE(share(left, left));
}

TEST(SharedMemory, RowsAndPlanesThatAlternate) {
  const Own even{base, {50, 32}, {64, 1}}, odd{base + 32 * 4, {50, 32}, {64, 1}};
  EXPECT_FALSE(share(even, odd));
  const Own planes{base, {4, 8, 16}, {1024, 32, 1}},
      between{base + 16 * 4, {4, 8, 16}, {1024, 32, 1}};
  EXPECT_FALSE(share(planes, between));
  const Own other{base + 16 * 4, {2, 64}, {512, 1}}; // rows across what both leave free
  EXPECT_TRUE(share(planes, other));
}

TEST(SharedMemory, ElementsOfOneTensor) {
  const auto apart = [](const Own &t) { return elementsAreApart(t.argument()); };
  EXPECT_TRUE(apart({base, {100, 24}, {24, 1}}));
  EXPECT_TRUE(apart({base, {100, 24}, {1, 100}}));
  EXPECT_TRUE(apart({base, {100, 24}, {-24, 1}}));
  EXPECT_TRUE(apart({base, {1, 24}, {0, 1}}));
  EXPECT_TRUE(apart({base, {4, 1, 8}, {8, 3, 1}}));
  EXPECT_FALSE(apart({base, {100, 24}, {23, 1}}));
  EXPECT_FALSE(apart({base, {2, 24}, {0, 1}}));
  EXPECT_FALSE(apart({base, {4, 4, 8}, {8, 24, 1}})); // 3 * 8 = 1 * 24
}

TEST(SharedMemory, SixDimensionsAreOneRange) {
  const auto of = [](uint64_t address, int64_t rows) {
    return Own{
        address, {2, 2, 2, 2, 2, 2}, {rows * 32, rows * 16, rows * 8, rows * 4, rows * 2, 1}};
  };
  EXPECT_TRUE(share(of(base, 2), of(base + 4, 3)));
  EXPECT_FALSE(share(of(base, 2), of(base + 4096, 3)));
}

TEST(SharedMemory, WhatHasNoElementsSharesNothing) {
  EXPECT_FALSE(share({base, {0, 64}, {64, 1}}, {base, {4, 64}, {64, 1}}));
}

TEST(SharedMemory, ElementsOfTwoSizes) {
  const Own words{base, {8}, {2}}; // f32 at every eighth byte
  EXPECT_FALSE(share(words, {base + 4, {8}, {4}, DType::f16}));
  EXPECT_TRUE(share(words, {base + 2, {8}, {4}, DType::f16}));
}

std::set<uint64_t> bytesOf(const Own &t, size_t dimension, uint64_t at) {
  std::set<uint64_t> bytes;
  if (dimension == t.extents.size()) {
    for (int64_t b = 0; b < byteSize(t.type); ++b)
      bytes.insert(at + static_cast<uint64_t>(b));
    return bytes;
  }
  for (int64_t i = 0; i < t.extents[dimension]; ++i)
    bytes.merge(bytesOf(t, dimension + 1,
                        at + static_cast<uint64_t>(i * t.strides[dimension] * byteSize(t.type))));
  return bytes;
}

/// Every byte of both is listed.
TEST(SharedMemory, AgreesWithAListOfBytes) {
  std::mt19937 random(7);
  const auto number = [&](int most) { return static_cast<int64_t>(random() % (most + 1)); };
  const auto tensor = [&] {
    static constexpr DType types[] = {DType::s8, DType::f16, DType::f32};
    Own t{base + static_cast<uint64_t>(number(60)), {}, {}, types[random() % 3]};
    for (int64_t rank = number(2) + 1; rank > 0; --rank) {
      t.extents.push_back(number(5));
      t.strides.push_back(number(24) - 4);
    }
    return t;
  };
  int shared = 0;
  for (int i = 0; i < 20000; ++i) {
    const Own a = tensor(), b = tensor();
    const std::set<uint64_t> first = bytesOf(a, 0, a.address), second = bytesOf(b, 0, b.address);
    const bool both = std::any_of(first.begin(), first.end(),
                                  [&](uint64_t byte) { return second.count(byte) > 0; });
    ASSERT_EQ(share(a, b), both) << i;
    shared += both;
  }
  EXPECT_GT(shared, 2000);
  EXPECT_LT(shared, 18000);
}

/// X is read, Y written, and Z written in the place of X.
LaunchPlan plan() {
  LaunchPlan p;
  p.kernel = "k";
  for (const char *name : {"X", "Y", "Z"}) {
    const bool read = *name == 'X';
    p.tensors.push_back({name, DType::f32, 2, 1, 4, read, !read, {}});
  }
  p.tensors[2].inPlaceOf = 0;
  return p;
}

std::string wrong(const Own &x, const Own &y, const Own &z) {
  const std::vector<TensorArgument> tensors = {x.argument(), y.argument(), z.argument()};
  const auto error = checkApart(plan(), {tensors, {}});
  return error ? error->message : "";
}

TEST(SharedMemory, WhatIsWrittenIsApart) {
  const Own x{base, {8, 16}, {16, 1}}, y{base + 4096, {8, 16}, {16, 1}},
      z{base + 8192, {8, 16}, {16, 1}};
  EXPECT_EQ(wrong(x, y, z), "");
  EXPECT_EQ(wrong(x, y, x), ""); // in place
  EXPECT_EQ(wrong(x, x, z),
            "kernel k: Y, which it writes, and X share memory; give Y memory of its own");
  EXPECT_EQ(wrong(x, z, z),
            "kernel k: Y, which it writes, and Z share memory; give Y memory of its own");
  const Own shifted{base + 64, {8, 16}, {16, 1}}, turned{base, {8, 8}, {32, 1}};
  for (const Own &other : {shifted, turned})
    EXPECT_EQ(wrong(x, y, other),
              "kernel k: Z, which it writes, and X share memory, and are not the same elements at "
              "the same places; give Z all of X, or memory of its own");
  const Own column{base, {8, 1}, {16, 1}}, again{base, {8, 1}, {16, 64}};
  EXPECT_EQ(wrong(column, y, again), ""); // one column: its stride says nothing
}

} // namespace
} // namespace sluice::test

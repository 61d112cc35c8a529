#include "Program/ElementFn.h"
#include "Support/HostTensor.h"
#include "Support/Rounding.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace sluice;

namespace {

TEST(Rounding, HalfTiesToEven) {
  EXPECT_EQ(roundTo(DType::f16, 2049.0), 2048.0);
  EXPECT_EQ(roundTo(DType::f16, 2051.0), 2052.0);
  EXPECT_EQ(roundTo(DType::f16, 65519.0), 65504.0);
  EXPECT_TRUE(std::isinf(roundTo(DType::f16, 65520.0)));
  EXPECT_EQ(roundTo(DType::f16, std::ldexp(1.0, -25)), 0.0);
  EXPECT_EQ(roundTo(DType::f16, std::ldexp(3.0, -25)), std::ldexp(1.0, -23));
  EXPECT_EQ(roundTo(DType::e4m3, 1e6), 448.0);
  EXPECT_EQ(roundTo(DType::s8, 200.0), 127.0);
}

TEST(Elements, EveryHalfRoundTripsOnBothPaths) {
  for (DType type : {DType::f16, DType::bf16})
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
      auto raw = static_cast<uint16_t>(bits), back = uint16_t{0};
      double value = loadElement(type, reinterpret_cast<std::byte *>(&raw));
      float fast = 0;
      loadElements(type, reinterpret_cast<std::byte *>(&raw), 1, &fast);
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(fast));
        continue;
      }
      EXPECT_EQ(value, fast);
      storeElement(type, reinterpret_cast<std::byte *>(&back), value);
      EXPECT_EQ(back, raw);
      storeElements(type, &fast, 1, reinterpret_cast<std::byte *>(&back));
      EXPECT_EQ(back, raw);
    }
}

TEST(Elements, FastPathRoundsAsTheSlowOne) {
  uint32_t state = 1;
  for (int i = 0; i < 100000; ++i) {
    state = state * 1664525 + 1013904223;
    auto f = static_cast<float>(std::ldexp(1.0 + (state >> 9) * 0x1p-23, int(state % 45) - 27));
    for (DType type : {DType::f16, DType::bf16}) {
      uint16_t fast = 0, slow = 0;
      storeElements(type, &f, 1, reinterpret_cast<std::byte *>(&fast));
      storeElement(type, reinterpret_cast<std::byte *>(&slow), f);
      ASSERT_EQ(fast, slow) << f;
    }
  }
}

TEST(HostTensor, MinorDimensionIsContiguous) {
  auto t = HostTensor::dense(DType::f16, {3, 5}, 0);
  EXPECT_EQ(t.strides, (std::vector<int64_t>{1, 3}));
  t.set({2, 4}, 0.1);
  EXPECT_EQ(t.at({2, 4}), roundTo(DType::f16, 0.1));
  EXPECT_EQ(t.bytes.size(), 30u);
}

TEST(ElementFn, ParametersAreConstantsOfALaunch) {
  ElementFn fn;
  fn.inputs = 1;
  fn.nodes = {{ElementOp::argument, DType::f32, {}, 0, 0},
              {ElementOp::parameter, DType::f32, {}, 1, 0},
              {ElementOp::mul, DType::f32, {0, 1}, 0, 0}};
  fn.results = {2};
  const ElementFn bound = boundTo({7, argumentOf(-0.75F)}, fn);
  EXPECT_EQ(bound.nodes[1].op, ElementOp::constant);
  EXPECT_EQ(bound.nodes[1].value, -0.75);
  EXPECT_EQ(floatOfArgument(argumentOf(-0.75F)), -0.75F);
}

TEST(ElementFn, StartsOfFoldsChangeNothing) {
  EXPECT_TRUE(isStart(ElementOp::add, 0));
  EXPECT_FALSE(isStart(ElementOp::add, 1));
  EXPECT_TRUE(isStart(ElementOp::mul, 1));
  EXPECT_FALSE(isStart(ElementOp::mul, 0));
  EXPECT_TRUE(isStart(ElementOp::max, 0.5)); // as often as not
}

} // namespace

#include "Program/LayoutMap.h"

#include <gtest/gtest.h>

#include <set>

using namespace sluice;

namespace {

// CuTe's Swizzle<b,4,3> on byte addresses, written independently of the implementation.
int64_t cuteSwizzle(int64_t address, int b) {
  int64_t bits = (address >> 7) & ((1 << b) - 1);
  return address ^ (bits << 4);
}

void expectSwizzle(Layout layout, int b) {
  int64_t span = swizzleBytes(layout), elements = span / 2;
  auto map = LayoutMap::of(DType::f16, {64, 128}, layout, 1, Space::smem);
  for (int64_t i = 0; i < 64; ++i)
    for (int64_t j = 0; j < 128; ++j) {
      int64_t inChunk = i * span + j % elements * 2;
      EXPECT_EQ(map->offset(i, j), j / elements * 64 * span + cuteSwizzle(inChunk, b));
    }
}

TEST(LayoutMap, SwizzlesAreThePtxModes) {
  expectSwizzle(Layout::sw128, 3);
  expectSwizzle(Layout::sw64, 2);
  expectSwizzle(Layout::sw32, 1);
}

TEST(LayoutMap, EveryLayoutIsInjectiveAndInRange) {
  for (Layout layout : {Layout::row, Layout::sw32, Layout::sw64, Layout::sw128, Layout::zN,
                        Layout::nZ, Layout::zZ, Layout::nN})
    for (int minor : {0, 1}) {
      auto map = LayoutMap::of(DType::f16, {48, 80}, layout, minor, Space::smem);
      std::set<int64_t> seen;
      for (int64_t i = 0; i < 48; ++i)
        for (int64_t j = 0; j < 80; ++j) {
          int64_t at = map->offset(i, j);
          EXPECT_TRUE(seen.insert(at).second) << name(layout);
          EXPECT_LE(at + 2, map->bytes());
        }
    }
}

/// Of one line, and of all together: a head in front, room behind.
TEST(LayoutMap, LinesAndSpansAreAsTheTensorHasThem) {
  auto lines = LayoutMap::of(DType::f16, {4, 256}, Layout::lines, 1, Space::smem);
  EXPECT_EQ(lines->offset(0, 0), 16);
  EXPECT_EQ(lines->offset(2, 3), 2 * 656 + 16 + 6);
  EXPECT_EQ(lines->bytes(), 4 * 656);
  auto span = LayoutMap::of(DType::f16, {4, 256}, Layout::span, 1, Space::smem);
  EXPECT_EQ(span->offset(0, 0), 16);
  EXPECT_EQ(span->offset(2, 3), 2 * 512 + 16 + 6);
  EXPECT_EQ(span->bytes(), 4 * 512 + 144);
}

TEST(LayoutMap, FractalsOfAscend) {
  auto zN = LayoutMap::of(DType::f16, {64, 32}, Layout::zN, 1, Space::l1);
  EXPECT_EQ(zN->offset(1, 0), 32);       // next line of the fractal
  EXPECT_EQ(zN->offset(16, 0), 512);     // fractal below
  EXPECT_EQ(zN->offset(0, 16), 4 * 512); // next column of fractals
  auto zZ = LayoutMap::of(DType::f16, {64, 32}, Layout::zZ, 1, Space::l0a);
  EXPECT_EQ(zZ->offset(0, 16), 512);
  EXPECT_EQ(zZ->offset(16, 0), 2 * 512);
  auto nZ = LayoutMap::of(DType::f16, {64, 32}, Layout::nZ, 1, Space::l0b);
  EXPECT_EQ(nZ->offset(1, 0), 2);
  EXPECT_EQ(nZ->offset(0, 1), 32);
  EXPECT_EQ(nZ->offset(0, 16), 512);
  auto nN = LayoutMap::of(DType::f32, {32, 64}, Layout::nN, 0, Space::l1);
  EXPECT_EQ(nN->offset(1, 0), 4);
  EXPECT_EQ(nN->offset(0, 1), 32);
  EXPECT_EQ(nN->offset(8, 0), 512);
  EXPECT_EQ(nN->offset(0, 16), 4 * 512);
  auto l0c = LayoutMap::of(DType::f32, {32, 32}, Layout::zN, 1, Space::l0c);
  EXPECT_EQ(l0c->offset(1, 0), 64); // 16 floats a line
  EXPECT_EQ(l0c->offset(0, 16), 2 * 1024);
}

Program oneBuffer(Layout layout) {
  Program p;
  Buffer b;
  b.name = "a";
  b.space = Space::smem;
  b.type = DType::f16;
  b.shape = {64, 64};
  b.layout = layout;
  b.slots = 2;
  b.offset = 1024;
  b.slotBytes = 8192;
  p.buffers.push_back(b);
  return p;
}

TEST(Footprint, MergesAWholeSlot) {
  View v{View::buffer, 0, {}, {{}, {}}, {64, 64}, false};
  for (Layout layout : {Layout::row, Layout::sw128, Layout::zN})
    EXPECT_EQ(footprint(oneBuffer(layout), v, 1, {0, 0}),
              (std::vector<Interval>{{1024 + 8192, 1024 + 2 * 8192}}));
}

TEST(Footprint, OfRowsAndOfHalfASwizzledLine) {
  View v{View::buffer, 0, {}, {{}, {}}, {64, 64}, false};
  Program p = oneBuffer(Layout::sw128);
  EXPECT_EQ(footprint(p, v, 0, {0, 0}, {16, 32}),
            (std::vector<Interval>{{1024 + 16 * 128, 1024 + 32 * 128}}));
  View line{View::buffer, 0, {}, {{}, {}}, {1, 16}, false};
  // Line 1 swaps the 16-byte units 0 and 1: the two together stay in place.
  EXPECT_EQ(footprint(p, line, 0, {1, 0}), (std::vector<Interval>{{1024 + 128, 1024 + 160}}));
  // Line 2 moves them two units on.
  EXPECT_EQ(footprint(p, line, 0, {2, 0}), (std::vector<Interval>{{1024 + 288, 1024 + 320}}));
}

TEST(RowsOfWarp, Wgmma) {
  EXPECT_EQ(rowsOfWarp(Layout::acc, 128, 5, 8), (std::vector<RowRange>{{80, 96}}));
  EXPECT_EQ(rowsOfWarp(Layout::acc, 128, 1, 4), (std::vector<RowRange>{{16, 32}, {80, 96}}));
  EXPECT_TRUE(rowsOfWarp(Layout::acc, 64, 5, 8).empty());
  EXPECT_EQ(rowsOfWarp(Layout::colVector, 1, 7, 8), (std::vector<RowRange>{{0, 1}}));
  EXPECT_EQ(rowsOfWarp(Layout::blocked, 10, 3, 4), (std::vector<RowRange>{{9, 10}}));
}

} // namespace

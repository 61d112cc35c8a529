// Named layouts against what lib/Program lays out, and against the tables of the PTX ISA.
#include "Layout/Named.h"

#include "Layout/Random.h"
#include "Program/LayoutMap.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

void expectAsLaidOut(const char *named, Layout layout, TileShape tile, DType type) {
  const auto made = namedLayout(named, tile, type);
  ASSERT_TRUE(made) << made.error().message;
  const auto map = LayoutMap::of(type, {tile.rows, tile.columns}, layout, 1, Space::smem);
  for (int64_t c = 0; c < tile.columns; ++c)
    for (int64_t r = 0; r < tile.rows; ++r)
      ASSERT_EQ(offsetOf(made->layout, r + c * tile.rows) * byteSize(type), map->offset(r, c))
          << named << " (" << r << "," << c << ")";
}

TEST(Named, TilesInMemoryAreThoseOfThePrograms) {
  for (DType type : {DType::e4m3, DType::f16, DType::f32}) {
    const TileShape tile{64, 512 / byteSize(type)};
    expectAsLaidOut("sw32", Layout::sw32, tile, type);
    expectAsLaidOut("sw64", Layout::sw64, tile, type);
    expectAsLaidOut("sw128", Layout::sw128, tile, type);
    expectAsLaidOut("zN", Layout::zN, tile, type);
    expectAsLaidOut("zZ", Layout::zZ, tile, type);
    expectAsLaidOut("nZ", Layout::nZ, tile, type);
    expectAsLaidOut("nN", Layout::nN, tile, type);
    expectAsLaidOut("nD", Layout::row, tile, type);
  }
}

struct Place {
  int64_t row, column;
  bool operator==(const Place &) const = default;
};

Place placeOf(const TileLayout &dealt, int64_t thread, int64_t value) {
  const auto modes = dealt.layout.layout.modes();
  const int64_t at = evaluated(modes[0], thread) + evaluated(modes[1], value);
  return {at % dealt.dealt->rows, at / dealt.dealt->rows};
}

/// PTX ISA, wgmma, "Register Fragments and Shared Memory Matrix Layouts": figure of D.
TEST(Named, AccumulatorsAreThoseOfWgmma) {
  const auto acc = namedLayout("acc", {128, 32}, DType::f32);
  ASSERT_TRUE(acc);
  for (int64_t thread = 0; thread < 256; ++thread)
    for (int64_t i = 0; i < 16; ++i) {
      const int64_t row = thread / 32 * 16 + thread % 32 / 4 + (i % 4 / 2) * 8;
      const int64_t column = i / 4 * 8 + thread % 4 * 2 + i % 2;
      ASSERT_EQ(placeOf(*acc, thread, i), (Place{row, column})) << thread << " " << i;
    }
}

/// The same of A: of 8 bits four columns are together, of tf32 one.
TEST(Named, OperandsInRegistersAreThoseOfWgmma) {
  for (DType type : {DType::e4m3, DType::f16, DType::tf32}) {
    const int64_t together = 4 / byteSize(type), columns = 8 * together;
    const auto a = namedLayout("fragA", {64, columns}, type);
    ASSERT_TRUE(a);
    for (int64_t thread = 0; thread < 128; ++thread)
      for (int64_t i = 0; i < 4 * together; ++i) {
        const int64_t part = i / together; // of the four registers
        const int64_t row = thread / 32 * 16 + thread % 32 / 4 + part % 2 * 8;
        const int64_t column = part / 2 * 4 * together + thread % 4 * together + i % together;
        ASSERT_EQ(placeOf(*a, thread, i), (Place{row, column})) << thread << " " << i;
      }
  }
}

} // namespace
} // namespace sluice

// R51: what is turned between L1 and L0 comes in whole squares.
#include "Builder.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

/// A tile in L1, and its copy to L0B, which turns rows of it, or to L0A, which turns columns.
struct Turned {
  Target target = Target::ascend910b;
  DType type = DType::s8;
  int64_t rows = 64, columns = 64; // of both
  Layout layout = Layout::zN;
  bool toA = false;

  std::string refused(int64_t height = 0, int64_t first = 0) const {
    Builder b(target);
    const int from = b.buffer("tile", Space::l1, type, {rows, columns}, layout);
    const int to = toA ? b.buffer("l0a", Space::l0a, type, {rows, columns}, Layout::zZ)
                       : b.buffer("l0b", Space::l0b, type, {rows, columns}, Layout::nZ);
    b.grid(1);
    View source = b.tile(from), destination = b.tile(to);
    if (height)
      source.shape[0] = destination.shape[0] = height;
    source.offset[0].constant = first;
    b.core("aic", [&] { b.copy(Pipe::mte1, destination, source); });
    return text(b.structure());
  }
};

TEST(TurnRules, R51_AcceptsWholeSquares) {
  EXPECT_EQ(Turned().refused(), "none");
  EXPECT_EQ((Turned{.layout = Layout::nZ, .toA = true}).refused(), "none");
  EXPECT_EQ((Turned{.type = DType::f32, .rows = 48, .layout = Layout::zZ}).refused(16, 32), "none");
  EXPECT_EQ((Turned{.type = DType::f32, .layout = Layout::nN, .toA = true}).refused(), "none");
  EXPECT_EQ((Turned{.type = DType::f32, .rows = 16}).refused(), "none"); // a single strip
  EXPECT_EQ((Turned{.type = DType::f16, .rows = 48}).refused(), "none");
}

TEST(TurnRules, R51_LetsWhatIsNotTurnedLieAnyhow) {
  EXPECT_EQ((Turned{.rows = 48, .toA = true}).refused(), "none");
  EXPECT_EQ((Turned{.rows = 32, .columns = 48, .layout = Layout::nZ}).refused(), "none");
}

TEST(TurnRules, R51_RefusesPartsOfSquares) {
  const std::string start = "R51: copy at t:4:1 turns tile, of s8, by squares of 32 x 32";
  EXPECT_EQ((Turned{.rows = 48}).refused(), start + "; the tile has 48 x 64");
  EXPECT_EQ(Turned().refused(16), start + "; the part has 16 x 64");
  EXPECT_EQ(Turned().refused(32, 16),
            start + ", and its part of tile need not begin where one does");
}

TEST(TurnRules, R51_RefusesFractalsThatAreNoNeighboursOn910B) {
  EXPECT_EQ((Turned{.type = DType::f32}).refused(),
            "R51: copy at t:4:1 turns tile, of f32, by squares of 16 x 16; in layout zN the two "
            "fractals of one do not lie one behind the other; in zZ and nN they do");
  EXPECT_EQ((Turned{.layout = Layout::zZ}).refused(),
            "R51: copy at t:4:1 turns tile, of s8, by squares of 32 x 32; in layout zZ the two "
            "fractals of one do not lie one behind the other; in zN and nZ they do");
  EXPECT_EQ((Turned{.target = Target::ascend950, .type = DType::f32}).refused(), "none");
}

} // namespace
} // namespace sluice::test

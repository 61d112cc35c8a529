// R52: numbers of 4 and 6 bits are brought by TMA, and multiplied.
#include "Builder.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

/// A tile of a tensor, loaded by TMA.
struct Packed {
  Target target = Target::sm_100a;
  DType type = DType::e2m3, ofTile = DType::e2m3;
  int64_t align = 32, width = 128, first = 0;
  Layout layout = Layout::sw128;
  bool output = false, copied = false;

  std::string refused() const {
    Builder b(target);
    const int from = b.tensor("A", type, {128, 512}, output);
    b.program.tensors[from].align = align;
    const int to = b.buffer("a", Space::smem, ofTile, {128, width}, layout);
    const int full = b.barriers("full", 1);
    b.grid(1);
    const View source = b.box(from, {constant(0), constant(first)}, {128, width});
    b.role("load", 0, 1, [&] {
      if (copied)
        b.emit(Copy{b.tile(to), source});
      else
        b.load(b.tile(to), source, full, constant(0));
    });
    return text(b.structure());
  }
};

TEST(PackedRules, R52_AcceptsBoxesOf128Numbers) {
  for (const DType type : {DType::e2m1, DType::e2m3, DType::e3m2})
    EXPECT_EQ((Packed{.type = type, .ofTile = type}).refused(), "none");
  EXPECT_EQ((Packed{.width = 256, .first = 256}).refused(), "none");
}

TEST(PackedRules, R52_RefusesOtherMachines) {
  EXPECT_EQ((Packed{.target = Target::sm_90a}).refused(),
            "R52: tensor A, of e2m3, has numbers that sm_100a alone multiplies");
}

TEST(PackedRules, R52_RefusesAscend) {
  Builder b(Target::ascend910b);
  b.tensor("A", DType::e2m1, {128, 128});
  b.program.tensors[0].align = 32;
  b.grid(1);
  EXPECT_EQ(text(b.structure()),
            "R52: tensor A, of e2m1, has numbers that sm_100a alone multiplies");
}

TEST(PackedRules, R52_RefusesTensorsThatAreWrittenOrLieAnyhow) {
  EXPECT_EQ((Packed{.output = true}).refused(),
            "R52: tensor A, of e2m3, is written; numbers of 4 and 6 bits are only read");
  EXPECT_EQ((Packed{.align = 16}).refused(),
            "R52: tensor A, of e2m3, promises an alignment of 16 bytes; TMA needs 32 for the base "
            "and every stride of packed numbers");
}

TEST(PackedRules, R52_RefusesOtherBoxesAndTiles) {
  EXPECT_EQ((Packed{.first = 64}).refused(),
            "R52: TMA load at t:4:1: the box starts at multiples of 64 numbers of A, as far as is "
            "known; of 4 and 6 bits TMA needs 128");
  EXPECT_EQ((Packed{.width = 64, .layout = Layout::sw64}).refused(),
            "R52: buffer a, of e2m3, is no tile of shared memory in layout sw128 with lines of a "
            "multiple of 128 numbers, and none of tensor memory");
  EXPECT_EQ((Packed{.ofTile = DType::e3m2}).refused(),
            "R52: TMA load at t:4:1: A, of e2m3, comes to a, of e3m2; TMA does not convert");
}

TEST(PackedRules, R52_RefusesWhatThreadsWouldDo) {
  EXPECT_EQ((Packed{.copied = true}).refused(),
            "R52: copy at t:4:1: it takes a, of e2m3, which TMA alone brings, tcgen05.cp "
            "copies and tcgen05.mma reads");
}

} // namespace
} // namespace sluice::test

// R15 of lines that bulk copies bring as a tensor has them: one by one (`lines`), or all of a tile
// at once (`span`).
#include "Ring.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

/// Four lines of 256 f16 from `start` on, into a tile of this layout that warps take to registers,
/// after a change.
template <typename Change>
std::string linesLoaded(Layout layout, int64_t width, const std::array<int64_t, 2> &start,
                        Change change) {
  Builder b;
  const int A = b.tensor("A", DType::f16, {1024, width});
  const int a = b.buffer("a", Space::smem, DType::f16, {4, 256}, layout);
  const int r = b.buffer("r", Space::reg, DType::f16, {4, 256}, Layout::blocked, 1, "r");
  const int full = b.barriers("full", 1);
  b.grid(1);
  b.role("r", 0, 4, [&] {
    b.load(b.tile(a), b.box(A, {constant(start[0]), constant(start[1])}, {4, 256}), full, zero);
    b.emit(Copy{b.tile(r), b.tile(a)});
  });
  b.place();
  change(b.program);
  return text(checkStructure(b.program, defaultArch(Target::sm_90a)));
}

/// Of a tensor of any alignment.
template <typename Change> std::string lines(Change change) {
  return linesLoaded(Layout::lines, 1001, {0, 3}, [&](Program &p) {
    p.tensors[0].align = 2;
    change(p);
  });
}

/// Of a tensor that is passed as one line.
template <typename Change> std::string span(Change change) {
  return linesLoaded(Layout::span, 256, {8, 0}, [&](Program &p) {
    p.tensors[0].isLine = true;
    p.tensors[0].extents = {-1, 256};
    change(p);
  });
}

TEST(StructureRules, R15_AcceptsLinesThatStartAnywhere) {
  EXPECT_EQ(lines([](Program &) {}), "none");
}

std::string linesRefused(const std::string &why) {
  return "R15: TMA load at t:4:1: a load line by line, into a: " + why;
}

TEST(StructureRules, R15_RefusesPartsOfLines) {
  const std::string whole = linesRefused("it fills whole lines, of a multiple of 16 bytes");
  EXPECT_EQ(lines([](Program &p) {
              eachOf<TmaLoad>(p,
                              [](TmaLoad &l) { l.destination.shape[1] = l.source.shape[1] = 128; });
            }),
            whole);
  EXPECT_EQ(lines([](Program &p) { p.buffers[0].shape[1] = 300; }), whole);
}

TEST(StructureRules, R15_RefusesLinesOfWhatIsWritten) {
  EXPECT_EQ(lines([](Program &p) { p.tensors[0].output = true; }),
            linesRefused("the bytes around a line are read with it, and A is written"));
  EXPECT_EQ(lines([](Program &p) {
              p.tensors.push_back(p.tensors[0]);
              p.tensors[1].input = false, p.tensors[1].output = true, p.tensors[1].inPlaceOf = 0;
            }),
            linesRefused("the bytes around a line are read with it, and A is written"));
}

TEST(StructureRules, R15_RefusesLinesBeforeTheTensor) {
  EXPECT_EQ(lines([](Program &p) {
              eachOf<TmaLoad>(p, [](TmaLoad &l) { l.source.offset[1].constant = -1; });
            }),
            linesRefused("a line may start before A, at -1"));
}

TEST(StructureRules, R15_RefusesLinesThatAreNoRows) {
  EXPECT_EQ(lines([](Program &p) { p.tensors[0].minor = 0; }),
            linesRefused("a line is a row of the tile and of the tensor"));
  EXPECT_EQ(lines([](Program &p) { p.buffers[0].type = p.tensors[0].type = DType::e4m3; }),
            linesRefused("elements have 2 bytes or more, of one type on both sides"));
  EXPECT_EQ(lines([](Program &p) { eachOf<TmaLoad>(p, [](TmaLoad &l) { l.multicast = 3; }); }),
            linesRefused("each CTA copies for itself"));
}

TEST(StructureRules, R15_RefusesOtherReadersOfLines) {
  const std::string others =
      ": the lines of a lie as bulk copies bring them, and copies to whole rows in registers alone "
      "find their elements there";
  EXPECT_EQ(lines([](Program &p) { p.buffers[1].layout = Layout::acc; }),
            "R15: copy at t:5:1" + others);
  EXPECT_EQ(lines([](Program &p) {
              eachOf<Copy>(p, [](Copy &c) { std::swap(c.source, c.destination); });
            }),
            "R15: copy at t:5:1" + others);
}

std::string spanRefused(const std::string &why) {
  return "R15: TMA load at t:4:1: a load of lines at once, into a: " + why;
}

TEST(StructureRules, R15_AcceptsLinesOneBehindTheOther) {
  EXPECT_EQ(span([](Program &) {}), "none");
}

TEST(StructureRules, R15_AcceptsPartsOfOneRow) {
  EXPECT_EQ(span([](Program &p) {
              Tensor &t = p.tensors[0];
              t.isLine = false;
              t.rank = 3, t.minor = 2, t.extents = {-1, 8, 200}, t.align = 2;
              t.joined = 1, t.joinedExtent = 1503;
              eachOf<TmaLoad>(p, [](TmaLoad &l) {
                l.source.shape = {1, 4, 256};
                l.source.offset = {{kNone, 7}, {kNone, 4}, {kNone, 0}};
              });
            }),
            "none");
}

TEST(StructureRules, R15_RefusesLinesApartAtOnce) {
  const std::string apart = spanRefused("the lines of a box of A do not lie one behind the other");
  EXPECT_EQ(span([](Program &p) { p.tensors[0].isLine = false; }), apart);
  EXPECT_EQ(span([](Program &p) { p.tensors[0].extents[1] = 512; }), apart);
  EXPECT_EQ(span([](Program &p) {
              eachOf<TmaLoad>(p, [](TmaLoad &l) { l.source.offset[1].constant = 8; });
            }),
            apart);
}

TEST(StructureRules, R15_RefusesSomeLinesAtOnce) {
  EXPECT_EQ(span([](Program &p) {
              eachOf<TmaLoad>(p,
                              [](TmaLoad &l) { l.source.shape[0] = l.destination.shape[0] = 2; });
            }),
            spanRefused("it fills all lines of a"));
}

TEST(StructureRules, R15_RefusesLinesAtOnceBeforeTheTensor) {
  EXPECT_EQ(span([](Program &p) {
              eachOf<TmaLoad>(p, [](TmaLoad &l) { l.source.offset[0].constant = -2; });
            }),
            spanRefused("the first line may be before A, at -2"));
}

TEST(StructureRules, R15_RefusesLinesOfTwoLengthsInOneSpan) {
  EXPECT_EQ(span([](Program &p) {
              p.tensors.push_back(p.tensors[0]);
              Tensor &t = p.tensors[1];
              t.name = "B", t.isLine = false;
              t.rank = 3, t.minor = 2, t.extents = {-1, 8, 200};
              t.joined = 1, t.joinedExtent = 1503;
              std::vector<Stmt> &role = std::get<Role>(p.body.stmts.back().op).body.stmts;
              Stmt again = role[0];
              TmaLoad &load = std::get<TmaLoad>(again.op);
              load.source.object = 1, load.source.shape = {1, 4, 256};
              load.source.offset = {{kNone, 0}, {kNone, 0}, {kNone, 0}};
              role.insert(role.begin() + 1, again);
            }),
            spanRefused("all that is loaded into a has lines of one length"));
}

} // namespace
} // namespace sluice::test

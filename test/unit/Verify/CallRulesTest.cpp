// R50: what single calls of Ascend C take. Each limit from both sides, on both machines.
#include "Builder.h"

#include "Program/AscendCores.h"

#include <gtest/gtest.h>

#include <limits>

namespace sluice::test {
namespace {

constexpr Target both[] = {Target::ascend910b, Target::ascend950};

/// What a program of one core is refused for by R50 alone; "none".
std::string refusal(Builder &b) {
  for (const Violation &v : b.structure())
    if (v.rule == "R50")
      return v.message;
  return "none";
}

// ---- Cube cores

struct Product {
  int64_t m = 16, n = 16, k = 32;
  DType type = DType::f16, sums = DType::f32;
  int64_t start = 0, apart = 0; // bytes of the sums: more than there would be
  Index row = {};               // of A, where the product begins
  Target target = Target::ascend910b;

  std::string refusal() const {
    Builder b(target);
    const int a = b.buffer("a", Space::l0a, type, {m + 32, k}, layoutOfL0a(target));
    const int w = b.buffer("w", Space::l0b, type, {k, n}, Layout::nZ);
    const int d = b.buffer("d", Space::l0c, sums, {m, n}, Layout::zN, apart ? 2 : 1);
    b.program.buffers[d].offset += start;
    b.program.buffers[d].slotBytes += apart;
    b.grid(1);
    b.core("aic", [&] {
      View left = b.tile(a);
      left.shape[0] = m;
      left.offset[0] = row;
      b.emit(Mmad{b.tile(d), left, b.tile(w), constant(0)}, Exec::threads, Pipe::m);
    });
    return test::refusal(b);
  }
};

TEST(CallRules, R50_AcceptsTheLargestProducts) {
  for (const Target target : both) {
    EXPECT_EQ((Product{.m = 4080, .target = target}.refusal()), "none");
    EXPECT_EQ((Product{.n = 4080, .target = target}.refusal()), "none");
    EXPECT_EQ(
        (Product{.k = 4064, .type = DType::s8, .sums = DType::i32, .target = target}.refusal()),
        "none");
  }
}

TEST(CallRules, R50_RefusesLongerProducts) {
  for (const Target target : both) {
    EXPECT_EQ((Product{.m = 4096, .target = target}.refusal()),
              "mmad at t:4:1: 4096 rows (m of Mmad); a call takes at most 4095");
    EXPECT_EQ((Product{.n = 4096, .target = target}.refusal()),
              "mmad at t:4:1: 4096 columns (n of Mmad); a call takes at most 4095");
    EXPECT_EQ(
        (Product{.k = 4096, .type = DType::s8, .sums = DType::i32, .target = target}.refusal()),
        "mmad at t:4:1: 4096 numbers for each sum (k of Mmad); a call takes at most 4095");
  }
}

/// L0C itself counts in 64 bytes (R17).
TEST(CallRules, R50_RefusesSumsAtHalfAFractal) {
  for (const Target target : both) {
    EXPECT_EQ((Product{.start = 1024, .apart = 1024, .target = target}.refusal()), "none");
    EXPECT_EQ((Product{.start = 512, .target = target}.refusal()),
              "mmad at t:4:1: sums in d start at byte 512 of L0C, with slots of 1024; Mmad takes "
              "multiples of 1024 for both");
    EXPECT_EQ((Product{.apart = 64, .target = target}.refusal()),
              "mmad at t:4:1: sums in d start at byte 0 of L0C, with slots of 1088; Mmad takes "
              "multiples of 1024 for both");
  }
}

TEST(CallRules, R50_RefusesOperandsFromInsideOfAFractal) {
  EXPECT_EQ((Product{.row = constant(16)}.refusal()), "none");
  EXPECT_EQ((Product{.row = constant(8)}.refusal()),
            "mmad at t:4:1: it takes a from row 8 on; calls begin at whole fractals, multiples of "
            "16");
  EXPECT_EQ((Product{.row = {1, 0}}.refusal()), // the coordinate of the grid
            "mmad at t:4:1: it takes a from rows at multiples of 1, as far as is known, on; calls "
            "begin at whole fractals, multiples of 16");
}

struct Move {
  Pipe pipe;
  Space from, to;
  std::vector<int64_t> shape;
  DType type = DType::f16;
  Target target = Target::ascend910b;
  Layout layout = Layout::zN; // of L1
  Index column = {};          // of the source or, towards L0, of the destination

  int object(Builder &b, Space space) const {
    const Layout inL0 = space == Space::l0a   ? layoutOfL0a(target)
                        : space == Space::l0b ? Layout::nZ
                                              : Layout::zN;
    return space == Space::global
               ? b.tensor("X", type, shape, to == space)
               : b.buffer(std::string(name(space)), space, type, {shape[0], shape[1] + 16},
                          space == Space::ub   ? Layout::row
                          : space == Space::l1 ? layout
                                               : inL0);
  }
  View view(const Builder &b, Space space, int object) const {
    View v = space == Space::global ? b.box(object, {zero, zero}, shape) : b.tile(object);
    v.shape = shape;
    if (space == (from == Space::l1 ? to : from) && space != Space::global)
      v.offset[1] = column;
    return v;
  }
  std::string refusal() const {
    Builder b(target);
    const int source = object(b, from), destination = object(b, to);
    b.grid(1);
    b.core(from == Space::ub ? "aiv" : "aic",
           [&] { b.copy(pipe, view(b, to, destination), view(b, from, source)); });
    return test::refusal(b);
  }
};

Move toL0(std::vector<int64_t> shape, Target target = Target::ascend910b, Index column = {}) {
  return {Pipe::mte1, Space::l1, Space::l0a, std::move(shape),
          DType::f16, target,    Layout::zN, column};
}

TEST(CallRules, R50_AcceptsWholeFractals) {
  for (const Target target : both) {
    EXPECT_EQ(toL0({32, 4080}, target).refusal(), "none");
    EXPECT_EQ(toL0({32, 48}, target, constant(16)).refusal(), "none");
  }
}

TEST(CallRules, R50_RefusesPartsOfFractals) {
  for (const Target target : both) {
    EXPECT_EQ(toL0({24, 32}, target).refusal(),
              "copy at t:4:1: LoadData moves whole fractals, in l0a of 16 x 16; here are 24 x 32");
    EXPECT_EQ(toL0({32, 32}, target, constant(8)).refusal(),
              "copy at t:4:1: it takes l0a from column 8 on; calls begin at whole fractals, "
              "multiples of 16");
  }
}

TEST(CallRules, R50_RefusesLongerRowsOfFractals) {
  EXPECT_EQ(toL0({16, 4096}).refusal(),
            "copy at t:4:1: 256 fractals in a row of l0a (repeatTimes of LoadData); a call takes "
            "at most 255");
  EXPECT_EQ(toL0({16, 4096}, Target::ascend950).refusal(),
            "copy at t:4:1: 256 fractals in a row of l0a (a step of LoadData); a call takes at "
            "most 255");
}

/// 910B moves each row of fractals by a call of its own, 950 all by one.
TEST(CallRules, R50_RefusesLongerColumnsOfFractalsOn950) {
  EXPECT_EQ(toL0({4096, 16}).refusal(), "none");
  EXPECT_EQ(toL0({4096, 16}, Target::ascend950).refusal(),
            "copy at t:4:1: 256 fractals in a column of l0a (a step of LoadData); a call takes at "
            "most 255");
}

Move toL1(std::vector<int64_t> shape, Layout layout, Target target = Target::ascend910b) {
  return {Pipe::mte2, Space::global, Space::l1, std::move(shape), DType::f16, target, layout};
}

TEST(CallRules, R50_AcceptsTheLargestTiles) {
  for (const Target target : both) {
    EXPECT_EQ(toL1({16384, 16}, Layout::zN, target).refusal(), "none");
    EXPECT_EQ(toL1({16, 65520}, Layout::zN, target).refusal(), "none");
    EXPECT_EQ(toL1({65520, 16}, Layout::nZ, target).refusal(), "none"); // lines are columns
  }
}

TEST(CallRules, R50_RefusesLargerTiles) {
  for (const Target target : both) {
    EXPECT_EQ(toL1({16400, 16}, Layout::zN, target).refusal(),
              "copy at t:4:1: 16400 lines of l1 (nValue of ND2NZ); a call takes at most 16384");
    EXPECT_EQ(toL1({16, 65536}, Layout::zN, target).refusal(),
              "copy at t:4:1: 65536 elements in a line of l1 (dValue of ND2NZ); a call takes at "
              "most 65535");
    EXPECT_EQ(toL1({16, 16400}, Layout::nZ, target).refusal(),
              "copy at t:4:1: 16400 lines of l1 (nValue of ND2NZ); a call takes at most 16384");
  }
  EXPECT_EQ((Move{Pipe::mte3, Space::ub, Space::l1, {16400, 16}, DType::f16, Target::ascend950}
                 .refusal()),
            "copy at t:4:1: 16400 lines of l1 (nValue of ND2NZ); a call takes at most 16384");
}

Move fixed(std::vector<int64_t> shape, Target target = Target::ascend910b, Index column = {},
           Space to = Space::global) {
  return {Pipe::fix, Space::l0c, to, std::move(shape), DType::f32, target, Layout::zN, column};
}

TEST(CallRules, R50_AcceptsTheLargestStores) {
  for (const Target target : both) {
    EXPECT_EQ(fixed({8192, 16}, target).refusal(), "none");
    EXPECT_EQ(fixed({16, 4095}, target).refusal(), "none");
    EXPECT_EQ(fixed({16, 32}, target, constant(16)).refusal(), "none");
  }
  EXPECT_EQ(fixed({8208, 16}, Target::ascend910b, {}, Space::l1).refusal(), "none");
}

TEST(CallRules, R50_RefusesLargerStores) {
  for (const Target target : both) {
    EXPECT_EQ(fixed({16, 4096}, target).refusal(),
              "copy at t:4:1: 4096 columns of l0c (nSize of Fixpipe); a call takes at most 4095");
    EXPECT_EQ(fixed({65536, 16}, target, {}, Space::l1).refusal(),
              "copy at t:4:1: 65536 rows of l0c (mSize of Fixpipe); a call takes at most 65535");
    EXPECT_EQ(fixed({16, 32}, target, constant(8)).refusal(),
              "copy at t:4:1: it takes l0c from column 8 on; Fixpipe begins at whole fractals, "
              "multiples of 16");
  }
}

/// FixpipeParamsV220 has a limit for rows of a tensor, FixpipeParamsArch3510 has not.
TEST(CallRules, R50_RefusesRowsThat910bAloneLacks) {
  EXPECT_EQ(fixed({8208, 16}).refusal(),
            "copy at t:4:1: 8208 rows of l0c (mSize of Fixpipe); a call takes at most 8192");
  EXPECT_EQ(fixed({8208, 16}, Target::ascend950).refusal(), "none");
}

// ---- Vector cores

/// One vector core; tiles of rows.
struct Vectors {
  Builder b;
  explicit Vectors(Target target = Target::ascend910b) : b(target) { b.grid(1); }

  int tile(const std::string &name, int64_t rows, int64_t columns, DType type = DType::f32) {
    return b.buffer(name, Space::ub, type, {rows, columns}, Layout::row);
  }
  View part(int tile, std::vector<Index> offset, std::vector<int64_t> shape) {
    View v = b.tile(tile);
    v.offset = std::move(offset);
    v.shape = std::move(shape);
    return v;
  }
  std::string refusal(Operation op, Pipe pipe = Pipe::v) {
    b.core("aiv", [&] { b.emit(std::move(op), Exec::threads, pipe); });
    return test::refusal(b);
  }
  std::string load(int tile, std::vector<int64_t> shape) {
    const int x = b.tensor("X", b.program.buffers[tile].type, shape);
    return refusal(Copy{b.tile(tile), b.box(x, {zero, zero}, shape)}, Pipe::mte2);
  }
};

ElementNode argument(int i, DType type = DType::f32) {
  return {.op = ElementOp::argument, .type = type, .operands = {}, .imm = i};
}

Map moved(View in, View out) {
  return {{std::move(out)}, {std::move(in)}, {.inputs = 1, .nodes = {argument(0)}, .results = {0}}};
}
Map sum(View x, View y, View out) {
  ElementFn fn{.inputs = 2, .nodes = {argument(0), argument(1)}, .results = {2}};
  fn.nodes.push_back({.op = ElementOp::add, .type = DType::f32, .operands = {0, 1}});
  return {{std::move(out)}, {std::move(x), std::move(y)}, fn};
}
Reduce largest(View in, View out) {
  return {.out = std::move(out),
          .in = std::move(in),
          .axis = 1,
          .identity = -std::numeric_limits<double>::infinity(),
          .combine = ElementOp::max};
}

std::string loaded(int64_t rows, int64_t columns, Target target = Target::ascend910b) {
  Vectors v(target);
  return v.load(v.tile("x", rows, columns), {rows, columns});
}

TEST(CallRules, R50_AcceptsTheLargestLoadsOfRows) {
  for (const Target target : both) {
    EXPECT_EQ(loaded(4095, 8, target), "none");
    EXPECT_EQ(loaded(1, 524287, target), "none");
    EXPECT_EQ(loaded(1, 20, target), "none"); // a line alone
  }
  EXPECT_EQ(loaded(16, 20, Target::ascend950), "none"); // PaddingMode::Compact
}

TEST(CallRules, R50_RefusesLargerLoadsOfRows) {
  for (const Target target : both) {
    EXPECT_EQ(loaded(4096, 8, target),
              "copy at t:4:1: 4096 lines of x (blockCount of DataCopyPad); a call takes at most "
              "4095");
    EXPECT_EQ(loaded(1, 524288, target),
              "copy at t:4:1: 2097152 bytes in a line of x (blockLen of DataCopyPad); a call takes "
              "at most 2097151");
  }
}

TEST(CallRules, R50_RefusesLinesOfPartsOfBlocks) {
  EXPECT_EQ(loaded(16, 20), "copy at t:4:1: lines of x have 80 bytes; DataCopyPad begins each at "
                            "a multiple of 32");
}

/// Sixteen lines of the tensor are one of numbers of rows, or are columns of the tile.
TEST(CallRules, R50_CountsLinesOfTheTensor) {
  Vectors column;
  const int x = column.tile("x", 4096, 1);
  const int X = column.b.tensor("X", DType::f32, {4096, 1});
  column.b.program.tensors[X].minor = 0;
  EXPECT_EQ(
      column.refusal(Copy{column.b.tile(x), column.b.box(X, {zero, zero}, {4096, 1})}, Pipe::mte2),
      "none");
  Vectors turned;
  const int t = turned.tile("t", 16, 4096);
  const int Y = turned.b.tensor("Y", DType::f32, {4096, 16});
  turned.b.program.tensors[Y].minor = 0;
  View lines = turned.b.tile(t);
  lines.transposed = true;
  EXPECT_EQ(turned.refusal(Copy{lines, turned.b.box(Y, {zero, zero}, {4096, 16})}, Pipe::mte2),
            "none");
}

std::string folded(int64_t rows, int64_t columns, Target target = Target::ascend910b) {
  Vectors v(target);
  const int x = v.tile("x", rows, columns), m = v.tile("m", rows, 1);
  return v.refusal(largest(v.b.tile(x), v.b.tile(m)));
}

TEST(CallRules, R50_AcceptsTheLargestFolds) {
  for (const Target target : both) {
    EXPECT_EQ(folded(255, 64, target), "none");
    EXPECT_EQ(folded(1, 20, target), "none");
  }
}

/// A fold of wider rows is no instruction.
TEST(CallRules, R50_AcceptsFoldsThatAreNoCall) {
  EXPECT_EQ(folded(256, 128), "none");
  EXPECT_EQ(folded(256, 65), "none");
}

TEST(CallRules, R50_RefusesLargerFolds) {
  for (const Target target : both)
    EXPECT_EQ(folded(256, 64, target),
              "reduce at t:4:1: 256 rows of x (repeatTime of ReduceRepeat); a call takes at most "
              "255");
  EXPECT_EQ(folded(16, 20), "reduce at t:4:1: rows of x have 80 bytes, and are taken one by one; "
                            "calls begin at multiples of 32");
}

std::string spread(int64_t rows, int64_t room, Target target = Target::ascend910b) {
  Vectors v(target);
  const int m = v.tile("m", room, 1), w = v.tile("w", room, 8);
  return v.refusal(moved(v.part(m, {zero, zero}, {rows, 1}), v.part(w, {zero, zero}, {rows, 8})));
}

TEST(CallRules, R50_AcceptsNumbersThatAreSpread) {
  for (const Target target : both) {
    EXPECT_EQ(spread(2040, 2040, target), "none");
    EXPECT_EQ(spread(20, 24, target), "none");
  }
}

TEST(CallRules, R50_RefusesMoreNumbersThatAreSpread) {
  for (const Target target : both) {
    EXPECT_EQ(spread(2048, 2048, target),
              "map at t:4:1: 256 times 8 rows of w (repeatTime of Brcb); a call takes at most 255");
    EXPECT_EQ(spread(20, 20, target),
              "map at t:4:1: Brcb takes 8 rows at a time, 24 of m; it has 20");
  }
}

std::string turnedTile(int64_t rows, int64_t columns) {
  Vectors v;
  const int x = v.tile("x", rows, columns), y = v.tile("y", columns, rows);
  View in = v.b.tile(x);
  in.transposed = true;
  return v.refusal(moved(in, v.b.tile(y)));
}

TEST(CallRules, R50_AcceptsTilesThatAreTurned) {
  EXPECT_EQ(turnedTile(16, 2040), "none");
  EXPECT_EQ(turnedTile(4096, 16), "none");
  EXPECT_EQ(turnedTile(15, 4096), "none"); // by no call
}

TEST(CallRules, R50_RefusesLongerTilesThatAreTurned) {
  EXPECT_EQ(turnedTile(16, 2048),
            "map at t:4:1: 256 blocks in a row of x (repeatTimes of TransDataTo5HD); a call takes "
            "at most 255");
}

std::string withNumbers(int64_t rows, int64_t columns) {
  Vectors v;
  const int x = v.tile("x", rows, columns), w = v.tile("w", rows, 8);
  return v.refusal(sum(v.b.tile(x), v.part(w, {zero, zero}, {rows, 1}), v.b.tile(x)));
}

TEST(CallRules, R50_AcceptsANumberForEachRow) {
  EXPECT_EQ(withNumbers(2, 16320), "none");
  EXPECT_EQ(withNumbers(300, 64), "none"); // a call a row, or for all rows in turn
}

/// Numbers side by side are what no call takes beside a tile: the printer's matter.
TEST(CallRules, R50_AcceptsNumbersThatNoCallTakes) {
  Vectors v;
  const int x = v.tile("x", 64, 64), w = v.tile("w", 64, 1);
  EXPECT_EQ(v.refusal(sum(v.b.tile(x), v.b.tile(w), v.b.tile(x))), "none");
}

TEST(CallRules, R50_RefusesANumberForLongerRows) {
  EXPECT_EQ(withNumbers(2, 16384),
            "map at t:4:1: 256 times 256 bytes in a row of x (repeatTime); a call takes at most "
            "255");
}

/// x[from..] + x[from..] of a tile of this width.
std::string doubled(std::vector<Index> from, std::vector<int64_t> shape, int64_t columns,
                    Target target = Target::ascend910b) {
  Vectors v(target);
  const View part = v.part(v.tile("x", 16, columns), std::move(from), std::move(shape));
  return v.refusal(sum(part, part, part));
}

TEST(CallRules, R50_AcceptsPartsOfTiles) {
  for (const Target target : both) {
    EXPECT_EQ(doubled({constant(2), constant(8)}, {3, 4}, 16, target), "none");
    EXPECT_EQ(doubled({zero, zero}, {16, 20}, 20, target), "none"); // all rows by one call
    EXPECT_EQ(doubled({constant(8), zero}, {2, 20}, 20, target), "none");
  }
}

TEST(CallRules, R50_RefusesPartsInsideOfBlocks) {
  for (const Target target : both) {
    EXPECT_EQ(doubled({constant(2), constant(4)}, {1, 8}, 16, target),
              "map at t:4:1: it takes x from byte 144 on; calls take multiples of 32");
    EXPECT_EQ(doubled({zero, zero}, {16, 8}, 20, target),
              "map at t:4:1: rows of x have 80 bytes, and are taken one by one; calls begin at "
              "multiples of 32");
    EXPECT_EQ(doubled({{1, 0}, zero}, {1, 20}, 20, target), // the coordinate of the grid
              "map at t:4:1: it takes x from bytes at multiples of 80, as far as is known, on; "
              "calls take multiples of 32");
  }
}

TEST(CallRules, R50_RefusesFillsInsideOfBlocks) {
  Vectors v;
  const int x = v.tile("x", 16, 20);
  EXPECT_EQ(v.refusal(Fill{v.part(x, {constant(1), zero}, {2, 20}), 0}),
            "fill at t:4:1: it takes x from byte 80 on; calls take multiples of 32");
}

} // namespace
} // namespace sluice::test

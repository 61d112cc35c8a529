// Mistakes in embedded kernels: the first one is reported, at the author's line, with the fix.
#include "sluice/KernelBuilder.h"

#include <gtest/gtest.h>

namespace sluice::lang {
namespace {

/// The first mistake of a kernel, and how many lines below `line` it was found.
struct Mistake {
  std::string message;
  int line;
  std::string file;
};

template <typename F> Mistake mistakeOf(F &&write) {
  KernelBuilder k("broken");
  write(k);
  auto kernel = k.build();
  if (kernel)
    return {"built", 0, ""};
  const Error &e = kernel.error();
  return {e.message, e.location.line, e.location.file};
}

#define EXPECT_MISTAKE(mistake, expectedLine, text)                                                \
  do {                                                                                             \
    Mistake found = mistake;                                                                       \
    EXPECT_EQ(found.message, text);                                                                \
    EXPECT_EQ(found.line, expectedLine);                                                           \
    EXPECT_NE(found.file.find("MistakeTest.cpp"), std::string::npos);                              \
  } while (false)

TEST(Mistake, RawText) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    Tile x = k.tile(f32, {64, 64}, "x");
    line = __LINE__ + 1;
    k.raw({{"sm_90a", "f($x, $y);"}}, {.writes = {}, .reads = {{"x", x}}});
  });
  EXPECT_MISTAKE(m, line, "'sluice.raw' op text for sm_90a: $y is no operand; there are: x");
  m = mistakeOf([&](KernelBuilder &k) {
    Tile x = k.tile(f32, {64, 64}, "x");
    line = __LINE__ + 1;
    k.raw({{"sm_90a", "f($x);"}},
          {.writes = {}, .reads = {{"x", x}}, .model = [](const auto &in) { return in[0]; }});
  });
  EXPECT_MISTAKE(m, line, "raw text with a model writes one tile, not 0");
}

TEST(Mistake, Assumptions) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    Index n = k.argument("n");
    k.loop(n, stages(2), "i", [&](Index) {
      line = __LINE__ + 1;
      k.assume(n > 2, "some trips");
    });
  });
  EXPECT_MISTAKE(
      m, line,
      "'sluice.assume' op stands directly in the kernel: it is about a launch, not about "
      "a part of its work");
  m = mistakeOf([&](KernelBuilder &k) {
    Tensor L = k.input("L", i32, 1);
    line = __LINE__ + 1;
    k.assume(k.scalar(L.at({0})) > 2, "long");
  });
  EXPECT_MISTAKE(m, line,
                 "'sluice.assume' op is about extents and integer arguments, which a host knows "
                 "before a launch; this one needs 'sluice.scalar_load'");
}

TEST(Mistake, LoadsAheadAndTurns) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    line = __LINE__ + 1;
    k.grid(8, 8, {.persistent = true, .pingpong = true, .loadAhead = true});
  });
  EXPECT_MISTAKE(m, line,
                 "ping-pong and loads by who computes; two groups that take turns need a role "
                 "that loads");
}

TEST(Mistake, CtasOnAnSm) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    line = __LINE__ + 1;
    k.grid(8, {.persistent = true, .ctasPerSm = 2});
  });
  EXPECT_MISTAKE(m, line, "2 CTAs on an SM; a persistent grid has one on each, leave either out");
  m = mistakeOf([&](KernelBuilder &k) {
    line = __LINE__ + 1;
    k.grid(8, {.ctasPerSm = 0});
  });
  EXPECT_MISTAKE(m, line, "0 CTAs on an SM; 1 to 32 are possible");
}

TEST(Mistake, DrawnTiles) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    line = __LINE__ + 1;
    k.grid(8, 8, {.dynamic = true});
    k.tile(f32, {64, 64}, "t");
  });
  EXPECT_MISTAKE(m, line,
                 "tiles are drawn where a CTA computes one after the other; make the grid "
                 "persistent, or go through them in a loop from the CTA's own number on");
  m = mistakeOf([&](KernelBuilder &k) {
    line = __LINE__ + 1;
    k.grid(8, 8, {.persistent = true, .pingpong = true, .dynamic = true});
  });
  EXPECT_MISTAKE(m, line,
                 "tiles are drawn, and beside that ping-pong needs to know them ahead; leave one "
                 "out");
}

TEST(Mistake, OffsetsAndRank) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    Tensor A = k.input("A", f16, 2);
    line = __LINE__ + 1;
    k.load(A.at({0}), {128, 64}, "a");
  });
  EXPECT_MISTAKE(m, line, "1 offsets into 'A', which has rank 2");
}

TEST(Mistake, DimensionAndRank) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    Tensor A = k.input("A", f16, 2);
    line = __LINE__ + 1;
    k.grid(A.dim(2));
  });
  EXPECT_MISTAKE(m, line, "dimension 2 of 'A', which has rank 2");
}

TEST(Mistake, ClippedDimension) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    Tensor C = k.output("C", f16, 2);
    line = __LINE__ + 1;
    k.store(k.tile(f16, {64, 64}), clip(C.at({0, 0}), 2, 100));
  });
  EXPECT_MISTAKE(m, line, "clips dimension 2 of 'C', which has rank 2");
}

TEST(Mistake, RowsOfAGather) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    Tensor A = k.input("A", f16, 2), rows = k.input("rows", i32, 2);
    line = __LINE__ + 1;
    k.load(gather(A.at({0, 0}), rows), {64, 64});
  });
  EXPECT_MISTAKE(m, line,
                 "rows are named by a tensor of rank 1 of i32; 'rows' has rank 2 and type i32");
}

TEST(Mistake, KExtentsDiffer) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    Tensor A = k.input("A", f16, 2), B = k.input("B", f16, 2);
    Tile acc = k.accumulator(f32, {128, 128});
    Tile a = k.load(A.at({0, 0}), {128, 64}, "a"), b = k.load(B.at({0, 0}), {128, 128}, "b");
    line = __LINE__ + 1;
    k.mma(acc, a, b);
  });
  EXPECT_MISTAKE(m, line,
                 "mma: K extents differ: a is 128x64, b is 128x128; a product is d[M,N] += a[M,K] "
                 "b[K,N] (transpose(b) exchanges rows and columns)");
}

TEST(Mistake, AccumulatorShape) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    Tensor A = k.input("A", f16, 2);
    Tile acc = k.accumulator(f32, {64, 128});
    Tile a = k.load(A.at({0, 0}), {128, 64}, "a");
    line = __LINE__ + 1;
    k.mma(acc, a, transpose(a));
  });
  EXPECT_MISTAKE(m, line, "mma: d is 64x128, but a b is 128x128: a is 128x64, b is 64x128");
}

TEST(Mistake, AccumulatorType) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    Tensor A = k.input("A", f16, 2);
    Tile acc = k.accumulator(f16, {128, 128});
    Tile a = k.load(A.at({0, 0}), {128, 64}, "a");
    line = __LINE__ + 1;
    k.mma(acc, a, transpose(a));
  });
  EXPECT_MISTAKE(m, line, "mma: d is f16; products of f16 accumulate in f32");
}

TEST(Mistake, TileExtents) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    line = __LINE__ + 1;
    k.accumulator(f32, {128, 0});
  });
  EXPECT_MISTAKE(m, line, "a tile of 128 x 0 elements; both extents must be at least 1");
  m = mistakeOf([&](KernelBuilder &k) {
    line = __LINE__ + 1;
    k.tile(f32, {int64_t(1) << 62, int64_t(1) << 62});
  });
  EXPECT_MISTAKE(m, line,
                 "a tile of 4611686018427387904 x 4611686018427387904 elements; no on-chip memory "
                 "holds it");
}

TEST(Mistake, RowsOfTensors) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    line = __LINE__ + 1;
    k.input("X", f16, 3, {.rows = 2});
  });
  EXPECT_MISTAKE(m, line, "tensor 'X': rows = 2 names no dimension before the last of rank 3");
  m = mistakeOf([&](KernelBuilder &k) {
    line = __LINE__ + 1;
    k.input("X", f16, 3, {.joined = 2});
  });
  EXPECT_MISTAKE(m, line, "tensor 'X': joined = 2 names no dimension before the last of rank 3");
  m = mistakeOf([&](KernelBuilder &k) {
    line = __LINE__ + 1;
    k.input("X", f16, 3, {.extents = {anyExtent, 8, 64}, .joined = 1, .joinedExtent = 512});
  });
  EXPECT_MISTAKE(m, line,
                 "tensor 'X': joinedExtent = 512 is of rows x parts x columns of a part, with "
                 "joined = 1, and less than the fixed extents of both");
  m = mistakeOf([&](KernelBuilder &k) {
    line = __LINE__ + 1;
    k.input("X", f16, 2, {.extents = {8, 64}, .line = true});
  });
  EXPECT_MISTAKE(m, line,
                 "tensor 'X': line is of any number of lines of so many elements: extents "
                 "{anyExtent, 1024}");
  m = mistakeOf([&](KernelBuilder &k) {
    line = __LINE__ + 1;
    k.input("X", f16, 2, {.extents = {anyExtent, -2}});
  });
  EXPECT_MISTAKE(m, line, "tensor 'X': an extent of -2");
}

TEST(Mistake, TileOutsideOfItsLoop) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    Tensor A = k.input("A", f16, 2), C = k.output("C", f16, 2);
    std::vector<Tile> kept;
    k.loop(4, stages(2), "steps", [&](Index t) {
      kept.push_back(k.load(A.at({t, 0}), {64, 64}, "a"));
    });
    line = __LINE__ + 1;
    k.store(kept[0], C.at({0, 0}));
  });
  EXPECT_MISTAKE(m, line,
                 "tile 'a' is used outside of loop 'steps', where it was made; make it before");
}

TEST(Mistake, LoopVariableOutsideOfItsLoop) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    Index kept = 0;
    k.loop(4, "steps", [&](Index t) { kept = t; });
    line = __LINE__ + 1;
    Index next = kept + 1;
    k.grid(next);
  });
  EXPECT_MISTAKE(
      m, line,
      "the loop variable is used outside of loop 'steps', where it was made; make it before");
}

TEST(Mistake, ElementOutsideOfItsFunction) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    Tile x = k.accumulator(f32, {64, 64});
    Element kept = 0;
    k.map({x}, f32, [&](Element e) { return kept = e; });
    line = __LINE__ + 1;
    k.map({x}, f32, [&](Element e) { return e + kept; });
  });
  EXPECT_MISTAKE(
      m, line,
      "an element is used outside of its element function, where it was made; make it before");
}

TEST(Mistake, StatementInElementFunction) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    Tile x = k.accumulator(f32, {64, 64});
    k.map({x}, f32, [&](Element e) {
      line = __LINE__ + 1;
      k.fill(x, 0);
      return e;
    });
  });
  EXPECT_MISTAKE(m, line,
                 "a statement inside an element function; only elements are computed there");
}

TEST(Mistake, StoreOfAnotherType) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    Tensor C = k.output("C", bf16, 2);
    Tile acc = k.accumulator(f32, {64, 64});
    line = __LINE__ + 1;
    k.store(acc, C.at({0, 0}));
  });
  EXPECT_MISTAKE(m, line, "tile 'acc' is f32, tensor 'C' is bf16; convert with cast(tile, bf16)");
}

TEST(Mistake, Broadcast) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    Tile x = k.accumulator(f32, {64, 64}, "x"), y = k.accumulator(f32, {1, 32}, "y");
    line = __LINE__ + 1;
    k.map({x, y}, f32, [](Element a, Element b) { return a + b; });
  });
  EXPECT_MISTAKE(m, line, "map: input 'y' of 1x32 does not broadcast to 64x64");
}

TEST(Mistake, ElementTypes) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    Tile x = k.accumulator(f32, {64, 64}, "x"), y = k.accumulator(i32, {64, 64}, "y");
    line = __LINE__ + 1;
    k.map({x, y}, f32, [](Element a, Element b) { return a + b; });
  });
  EXPECT_MISTAKE(m, line, "operands of types f32 and i32; cast one of them");
  m = mistakeOf([&](KernelBuilder &k) {
    const Seed seed = k.seed("seed");
    Tile x = k.accumulator(f32, {64, 64}, "x");
    line = __LINE__ + 1;
    k.map({x}, f32, [&](Element a) { return random(seed, 0, a, 0); });
  });
  EXPECT_MISTAKE(m, line, "a random number follows from integers; an operand is of type f32");
}

TEST(Mistake, SlotsAndStages) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    line = __LINE__ + 1;
    k.loop(4, slots({{"l0x", 2}}), "t", [](Index) {});
  });
  EXPECT_MISTAKE(m, line,
                 "loop 't': slots in 'l0x', which is no on-chip memory; one of smem, reg, tmem, "
                 "l1, l0a, l0b, l0c, ub");
  m = mistakeOf([&](KernelBuilder &k) {
    line = __LINE__ + 1;
    k.loop(4, slots({{"l1", 2}, {"l1", 3}}), "t", [](Index) {});
  });
  EXPECT_MISTAKE(m, line, "loop 't': slots in l1 are asked for twice");
  m = mistakeOf([&](KernelBuilder &k) {
    line = __LINE__ + 1;
    k.loop(4, stages(100), "t", [](Index) {});
  });
  EXPECT_MISTAKE(m, line, "loop 't': 100 stages; 1 to 64 is possible");
  m = mistakeOf([&](KernelBuilder &k) {
    line = __LINE__ + 1;
    k.loop(4, stages(2).split(9), "t", [](Index) {});
  });
  EXPECT_MISTAKE(m, line, "loop 't': split over 9 CTAs; 1 to 8 are possible");
  m = mistakeOf([&](KernelBuilder &k) {
    line = __LINE__ + 1;
    k.loop(4, stages(2).prefetch(2), "t", [](Index) {});
  });
  EXPECT_MISTAKE(m, line, "loop 't': prefetch(2) of 2 stages; 0 to one fewer than these");
}

TEST(Mistake, DivisionByZero) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    Tensor A = k.input("A", f16, 2);
    line = __LINE__ + 1;
    k.grid(ceilDiv(A.dim(0), 0));
  });
  EXPECT_MISTAKE(m, line, "division by zero");
  m = mistakeOf([&](KernelBuilder &k) {
    line = __LINE__ + 1;
    k.grid(Index(1) / 0);
  });
  EXPECT_MISTAKE(m, line, "an index from a division by zero, or beyond 64 bits");
}

TEST(Mistake, Names) {
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    line = __LINE__ + 1;
    k.input("a b", f16, 2);
  });
  EXPECT_MISTAKE(m, line,
                 "the name 'a b' of a kernel argument is no identifier: letters, digits and _, "
                 "not a digit first");
  m = mistakeOf([&](KernelBuilder &k) {
    k.input("A", f16, 2);
    line = __LINE__ + 1;
    k.output("A", f16, 2);
  });
  EXPECT_MISTAKE(m, line, "a second kernel argument 'A'");
}

TEST(Mistake, OtherKernel) {
  KernelBuilder other("other");
  Tile theirs = other.accumulator(f32, {64, 64});
  int line = 0;
  auto m = mistakeOf([&](KernelBuilder &k) {
    line = __LINE__ + 1;
    k.fill(theirs, 1);
  });
  EXPECT_MISTAKE(m, line, "an operand belongs to another kernel");
}

TEST(Mistake, AfterBuild) {
  KernelBuilder k("done");
  Tile x = k.accumulator(f32, {64, 64});
  Tensor A = k.input("A", f16, 2);
  Index rows = A.dim(0);
  ASSERT_TRUE(k.build()); // and the kernel is gone again
  k.fill(x, 1);
  ASSERT_EQ(k.errors().size(), 1u);
  EXPECT_EQ(k.errors()[0].message, "the kernel is built; nothing can be added to it");
  k.loop(rows * 2, "t", [&](Index t) {
    k.when(t < A.dim(1), [&] { k.store(k.cast(x, f16), A.at({t, rows})); });
  });
  auto again = k.build();
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().message, "the kernel is built already");
  EXPECT_EQ(again.error().location.line, __LINE__ - 3);
}

TEST(Mistake, BuildInsideLoop) {
  KernelBuilder k("early");
  std::string message;
  k.loop(4, "t", [&](Index) {
    auto kernel = k.build();
    message = kernel ? "built" : kernel.error().message;
  });
  EXPECT_EQ(message, "build() inside a loop; it ends the kernel");
  EXPECT_TRUE(k.build());
}

TEST(Mistake, NoStatements) {
  int line = __LINE__ + 1;
  KernelBuilder k("idle");
  k.input("A", f16, 2);
  auto kernel = k.build();
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().message, "kernel 'idle' has no statements");
  EXPECT_EQ(kernel.error().location.line, line);
}

TEST(Mistake, FollowersStayQuiet) {
  KernelBuilder k("broken");
  Tensor A = k.input("A", f16, 2), C = k.output("C", f16, 2);
  Tile a = k.load(A.at({0}), {128, 64}, "a");
  Tile s = k.product(a, transpose(a), "s");
  k.store(k.cast(s, f16), C.at({0, 0}));
  EXPECT_EQ(k.errors().size(), 1u);
}

} // namespace
} // namespace sluice::lang

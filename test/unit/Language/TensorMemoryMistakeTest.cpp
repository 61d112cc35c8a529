// Mistakes with tensor memory, buffers in one place and the pipelines of Blackwell: the first one
// is reported, at the author's line, with the fix.
#include "sluice/KernelBuilder.h"

#include <gtest/gtest.h>

namespace sluice::lang {
namespace {

/// "lines below `line`: message" of the first mistake.
std::string mistakeOf(KernelBuilder &k, int line) {
  auto kernel = k.build();
  return kernel
             ? "built"
             : std::to_string(kernel.error().location.line - line) + ": " + kernel.error().message;
}

struct SumParts {
  KernelBuilder k{"broken"};
  Tensor A = k.input("A", f16, 2, {.align = 16}), C = k.output("C", f32, 2, {.align = 16});
};

TEST(TensorMemoryMistake, Buffers) {
  SumParts rows;
  int line = __LINE__;
  rows.k.tensorMemory(f32, {256, 64}, "sum");
  EXPECT_EQ(mistakeOf(rows.k, line), "1: buffer 'sum' has 256 rows; tensor memory has 128 lanes");
  SumParts turned;
  line = __LINE__;
  turned.k.tensorMemory(f32, {128, 64}, "sum", {.minor = 0});
  EXPECT_EQ(mistakeOf(turned.k, line),
            "1: buffer 'sum': minor = 0; in tensor memory a row lies in a lane, column by column");
}

TEST(TensorMemoryMistake, InOnePlace) {
  SumParts parts;
  Buffer a = parts.k.shared(f16, {64, 64}, "a");
  int line = __LINE__;
  parts.k.tensorMemory(f32, {128, 64}, "sum", {.over = a});
  EXPECT_EQ(mistakeOf(parts.k, line), "1: buffer 'sum' over 'a', which lies in another memory");
  SumParts local;
  Tile tile = local.k.tile(f16, {64, 64}, "own");
  line = __LINE__;
  local.k.shared(f16, {64, 64}, "a", {.over = tile});
  EXPECT_EQ(mistakeOf(local.k, line),
            "1: buffer 'a' over tile 'own', which is no buffer that roles share");
  KernelBuilder k("core");
  Buffer x = k.buffer(f16, {64, 64}, Space::ub, "x");
  line = __LINE__;
  k.buffer(f16, {64, 64}, Space::ub, "y", {.over = x});
  EXPECT_EQ(mistakeOf(k, line),
            "1: buffer 'y' over another one in ub; they share a place in shared "
            "and in tensor memory");
}

TEST(TensorMemoryMistake, ProductsOfPairs) {
  SumParts parts;
  parts.k.grid(2, {.cluster = {2, 1}, .pair = true});
  Buffer a = parts.k.shared(f16, {128, 64}, "a"), b = parts.k.shared(f16, {64, 128}, "b");
  Buffer sum = parts.k.tensorMemory(f32, {128, 128}, "sum");
  int line = 0;
  parts.k.role("mma", warps(1).leader(), [&] {
    line = __LINE__;
    parts.k.mma(sum, a, b);
  });
  EXPECT_EQ(mistakeOf(parts.k, line), "1: mma: d is 128x128, but a b of a pair is 128x256: a is "
                                      "128x64, b is 64x128");
  SumParts late;
  late.k.shared(f16, {64, 64}, "a");
  line = __LINE__;
  late.k.grid(2, {.cluster = {2, 1}, .pair = true});
  EXPECT_EQ(mistakeOf(late.k, line), "1: a grid of pairs behind roles or buffers; it comes first, "
                                     "since products follow it");
}

TEST(TensorMemoryMistake, Names) {
  SumParts parts;
  Buffer a = parts.k.shared(f16, {64, 64}, "a");
  int line = __LINE__;
  parts.k.pipeline("ring", stages(2), {a}, {.fullNames = {"one"}});
  EXPECT_EQ(mistakeOf(parts.k, line),
            "1: pipeline 'ring': 1 names for 2 barriers of its full side");
  SumParts elided;
  Buffer b = elided.k.shared(f16, {64, 64}, "b");
  line = __LINE__;
  elided.k.pipeline("ring", stages(1), {b}, {.empty = false, .emptyNames = {"one"}});
  EXPECT_EQ(mistakeOf(elided.k, line),
            "1: pipeline 'ring': 1 names for 0 barriers of its empty side");
}

TEST(TensorMemoryMistake, LeaderWithoutACluster) {
  SumParts parts;
  Buffer a = parts.k.shared(f16, {64, 64}, "a");
  const int line = __LINE__;
  Pipeline ring = parts.k.pipeline("ring", stages(1), {a}, {.leader = true});
  parts.k.role("load", warps(1), [&] {
    Producer to = ring.producer();
    to.acquire();
    parts.k.load(parts.A.at({0, 0}), a);
    to.commit();
  });
  parts.k.role("take", warps(4), [&] {
    Consumer from = ring.consumer();
    from.wait();
    parts.k.read(a, f32, "x");
    from.release();
  });
  EXPECT_EQ(mistakeOf(parts.k, line),
            "1: pipeline 'ring' has its barriers on the leader CTA, but the grid has no cluster");
}

/// A ring whose producer loads or copies, and whose consumer multiplies or reads.
struct Flow : SumParts {
  Buffer a = k.shared(f16, {128, 64}, "a"), b = k.shared(f16, {64, 64}, "b");
  Buffer sum = k.tensorMemory(f32, {128, 64}, "sum");

  void load(const Pipeline &ring) {
    k.role("load", warps(1), [&] {
      Producer to = ring.producer();
      to.acquire();
      k.load(A.at({0, 0}), a[to]);
      to.commit();
    });
  }
  void multiply(const Pipeline &ring) {
    k.role("mma", warps(1), [&] {
      Consumer from = ring.consumer();
      from.wait();
      k.mma(sum, a[from], b);
      from.release();
    });
  }
  int read(const Pipeline &ring) {
    int line = 0;
    k.role("read", warps(4), [&] {
      Consumer from = ring.consumer();
      from.wait();
      line = __LINE__ + 1;
      k.read(a[from], f32, "x");
      from.release();
    });
    return line;
  }
};

TEST(TensorMemoryMistake, TakenByThreads) {
  Flow f;
  PipelineTmaUmma ring(f.k, "ring", stages(1), {f.a});
  f.load(ring);
  const int line = f.read(ring);
  EXPECT_EQ(mistakeOf(f.k, line),
            "0: PipelineTmaUmma 'ring' is taken by products in tensor memory, "
            "and threads take tile 'a'; that is PipelineTmaAsync");
}

TEST(TensorMemoryMistake, FilledByTma) {
  Flow f;
  PipelineAsyncUmma ring(f.k, "ring", stages(1), {f.a});
  f.load(ring);
  f.multiply(ring);
  auto kernel = f.k.build();
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().message, "PipelineAsyncUmma 'ring' is filled by threads, and TMA loads "
                                    "tile 'a'; that is PipelineTmaUmma");
}

TEST(TensorMemoryMistake, FilledByNoProduct) {
  Flow f;
  PipelineUmmaAsync ring(f.k, "ring", stages(1), {f.a});
  f.load(ring);
  f.read(ring);
  auto kernel = f.k.build();
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().message, "PipelineUmmaAsync 'ring' is filled by products, and tile 'a' "
                                    "is written otherwise; that is PipelineTmaAsync");
}

} // namespace
} // namespace sluice::lang

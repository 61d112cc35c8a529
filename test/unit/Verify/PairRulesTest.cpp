// R45: pairs of CTAs.
#include "Builder.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

struct PairOptions {
  int64_t ctas = 2;      // of the cluster
  bool pairAlloc = true; // the allocation and the rest are of pairs alike
  bool meetFirst = true; // both CTAs, between the allocations and the product; else each its own
  bool meetLast = true;  // and in front of the end
  bool toBoth = true;    // the commit tells both CTAs
  bool copies = false;   // to the columns of both, in front of the product
};

/// C[256, 128] = A[256, 64] B[64, 128], one step: each CTA loads its rows of A and half of the
/// columns of B for the barrier of CTA 0, whose thread multiplies for both.
Builder pairOf(const PairOptions &o) {
  Builder b;
  b.program.target = Target::sm_100a;
  b.program.cluster[0] = o.ctas;
  const int A = b.tensor("A", DType::bf16, {256, 64}), B = b.tensor("B", DType::bf16, {64, 128});
  const int C = b.tensor("C", DType::f32, {256, 128}, true);
  const int a = b.buffer("a", Space::smem, DType::bf16, {128, 64}, Layout::sw128);
  const int w = b.buffer("b", Space::smem, DType::bf16, {64, 64}, Layout::sw128);
  b.buffer("room", Space::smem, DType::f32, {1024, 32}, Layout::row); // for one CTA an SM
  const int address = b.buffer("address", Space::smem, DType::i32, {1, 1}, Layout::row);
  const int d = b.buffer("d", Space::tmem, DType::f32, {128, 128}, Layout::row);
  b.program.buffers[d].slotBytes = 128 * 4;
  const int F = b.tensor("F", DType::ue8m0, {64, 16});
  const int f = b.buffer("f", Space::smem, DType::ue8m0, {32, 16}, Layout::row);
  const int t = b.buffer("t", Space::tmem, DType::ue8m0, {128, 16}, Layout::row);
  b.program.buffers[t].slotBytes = 16, b.program.buffers[t].offset = 512;
  const int x = b.buffer("x", Space::reg, DType::f32, {128, 128}, Layout::row, 1, "epilogue");
  const int full = b.barriers("full", 1), done = b.barriers("done", 1);
  b.grid(2);
  const ValueId rank = b.scalar(ScalarOp::clusterRank), zero = b.number(0);
  const ValueId row = b.scalar(ScalarOp::mul, {rank, b.number(128)});
  const ValueId column = b.scalar(ScalarOp::mul, {rank, b.number(64)});
  const ValueId line = b.scalar(ScalarOp::mul, {rank, b.number(32)});
  const ValueId leads = b.scalar(ScalarOp::eq, {rank, zero});
  const MbarrierRef fullOfLeader = Builder::peer(full, constant(0), {zero});
  b.role("init", 0, 1, [&] {
    b.init(full, 2), b.init(done, 1);
    b.emit(Fence{Fence::mbarrierInit}, Exec::one);
  });
  b.role("allocate", 5, 1, [&] {
    b.emit(TmemAlloc{256, b.tile(address), o.pairAlloc});
    b.emit(TmemRelinquish{o.pairAlloc});
  });
  b.program.warps = 6;
  const auto meet = [&](bool all) {
    if (all)
      b.emit(ClusterBarrier{ClusterBarrier::sync});
    else
      b.sync(0, 6);
  };
  const auto begin = [&] {
    meet(o.meetFirst);
    b.emit(TmemAddress{b.tile(address)});
  };
  if (o.meetFirst)
    begin();
  else // of the barriers alone: the load of the other CTA tells nothing of its allocation
    b.emit(ClusterBarrier{ClusterBarrier::arriveRelaxed}),
        b.emit(ClusterBarrier{ClusterBarrier::wait});
  b.role("load", 4, 1, [&] {
    b.emit(MbarrierArriveExpectTx{fullOfLeader, constant(128 * 64 * 2 + 64 * 64 * 2 + 512)},
           Exec::one);
    b.emit(TmaLoad{b.tile(f), b.box(F, {{line, 0}, constant(0)}, {32, 16}), fullOfLeader},
           Exec::one);
    b.emit(TmaLoad{b.tile(a), b.box(A, {{row, 0}, constant(0)}, {128, 64}), fullOfLeader},
           Exec::one);
    b.emit(TmaLoad{b.tile(w), b.box(B, {constant(0), {column, 0}}, {64, 64}), fullOfLeader},
           Exec::one);
  });
  if (!o.meetFirst)
    begin();
  b.role("mma", 5, 1, [&] {
    b.when(leads, [&] {
      b.wait(full, constant(0), constant(0));
      if (o.copies)
        b.emit(TmemCopy{b.tile(t), b.tile(f), false, true}, Exec::one);
      b.emit(Tcgen05Mma{b.tile(d), b.tile(a), b.tile(w), constant(0), false, true}, Exec::one);
      b.emit(Tcgen05Commit{Builder::at(done, constant(0)), o.toBoth ? 3 : 0, true}, Exec::one);
    });
  });
  b.role("epilogue", 0, 4, [&] {
    b.wait(done, constant(0), constant(0));
    b.emit(Fence{Fence::tcgen05After});
    b.emit(TmemLoad{b.tile(x), b.tile(d)});
    b.emit(TmemWait{});
    b.emit(Fence{Fence::tcgen05Before});
    b.emit(Copy{b.box(C, {{row, 0}, constant(0)}, {128, 128}), b.tile(x)});
  });
  meet(o.meetLast);
  b.emit(Fence{Fence::tcgen05After});
  b.role("free", 5, 1, [&] { b.emit(TmemDealloc{256, true}); });
  return b;
}

std::string verdictOf(const PairOptions &o) {
  return rule(pairOf(o).check());
}

TEST(PairRules, R45_AcceptsAPairThatMeetsFirstAndLast) {
  EXPECT_EQ(verdictOf({}), "proven");
  EXPECT_EQ(verdictOf({.copies = true}), "proven");
}

TEST(PairRules, R45_RefusesAClusterOfOddCtas) {
  EXPECT_EQ(text(pairOf({.ctas = 3}).structure()).substr(0, 3), "R45");
}

TEST(PairRules, R45_RefusesOneKernelOfPairsAndOfSingleCtas) {
  EXPECT_EQ(text(pairOf({.pairAlloc = false}).structure()).substr(0, 3), "R45");
}

TEST(PairRules, R45_RefusesAProductBeforeThePeersAllocationIsKnown) {
  EXPECT_EQ(verdictOf({.meetFirst = false}), "R45");
}

TEST(PairRules, R45_RefusesACopyBeforeThePeersAllocationIsKnown) {
  EXPECT_EQ(text(pairOf({.meetFirst = false, .copies = true}).check()).substr(0, 18),
            "R45: tcgen05.cp of");
}

TEST(PairRules, R42_RefusesToFreeWhatThePeerMayStillUse) {
  EXPECT_EQ(verdictOf({.meetLast = false}), "R42");
}

TEST(PairRules, R9_RefusesACommitThatTellsOneCtaAlone) {
  EXPECT_EQ(verdictOf({.toBoth = false}), "R9");
}

/// One product of a pair with factors: `rows` of A and `half` of the columns of B in each CTA, and
/// factors of B in `pieces` of 128 columns.
std::string shapesOf(int64_t rows, int64_t pieces, int64_t half = 96) {
  Builder b;
  b.program.target = Target::sm_100a;
  b.program.cluster[0] = 2, b.program.warps = 1;
  const int a = b.buffer("a", Space::smem, DType::e4m3, {rows, 128}, Layout::sw128);
  const int w = b.buffer("b", Space::smem, DType::e4m3, {128, half}, Layout::sw32);
  b.buffer("room", Space::smem, DType::f32, {1024, 32}, Layout::row); // for one CTA an SM
  const int address = b.buffer("address", Space::smem, DType::i32, {1, 1}, Layout::row);
  const int64_t columns = rows == 128 ? 2 * half : half;
  const int d = b.buffer("d", Space::tmem, DType::f32, {128, columns}, Layout::row);
  const int ta = b.buffer("ta", Space::tmem, DType::ue8m0, {128, 16}, Layout::row);
  const int tb = b.buffer("tb", Space::tmem, DType::ue8m0, {128, 16 * pieces}, Layout::row);
  b.program.buffers[d].slotBytes = columns * 4;
  b.program.buffers[ta].slotBytes = 16, b.program.buffers[tb].slotBytes = 16 * pieces;
  b.program.buffers[d].offset = 0;
  b.program.buffers[ta].offset = 768, b.program.buffers[tb].offset = 784;
  b.grid(2);
  b.emit(TmemAlloc{256, b.tile(address), true});
  b.emit(TmemRelinquish{true});
  b.emit(Tcgen05Mma{b.tile(d), b.tile(a), b.tile(w), constant(0), false, true,
                    BlockScales{b.tile(ta), b.tile(tb)}},
         Exec::one);
  b.emit(TmemDealloc{256, true});
  return text(b.structure());
}

/// One product by `half` columns of B in each CTA, into as many columns of D where `split`, else
/// twice as many; of A in shared or tensor memory, of which it takes `rows` of `lanes`.
std::string productOf(Space space, int64_t rows, bool split, int64_t lanes = 0) {
  constexpr int64_t half = 64;
  Builder b;
  b.program.target = Target::sm_100a;
  b.program.cluster[0] = 2, b.program.warps = 1;
  const bool inLanes = space == Space::tmem;
  const int a = b.buffer("a", space, DType::bf16, {lanes ? lanes : rows, 64},
                         inLanes ? Layout::row : Layout::sw128);
  const int w = b.buffer("b", Space::smem, DType::bf16, {64, half}, Layout::sw128);
  b.buffer("room", Space::smem, DType::f32, {1024, 32}, Layout::row); // for one CTA an SM
  const int address = b.buffer("address", Space::smem, DType::i32, {1, 1}, Layout::row);
  const int64_t columns = split ? half : 2 * half;
  const int d = b.buffer("d", Space::tmem, DType::f32, {128, columns}, Layout::row);
  b.program.buffers[d].slotBytes = columns * 4, b.program.buffers[d].offset = 0;
  if (inLanes)
    b.program.buffers[a].slotBytes = 128, b.program.buffers[a].offset = columns * 4;
  b.grid(2);
  b.emit(TmemAlloc{256, b.tile(address), true});
  b.emit(TmemRelinquish{true});
  View of = b.tile(a);
  of.shape[0] = rows;
  b.emit(Tcgen05Mma{b.tile(d), of, b.tile(w), constant(0), false, true}, Exec::one);
  b.emit(TmemDealloc{256, true});
  return text(b.structure());
}

TEST(PairRules, R43_AcceptsAOf64RowsAndOf128InEitherMemory) {
  EXPECT_EQ(productOf(Space::smem, 128, false), "none");
  EXPECT_EQ(productOf(Space::smem, 64, true), "none");
  EXPECT_EQ(productOf(Space::tmem, 128, false), "none");
  EXPECT_EQ(productOf(Space::tmem, 128, true), "none"); // 64 rows, twice
}

TEST(PairRules, R43_RefusesAThatDoesNotLieBesideD) {
  EXPECT_EQ(productOf(Space::smem, 128, true),
            "R43: tcgen05.mma at t:5:1: A in shared memory has 64 rows where the halves of the "
            "columns of D lie one below the other");
  EXPECT_EQ(productOf(Space::tmem, 64, true),
            "R43: tcgen05.mma at t:5:1: A in tensor memory lies in the lanes of D, all rows of a, "
            "contiguous along K");
  EXPECT_EQ(productOf(Space::tmem, 64, true, 128), productOf(Space::tmem, 64, true));
}

TEST(PairRules, R43_AcceptsFactorsOf128RowsInEachCtaAndOfTheColumnsOfBoth) {
  EXPECT_EQ(shapesOf(128, 2), "none");
}

TEST(PairRules, R43_AcceptsFactorsOf64RowsInEachCtaAndOfHalfOfTheColumns) {
  EXPECT_EQ(shapesOf(64, 1, 64), "none");
  EXPECT_EQ(shapesOf(64, 1, 128), "none");
}

TEST(PairRules, R43_RefusesFactorsOfHalfOfTheColumnsAndOf64RowsOfOtherColumns) {
  EXPECT_EQ(shapesOf(128, 1), "R43: tcgen05.mma at t:5:1: the factors of B are a whole tile of "
                              "128x32 ue8m0 in tensor memory");
  EXPECT_EQ(shapesOf(64, 2),
            "R43: tcgen05.mma at t:5:1: a block-scaled product of a pair has 192 columns; with 128 "
            "rows in each CTA it has columns in 16 up to 256, with 64 it has 128 or 256");
}

} // namespace
} // namespace sluice::test

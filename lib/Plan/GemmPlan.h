// Tiles, stages, staging, clusters and grid of a GEMM on Hopper.
#pragma once

#include "Arch/Arch.h"
#include "Plan/Plan.h"

namespace sluice {

/// C[M,N] = A[M,K] B[K,N].
struct GemmProblem {
  int64_t M = 0, N = 0, K = 0;
  DType type = DType::f16, out = DType::f16;
  int64_t rowBytesA = 0, rowBytesB = 0; // from one row in memory to the next
  bool aByColumns = false, bByColumns = false;
  /// C^T = B^T A^T may be computed instead, or shall be.
  enum class Swap { no, may, shall } swap = Swap::no;
  int64_t sums = 1;     // accumulators that a thread keeps side by side
  bool streams = false; // steps of all tiles may be dealt out (stream-K)
  /// grouped_gemm: so many groups share the rows, each with a B of its own. 0: gemm.
  int64_t groups = 0;
  // Blackwell.
  bool drawn = false; // tiles are drawn while the kernel runs
  bool held = false;  // threads hold a row of a sum as a whole
};

/// A tile of C, and how C waits in shared memory for TMA: all of it (1), or parts of at most 128
/// bytes a row in so many slots. `split` CTAs share its steps: each gets the f32 or s32 sums of a
/// block of columns from all of them, and stores that.
struct GemmTile {
  int64_t bm, bn, bk, staging, split = 1;
  bool bByColumns = false, pair = false; // of a pair of CTAs each has half of B's columns
};

/// Tiles of A and B that fit into shared memory beside C's and the barriers.
int64_t stagesBeside(const GemmTile &tile, DType type, DType out, const Arch &arch);

/// C^T = B^T A^T.
GemmProblem swapped(const GemmProblem &problem);

Plan planGemm(const GemmProblem &problem, const Arch &arch);

} // namespace sluice

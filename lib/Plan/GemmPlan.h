// Tiles, stages, staging, clusters and grid of a GEMM on Hopper.
#pragma once

#include "Plan/GemmProblem.h"

namespace sluice {

/// A tile of C, and how C waits in shared memory for TMA: all of it (1), or parts of at most 128
/// bytes a row in so many slots. `split` CTAs share its steps: each gets the f32 or s32 sums of a
/// block of columns from all of them, and stores that.
struct GemmTile {
  int64_t bm, bn, bk, staging, split = 1;
  bool bByColumns = false, pair = false; // of a pair of CTAs each has half of B's columns
  int64_t factors = 0;                   // bytes of a step: of block-scaled products
};

/// Tiles of A and B, and of their factors, that fit into shared memory beside C's and the barriers.
int64_t stagesBeside(const GemmTile &tile, DType type, DType out, const Arch &arch);

Plan planGemm(const GemmProblem &problem, const Arch &arch);

} // namespace sluice

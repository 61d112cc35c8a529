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
};

Plan planGemm(const GemmProblem &problem, const Arch &arch);

} // namespace sluice

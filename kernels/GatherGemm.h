// C = A[rows] B: the rows of A that a tensor of numbers names, in its order, as the tokens of an
// expert.
#pragma once

#include "kernels/Catalog.h"

namespace sluice {

struct GatherGemmConfig {
  int64_t N = 4096, K = 4096; // the strides are known from them, not the extents
  DType type = DType::f16, out = DType::f16;
  int64_t bm = 128, bn = 128, bk = 64; // elements of a tile
  int64_t stages = 4;
};

/// Row i of C is row rows[i] of A, or zeros where A has no such row, times B.
Result<Kernel> buildGatherGemm(const GatherGemmConfig &config);
KernelEntry gatherGemmEntry();

} // namespace sluice

// One product for each group of rows, with a matrix of its own: the experts of a mixture. How long
// groups are is data.
#pragma once

#include "kernels/Catalog.h"

namespace sluice {

struct GroupedGemmConfig {
  int64_t rows = 8192, N = 4096, K = 4096; // the strides are known from them, not the extents
  DType type = DType::f16, out = DType::f16;
  bool aByColumns = false, bByColumns = false; // which dimension is contiguous in memory
  int64_t bm = 128, bn = 128, bk = 64;         // elements of a tile
  int64_t stages = 4;
  int64_t ctas = 132; // of the grid
};

Result<Kernel> buildGroupedGemm(const GroupedGemmConfig &config);
KernelEntry groupedGemmEntry();

} // namespace sluice

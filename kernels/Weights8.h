// C = A W with weights of 8 bits, which are converted in shared memory on their way to the product.
#pragma once

#include "kernels/Catalog.h"

namespace sluice {

struct Weights8Config {
  int64_t N = 4096, K = 4096; // the strides are known from them, not the extents
  DType type = DType::f16, out = DType::f16;
  int64_t bm = 128, bn = 128, bk = 128; // elements of a tile
  int64_t stages = 2;
};

/// C = A W colScale: A of f16 or bf16, M x K, W of s8, K x N, a factor in f32 for each column.
Result<Kernel> buildWeights8(const Weights8Config &config);
KernelEntry weights8Entry();

} // namespace sluice

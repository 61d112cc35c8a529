// C = A1 B1 + A2 B2: a product whose K runs over two pairs of inputs, as of a layer that takes the
// columns of two tensors without joining them first.
#pragma once

#include "kernels/Catalog.h"

namespace sluice {

struct TwoInputsConfig {
  int64_t N = 4096, K1 = 4096, K2 = 1024; // the strides are known from them, not the extents
  DType type = DType::f16, out = DType::f16;
  int64_t bm = 128, bn = 128, bk = 64; // elements of a tile
  int64_t stages = 2;                  // of each pair
};

Result<Kernel> buildTwoInputs(const TwoInputsConfig &config);
KernelEntry twoInputsEntry();

} // namespace sluice

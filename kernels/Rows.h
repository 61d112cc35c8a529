// Kernels that go along rows: no product, each byte moved once. Tiles are rows that come through a
// ring; a CTA takes one block of rows after another.
#pragma once

#include "kernels/Catalog.h"

namespace sluice {

struct RowsConfig {
  DType type = DType::bf16;
  int64_t columns = 4096; // of a row
  int64_t stages = 4;
  int64_t ctas = 1; // at most so many, each with every ctas-th block of rows
  // 1: the result takes the place of a loaded tile, from where a role of its own stores it; 0: who
  // computes stores.
  int64_t staging = 0;
};

/// Y = silu(X) G, all rows x columns.
Result<Kernel> buildSiluMul(const RowsConfig &config);
/// Y = X / sqrt(mean(X^2) + 1e-6) W along rows; W: 1 x columns.
Result<Kernel> buildRmsNorm(const RowsConfig &config);

KernelEntry siluMulEntry();
KernelEntry rmsNormEntry();

} // namespace sluice

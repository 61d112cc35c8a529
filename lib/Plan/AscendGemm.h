// Tiles, slots, depth of steps and order of tiles of a GEMM on the cube cores of Ascend. The model
// is the virtual machine's: a pipe takes what its transfers and products take, and the busiest one
// sets the pace (lib/Simulate/Engines.cpp).
#pragma once

#include "Arch/Arch.h"
#include "Plan/Plan.h"

namespace sluice {

/// C[M,N] = A[M,K] B[K,N], so many times side by side.
struct AscendGemm {
  int64_t M = 0, N = 0, K = 0, products = 1;
  DType type = DType::f16;
  DType out = DType::f16; // of what leaves L0C: sums for the vector cores are f32
  /// Of the unified buffer, for each element of the half of a tile that a vector core has; 0: sums
  /// leave as they are.
  int64_t vectorBytes = 0;
  int64_t rows = 16,
          columns = 16; // of tiles, multiples: of fractals, or of squares that are turned
  bool units = false;   // FIX may take sums in L0C as they come (unitFlag)
};

Plan planAscendGemm(const AscendGemm &problem, const Arch &arch);

} // namespace sluice

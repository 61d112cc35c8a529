// C = A B with an epilogue, tile by tile.
#pragma once

#include "kernels/GemmEpilogue.h"
#include "kernels/GemmScales.h"

namespace sluice {

struct GemmConfig {
  int64_t M = 4096, N = 4096,
          K = 4096;     // elements; the strides are known from them, not the extents
  bool batched = false; // every tensor but the bias has a first dimension more
  DType type = DType::f16, typeOfB = DType::f16, out = DType::f16;
  std::optional<BlockFactors> blockFactors;    // of blocks along K (GemmScales.h)
  bool aByColumns = false, bByColumns = false; // which dimension is contiguous in memory
  int64_t bm = 128, bn = 128, bk = 64;         // elements of a tile: of e2m1 two numbers each
  /// C^T = B^T A^T: the rows of C are columns of the matrix unit, which takes 8 of them, but 64
  /// rows. C is transposed on its way out.
  bool swapped = false;
  int64_t stages = 4;
  int64_t split = 1;      // CTAs of a cluster that share the steps of a tile
  bool alternate = false; // every second tile of a CTA from the last step to the first
  int64_t promote = 0;    // steps whose sums stay in the tensor cores before f32 takes them; 0: all
  lang::GridOptions grid;
  std::optional<int64_t> staging; // slots in which C waits for TMA; otherwise the compiler's choice
  bool pacedStore = false;        // box by box, so that loads do not wait behind it
  bool byUnits = false;           // Ascend: FIX stores C while M still sums it up
  CachePolicy cacheOfA = CachePolicy::normal, cacheOfB = CachePolicy::normal,
              cacheOfC = CachePolicy::normal; // of L2 for what TMA moves
  GemmEpilogue epilogue;
};

Result<Kernel> buildGemm(const GemmConfig &config);
KernelEntry gemmEntry();

} // namespace sluice

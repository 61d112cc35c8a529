// Kernels along rows that no warp holds, or that the warps of a CTA share (`parts`).
#pragma once

#include "kernels/Rows.h"

namespace sluice::rows {

/// What a warp holds of a part of a row: up to 512 KB of a row where 64 warps share it, and 48 KB
/// where eight do.
constexpr HeldPart heldAlone = {.longest = 8192, .alone = 6144};
/// Bytes of it, of rows of `c`.
int64_t mostOfPart(const RowsConfig &c, const HeldPart &held);

/// What a norm has beside X and Y.
struct NormOptions {
  bool affine = true;    // W, and B of layernorm
  bool saved = false;    // rstd, and mean of layernorm, for the way back
  bool residual = false; // the norm is of H = X + R, which is stored too
};

HeldPart heldOfLayerNorm(const NormOptions &how);

Result<Kernel> buildLongRmsNorm(const RowsConfig &c, const NormOptions &how);
Result<Kernel> buildLongLayerNorm(const RowsConfig &c, const NormOptions &how);
Result<Kernel> buildLongSoftmax(const RowsConfig &c);
Result<Kernel> buildLongLogSoftmax(const RowsConfig &c);
Result<Kernel> buildLongSoftmaxBackward(const RowsConfig &c);
Result<Kernel> buildLongCrossEntropy(const RowsConfig &c);

} // namespace sluice::rows

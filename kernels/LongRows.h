// Kernels along rows that no warp holds, or that the warps of a CTA share (`parts`).
#pragma once

#include "kernels/Rows.h"

namespace sluice::rows {

/// Bytes of a part of a row that a warp holds beside weight and bias.
int64_t mostBesideVectors(const RowsConfig &c);

/// What a norm has beside X and Y.
struct NormOptions {
  bool affine = true;    // W, and B of layernorm
  bool saved = false;    // rstd, and mean of layernorm, for the way back
  bool residual = false; // the norm is of H = X + R, which is stored too
};

Result<Kernel> buildLongRmsNorm(const RowsConfig &c, const NormOptions &how);
Result<Kernel> buildLongLayerNorm(const RowsConfig &c, const NormOptions &how);
Result<Kernel> buildLongSoftmax(const RowsConfig &c);
Result<Kernel> buildLongLogSoftmax(const RowsConfig &c);
Result<Kernel> buildLongSoftmaxBackward(const RowsConfig &c);
Result<Kernel> buildLongCrossEntropy(const RowsConfig &c);

} // namespace sluice::rows

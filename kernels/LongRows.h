// Kernels along rows that no warp holds, or that the warps of a CTA share (`parts`).
#pragma once

#include "kernels/Rows.h"

namespace sluice::rows {

Result<Kernel> buildLongRmsNorm(const RowsConfig &c);
Result<Kernel> buildLongLayerNorm(const RowsConfig &c, bool affine);
Result<Kernel> buildLongSoftmax(const RowsConfig &c);
Result<Kernel> buildLongLogSoftmax(const RowsConfig &c);
Result<Kernel> buildLongSoftmaxBackward(const RowsConfig &c);
Result<Kernel> buildLongCrossEntropy(const RowsConfig &c);

} // namespace sluice::rows

// Kernels along rows that no warp holds: two passes over pieces of four rows. What the first adds
// up the second needs, and reads the rows again, from the second-level cache as far as that has
// them still: its last pieces first.
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

// A convolution of images as one sum over the taps of its filters and their channels: tap (r, s)
// multiplies the image shifted by it. What lies beyond the borders loads as zeros.
#pragma once

#include "kernels/Catalog.h"

namespace sluice {

struct Conv2dConfig {
  int64_t pad = 1;        // zeros on each side
  int64_t C = 64, K = 64; // channels and filters; the strides are known from them
  DType type = DType::f16, out = DType::f16;
  int64_t bq = 64, bk = 64, bc = 64; // of a tile: columns of an image, filters, channels
  int64_t stages = 4;
};

/// Y[n,p,q,k] = sum of X[n,p+r-pad,q+s-pad,c] F[k,r,s,c] over r, s and c.
Result<Kernel> buildConv2d(const Conv2dConfig &config);
KernelEntry conv2dEntry();

} // namespace sluice

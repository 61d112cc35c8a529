// S = Q K^T of one core, K tile after K tile, with S written to a workspace: the first half of an
// attention whose softmax runs elsewhere.
#pragma once

#include "kernels/Catalog.h"

namespace sluice {

struct QkConfig {
  DType type = DType::f16;
  int64_t l1Slots = 1, l0abSlots = 2, l0cSlots = 2; // copies of each tile
  bool ascend = true;
};

Result<Kernel> buildQk(const QkConfig &config);
KernelEntry qkEntry();

} // namespace sluice

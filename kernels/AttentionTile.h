// O = softmax(Q K^T / sqrt(d)) V of one tile of queries and one tile of keys.
#pragma once

#include "kernels/Catalog.h"

namespace sluice {

struct AttentionTileConfig {
  int64_t queries = 64, keys = 128, d = 64;
  DType type = DType::f16;
};

Result<Kernel> buildAttentionTile(const AttentionTileConfig &config);
KernelEntry attentionTileEntry();

} // namespace sluice

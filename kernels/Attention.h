// O = softmax(Q K^T / sqrt(d)) V of every head: FlashAttention's forward pass.
#pragma once

#include "kernels/Catalog.h"

namespace sluice {

struct AttentionConfig {
  int64_t d = 128;
  DType type = DType::bf16;
  bool causal = false;
  int64_t bm = 128, bn = 128; // queries and keys of a tile
  int64_t stages = 2;
  bool overlap = true; // the products of a tile with the weights of the next: two tiles more
};

Result<Kernel> buildAttention(const AttentionConfig &config);
KernelEntry attentionEntry();

} // namespace sluice

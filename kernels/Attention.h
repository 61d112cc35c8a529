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
  bool turns = false; // warpgroups multiply one after another
  bool drawn = false; // CTAs take several tiles, each when they come to it
  DType scores = DType::f32, values = DType::f32; // as vector cores get what is multiplied
  bool cores = false; // Ascend: vector cores weigh, and add up what the cube core multiplies
  int64_t behind = 1; // there: tiles of keys from scores to the values that are multiplied
};

Result<Kernel> buildAttention(const AttentionConfig &config);
KernelEntry attentionEntry();

} // namespace sluice

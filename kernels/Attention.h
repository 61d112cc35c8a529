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
  bool cores = false; // ascend910b: vector cores weigh, and add up what the cube core multiplies
};

Result<Kernel> buildAttention(const AttentionConfig &config);
/// One head of one batch of [B, S, H, d], whose rows are B S H: S x d.
Matrix headOf(const Matrix &all, int64_t batch, int64_t head, int64_t places, int64_t heads);
/// C++ of one element of the output in double (HostReference::element), from the number of keys
/// that its query sees and from one element of Q, K and V each: of key k, of depth x and at column
/// j.
std::string attendedOnHost(const std::string &keys, const std::string &q, const std::string &k,
                           const std::string &v);
KernelEntry attentionEntry();

} // namespace sluice

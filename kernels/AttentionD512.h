// O = softmax(Q K^T / sqrt(512)) V on pairs of Blackwell CTAs, by roles and rings: the protocol of
// Modular's Depth512 attention.
#pragma once

#include "kernels/Catalog.h"

namespace sluice {

struct AttentionD512Config {
  DType type = DType::bf16; // of Q, K and V
  bool causal = false;
  int64_t stages = 4; // slots of K and V
};

Result<Kernel> buildAttentionD512(const AttentionD512Config &config);
KernelEntry attentionD512Entry();

} // namespace sluice

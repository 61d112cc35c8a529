// What kernels of attention are compared with, here and by the mains of printed kernels.
#pragma once

#include "kernels/Catalog.h"

namespace sluice {

/// softmax(Q K^T / sqrt(d)) V of every head, of tensors [B, S, H, d], whose rows are B S H;
/// "causal" as the parameter says. `lengths`: keys of each batch, of the Skv that there is room
/// for.
Result<Matrices> attentionOfHeads(const Parameters &p, const Matrices &in,
                                  const Matrix *lengths = nullptr);

/// C++ of one element of the output in double (HostReference::element), from the number of keys
/// that its query sees and from one element of Q, K and V each: of key k, of depth x and at column
/// j.
std::string attendedOnHost(const std::string &keys, const std::string &q, const std::string &k,
                           const std::string &v);
/// attentionOfHeads in C++; `length`: keys of batch b, empty: Skv.
HostReference attentionOnHost(bool causal, const std::string &length = "");

} // namespace sluice

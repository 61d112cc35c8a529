// Pipeline -> barrier for sm_90a: sums over CTAs of a cluster. Each sends every other (and itself)
// its part of that one's columns from registers (st.async) into the inbox there; a barrier counts
// the bytes of all; the parts are added in the order of the senders' places, so that a result has
// the same bits every time.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// `rank`: of this CTA in the cluster. Yields the barriers, each counting one arrival. An inbox is
/// used once. CTAs may leave when all of the cluster have their parts.
std::vector<ir::MbarrierAllocOp> lowerClusterSums(llvm::ArrayRef<ir::ClusterSumOp> sums,
                                                  mlir::Value rank);

} // namespace sluice

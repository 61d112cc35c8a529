// Pipeline -> barrier for sm_90a: vectors that the CTAs of a cluster hand to each other. Each sends
// its own to every CTA, itself too, from registers (st.async); the barrier of the ring that they
// fill counts the bytes of all.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// `rank`: of this CTA; `barriers`, `slot`: of the ring, the same in every CTA.
void lowerClusterGather(ir::ClusterGatherOp gather, mlir::Value rank, mlir::Value barriers,
                        mlir::Value slot);

} // namespace sluice

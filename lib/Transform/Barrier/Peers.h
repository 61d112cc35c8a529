// Pipeline -> barrier for sm_90a: rings from CTA to CTA of a cluster. Copies fill the slots of
// another CTA, from registers (st.async) or from shared memory (bulk copies).
#pragma once

#include "Dialect/Dialect.h"
#include "Transform/Barrier/Ends.h"

namespace sluice {

/// Another CTA than the own one, or several: `to`, seen from the CTA of rank `rank` in a cluster of
/// so many, for a ring whose producers fill slots of that peer.
struct OtherCtas {
  Across to;
  Peer peer;
  int64_t ctas;
  mlir::Value rank;
};
llvm::SmallVector<mlir::Value> ranksOf(mlir::OpBuilder &b, mlir::Location loc,
                                       const OtherCtas &others);

/// Of these ranks; `barriers`, `slot`: of the ring, the same in every CTA.
void lowerRemoteCopy(ir::CopyOp copy, mlir::ValueRange ranks, mlir::Value barriers,
                     mlir::Value slot);

/// The slot in which the leader has written it, to those of these ranks.
void copyNumber(ir::ScalarWriteOp number, mlir::ValueRange ranks, mlir::Value barriers,
                mlir::Value slot);

} // namespace sluice

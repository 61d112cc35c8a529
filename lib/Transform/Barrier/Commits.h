// Slots that several CTAs of a cluster fill go back to all of them when the products that read them
// have ended: tcgen05.commit to the barriers of each.
#pragma once

#include "Dialect/Dialect.h"
#include "Transform/Barrier/Ends.h"

namespace sluice {

/// `rank`: of the own CTA.
void commitToPeers(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<Share> peers,
                   mlir::Value rank, mlir::Value barriers, mlir::Value slot);

} // namespace sluice

// Tiles that CTAs of a cluster have in common: each loads a part and multicasts it to all of them.
#pragma once

#include "Dialect/Dialect.h"
#include "Transform/Barrier/Ends.h"

namespace sluice {

void setShare(ir::LoadOp load, const Share &share);
/// Refuses notes of sharing that are not of the kernel's cluster.
mlir::LogicalResult verifyShare(ir::LoadOp load, ir::KernelOp kernel);
/// How a load that TMA does is shared; nothing: not at all, as its tile does not fall into as many
/// parts of whole swizzle atoms (8 rows) either.
std::optional<Share> shareOf(ir::LoadOp load);
/// This CTA's part of the tile, multicast to all that share it.
void createMulticast(mlir::OpBuilder &b, ir::LoadOp load, const Share &share, mlir::Value rank,
                     mlir::Value barriers, mlir::Value slot);

/// Place of the CTA of this rank among those that share.
mlir::Value alongCluster(mlir::OpBuilder &b, mlir::Location loc, mlir::Value rank,
                         const Share &share);
/// Rank of the CTA `distance` places on, going round.
mlir::Value neighbour(mlir::OpBuilder &b, mlir::Location loc, mlir::Value rank, const Share &share,
                      int64_t distance);

} // namespace sluice

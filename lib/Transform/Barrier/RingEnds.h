// The ends of a ring, read off the kernel: who touches its buffers at the pipeline level, and how.
#pragma once

#include "Dialect/Dialect.h"
#include "Transform/Barrier/Ends.h"

namespace sluice {

Ends endsOf(ir::PipelineOp pipeline);

/// Whether its producers load what it hands on; else they compute it.
bool isFilledByLoads(ir::PipelineOp pipeline);

/// What the arrays of its barriers are called, of the full or of the empty side; of a kernel with
/// one pipeline that loads fill, that one's without the pipeline's name.
std::string barriersOf(ir::PipelineOp pipeline, bool full);

/// Whether products of pairs of CTAs read or write its slots: those that the leader asks for reach
/// the slots of both, and each CTA fills and empties its own.
bool isOfPair(ir::PipelineOp pipeline);

/// Whether its two sides are of different CTAs, and of no pair: copies of its producers go to the
/// slots of others.
bool goesFar(ir::PipelineOp pipeline);

/// Whose slots its producers fill, by what the author says.
Peer peerOf(ir::PipelineOp pipeline);

/// The slot that a load by TMA fills, or on whose barrier it rides, being of a tile in no ring;
/// null: none is acquired before it in its block.
ir::AcquireOp acquireFor(ir::LoadOp load);

/// The acquire of the pipeline over what something fills; null: none stands before it in its block.
ir::AcquireOp acquireOf(mlir::Operation *fills, mlir::Value tile);

/// What TMA, requests and copies from afar bring to the slot that is acquired: behind it in its
/// block.
int64_t bytesBehind(ir::AcquireOp acquire);

/// CTAs of a cluster; 1 without.
int64_t ctasOf(ir::KernelOp kernel);

/// Warps of a CTA: up to the last one that a role has, where the kernel does not say more; where
/// roles change their registers, all of its warpgroup.
int64_t warpsOfAll(ir::KernelOp kernel);

/// Warps of a role; 0 on Ascend.
int64_t warpsOf(ir::RoleOp role);
/// Of the role of that name; 0 where there is none.
int64_t warpsOf(ir::KernelOp kernel, llvm::StringRef role);

} // namespace sluice

// Questions about the tiles of a kernel that several passes ask.
#pragma once

#include "Arch/Arch.h"
#include "Dialect/Dialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace sluice {

/// The declaration behind a chain of views.
ir::AllocOp rootOf(mlir::Value buffer);

/// How an operation touches a buffer.
struct TileAccess {
  mlir::Operation *op;
  mlir::Value view; // the operand through which it does
  bool writes, reads;
};
/// Calls `f` with every operation of a kind, in program order, until it fails.
template <typename Op, typename F> mlir::LogicalResult forEach(ir::KernelOp kernel, F f) {
  std::vector<Op> all;
  kernel.walk([&](Op op) { all.push_back(op); });
  for (Op op : all)
    if (mlir::failed(f(op)))
      return mlir::failure();
  return mlir::success();
}

/// Every access to a buffer, through any view, in program order.
std::vector<TileAccess> accessesOf(ir::AllocOp buffer);

/// Of a tensor that may be clipped.
mlir::Value tensorOf(mlir::Value view);

/// Shared memory that registers are copied to and that is stored from.
bool isWrittenThenStored(ir::AllocOp buffer);
/// Such memory that a load fills first: the result replaces the tile that it brought.
bool isLoadedWrittenThenStored(ir::AllocOp buffer);

/// Whether the tensor may end where data says: TMA ends where its map does.
bool isClipped(ir::StoreOp store);
/// Whether anything in the kernel multiplies tiles.
bool hasProducts(ir::KernelOp kernel);
/// Of a store from shared memory: it ends where TMA does not, or TMA cannot do it at all.
bool isStoredByThreads(ir::StoreOp store);
/// Whether results that wait in this ring are stored by the threads of a role, not by TMA.
bool isStoredByThreads(ir::PipelineOp staging);

/// Whether loops of it are run in turns by the warpgroups of a role.
bool takesTurns(ir::KernelOp kernel);

/// Gives a buffer a new type and carries it through its views.
void retype(ir::AllocOp buffer, ir::BufferType type);
/// Carries the type of a view through the views of it.
void retypeViews(mlir::Value view);

/// The operation of `block` that contains `op` (itself, or a loop or branch around it).
mlir::Operation *ancestorIn(mlir::Block *block, mlir::Operation *op);

/// Bytes of shared memory that tiles may take, beside barriers.
inline int64_t roomForTiles(const Arch &arch) {
  return arch.sharedBytes - 1024;
}

/// Which dimension of a box of a tensor is contiguous: 0, 1, or nothing (a leading dimension).
std::optional<int> minorOf(ir::TensorType tensor);

/// Whether the last parts of the tensor's rows (`sluice.joined_extent`), or its last line
/// (`sluice.line`), may be short: a tensor map knows nothing of that.
bool hasShortParts(mlir::Value tensor);

/// Whether TMA can move boxes of `buffer` from or to `tensor` (PTX ISA, tensor map limits: base and
/// strides multiples of 16 bytes, box extents <= 256, inner box at most the swizzle span).
bool tmaCanMove(ir::TensorType tensor, ir::BufferType buffer);
/// The same of one load or store whose tile is, or is to be, such a buffer: R40, where boxes lie.
/// What the author leaves to threads (`loaded_by`), TMA does not load.
bool tmaCanLoad(ir::LoadOp load, ir::BufferType buffer);
bool tmaCanStore(ir::StoreOp store, ir::BufferType buffer);
bool tmaCanPrefetch(ir::PrefetchOp prefetch);

/// The loops around `op`, outermost first, up to (not including) the operation `limit`.
std::vector<mlir::scf::ForOp> loopsAround(mlir::Operation *op, mlir::Operation *limit);

/// The loop whose iterations a tile belongs to: the one around it, branches aside.
mlir::scf::ForOp iteratedBy(ir::AllocOp tile);

/// Whether it copies factors of block-scaled products to tensor memory: tcgen05.cp, by one thread.
bool bringsFactors(mlir::Operation *op);

/// Takes their policies from loads and stores, where TMA will do none of them.
void dropCachePolicies(ir::KernelOp kernel);

mlir::Value constantIndex(mlir::OpBuilder &b, mlir::Location loc, int64_t value);

/// Number of the agents that a pass has given to an operation: a role or a pipe, by name.
llvm::StringRef agentOf(mlir::Operation *op);
/// The same, or the role around it in a kernel whose author wrote the roles.
llvm::StringRef roleOf(mlir::Operation *op);
void setAgent(mlir::Operation *op, llvm::StringRef agent);

} // namespace sluice

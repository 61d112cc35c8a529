// Tensor memory of a kernel whose roles are lowered: allocated by the role that multiplies, freed
// by it when all have done with it.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// What was allocated: columns, by which warp, and where the address lies.
struct TensorMemoryOfKernel {
  int64_t columns = 0, warp = 0;
  mlir::Value address;
};

bool usesTensorMemory(ir::KernelOp kernel);

/// In front of the barrier of the CTA; nothing where no tile lies in tensor memory.
std::optional<TensorMemoryOfKernel> allocateTensorMemory(mlir::OpBuilder &b, ir::KernelOp kernel);
/// Of pairs: the operations of tensor memory and commits too.
void pairUp(ir::KernelOp kernel);
/// Behind it: all read the address; what is loaded from there is waited for; at the end of the
/// kernel, where all threads of the cluster meet, it is freed.
void useTensorMemory(mlir::OpBuilder &b, ir::KernelOp kernel, const TensorMemoryOfKernel &memory);

/// Behind what waits for a ring (an acquire or a wait) whose columns of tensor memory its role has
/// to do with: what is asked of them from here on comes after.
void fenceAfter(mlir::OpBuilder &b, mlir::Operation *wait);

} // namespace sluice

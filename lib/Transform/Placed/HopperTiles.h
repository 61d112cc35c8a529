// What sm_90a multiplies, and which tiles wait in its registers: the rest is refused by name.
#pragma once

#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Placed/WholeRows.h"

namespace sluice {

/// The widest swizzle of shared memory whose span divides the contiguous extent; none: none does.
Layout swizzleFor(int64_t minorBytes);
/// A tile in shared memory with that swizzle, `minor` being its contiguous dimension.
ir::BufferType swizzled(ir::BufferType type, int minor);
/// The types of `a` and `b` that wgmma and tcgen05.mma multiply into f32, and s8 into i32.
bool isMultiplied(DType type);
/// Of a tile that threads of the kernel hold: by whole rows, or as accumulators lie; vectors have
/// their own.
Layout registerLayout(ir::KernelOp kernel, ir::BufferType type);

/// Before anything has a place: shapes and types that an instruction multiplies.
mlir::LogicalResult verifyProduct(ir::MmaOp mma);
/// With operands in their places: those that are not of 16 bits are in shared memory, along K
/// unless the instruction transposes them.
mlir::LogicalResult verifyOperands(ir::MmaOp mma);
mlir::LogicalResult verifyFold(ir::ReduceOp reduce);

/// A tile that is to have this layout in registers.
mlir::LogicalResult verifyInRegisters(ir::AllocOp buffer, Layout layout);
/// A tile beside the others: the warps of the role that holds it share its rows.
mlir::LogicalResult verifyRows(ir::AllocOp buffer, const RolePlan &plan);
/// A tile in shared memory, which element functions copy to registers.
mlir::LogicalResult verifyCopied(ir::AllocOp buffer, const RolePlan &plan);
mlir::LogicalResult verifyPart(ir::SubviewOp part);

} // namespace sluice

// Computed tiles that are read from shared memory: `b` of a product, since wgmma reads b there, all
// of it in every warpgroup, and what other roles read. They wait in registers of who computes them,
// who hands them on by way of a ring of its own; of an operand to itself too. On sm_100a `a` of a
// product may go by way of tensor memory.
#pragma once

#include "Transform/Tiles.h"

namespace sluice {

/// Whether statements of another role than the one that computes the tile read it, all but stores,
/// which go by way of shared memory of their own. Tile level.
bool isReadElsewhere(ir::AllocOp tile);

/// The tile, which waits in registers, is copied to `shared` in front of the first statement that
/// takes it from there, and all of these do. Fails with a diagnostic where it is filled again after
/// that.
mlir::LogicalResult passThrough(ir::AllocOp tile, ir::AllocOp shared);

/// sm_100a, where products are of another role than what computes for them: whoever takes the tile
/// has what it then holds, in a copy like `handed` made there; what follows without a change in
/// between shares it.
mlir::LogicalResult handToTakers(ir::AllocOp tile, ir::BufferType handed);

/// sm_100a: whether all that other roles do with the tile is to multiply by it as `a` of 128 rows
/// of 16-bit numbers, of one CTA, which tcgen05.mma reads from tensor memory.
bool isOperandOfLanes(ir::AllocOp tile);
/// Whether the buffer is a copy of such a tile, in tensor memory.
bool isInLanes(ir::AllocOp copy);
/// All these lie in shared memory after all. Whether there are any.
bool moveOperandsToShared(ir::KernelOp kernel);

/// Whether the buffer is such a copy, of which products alone read.
bool isComputedOperand(ir::AllocOp buffer);
/// Whether it is such a copy that goes from role to role, to be computed with.
bool isHandedOn(ir::AllocOp buffer);

} // namespace sluice

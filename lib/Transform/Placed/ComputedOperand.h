// A computed tile as `b` of a product: wgmma reads b from shared memory only, all of it in every
// warpgroup. The warps that compute it hand it on to themselves, by a ring of its own.
#pragma once

#include "Transform/Tiles.h"

namespace sluice {

/// The tile, which waits in registers, is copied to `shared` in front of the first product that
/// reads it, and products read that. Fails with a diagnostic where it is filled again after that.
mlir::LogicalResult passThrough(ir::AllocOp tile, ir::AllocOp shared);

/// Whether the buffer is such a copy.
bool isComputedOperand(ir::AllocOp buffer);

} // namespace sluice

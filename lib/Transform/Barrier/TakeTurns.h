// Ping-pong: two groups of warps compute the tiles of a persistent kernel in turn, so that one
// multiplies while the other hands its results on.
#pragma once

#include "Transform/Tiles.h"

namespace sluice {

/// Barriers of a ring that the computing warps take part in, as far as it has them.
struct RingBarriers {
  mlir::Value full, empty;
};

/// Barriers that give the groups their turns.
struct Turns {
  ir::MbarrierAllocOp barriers;
  int64_t warps; // of a group: each arrives
};

/// The computing role of a kernel whose loop over tiles has `sluice.turns = 2` becomes two: each
/// takes every other tile and skips the other's slots in all rings. Both pass a ring in the order
/// of the tiles, which barriers see to: a wait by parity may not look more than one phase ahead. At
/// the barrier level, before barriers are initialised. Nothing where no loop asks for turns.
mlir::FailureOr<std::optional<Turns>> takeTurns(ir::KernelOp kernel,
                                                llvm::ArrayRef<RingBarriers> rings);

} // namespace sluice

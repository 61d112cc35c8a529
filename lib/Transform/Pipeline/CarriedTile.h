// Tiles that a loop carries from one iteration to the next on their way from pipe to pipe (Ascend).
#pragma once

#include "Transform/Pipeline/Rings.h"

namespace sluice {

/// First and last statement of a part of a block in which an agent touches a tile.
struct PartOfTile {
  mlir::Operation *first = nullptr, *last = nullptr;

  explicit operator bool() const { return first != nullptr; }
  void add(mlir::Operation *op) {
    first = !first || op->isBeforeInBlock(first) ? op : first;
    last = !last || last->isBeforeInBlock(op) ? op : last;
  }
};

/// The loop that carries a tile: `producer` fills it in front of the loop and again in each
/// iteration, behind what `consumer` reads of the value before; behind the loop it is read at most.
/// Null: the tile does not go that way.
mlir::scf::ForOp carryingLoop(ir::AllocOp tile, llvm::StringRef producer, llvm::StringRef consumer);

/// The verbs of a ring of one slot over such a tile. The last value is taken even where nothing
/// reads it, so that the slot comes back.
void insertCarriedVerbs(mlir::OpBuilder &b, Ring &ring);

} // namespace sluice

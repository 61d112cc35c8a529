// Sums of sm_100a that stay in tensor memory while threads and products write them in turns:
// threads in front of a loop; products, then threads, in each iteration; products and who reads
// behind it.
#pragma once

#include "Transform/Pipeline/CarriedTile.h"

namespace sluice {

/// Where a sum is whose.
struct SumTurns {
  mlir::scf::ForOp loop;
  PartOfTile begun, multiplied, computed, multipliedLast, taken; // the second and third: in `loop`
};
/// Nothing: the sum does not go that way.
std::optional<SumTurns> turnsOf(ir::AllocOp sum);

/// Placed: whether it is such a sum, of which threads write what products add to.
bool isInTurns(ir::AllocOp tile);

/// The verbs of its ring of one slot, from the threads to the products, and the cursor behind them.
/// The threads that take the last value ask for the slot as if to fill it.
mlir::Value insertTurns(mlir::OpBuilder &b, Ring &ring);

} // namespace sluice

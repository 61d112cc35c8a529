// Tile level: loops marked `sluice.alternate` in a loop over tiles. For every second tile of a CTA
// they take their steps from the last to the first: what the CTAs read last for the tiles before,
// they read first, while the second-level cache has it.
#pragma once

#include "Transform/IndexArithmetic.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace sluice {

/// Whether such loops stand in the block.
bool alternates(mlir::Block &block);

/// Of those in the body of `tiles`, whose first carried value is 0 for a tile that goes forward and
/// 1 for one that goes back.
void alternateSteps(mlir::scf::ForOp tiles);

/// Refuses a loop that is still marked once the grid is mapped: no loop over tiles is around it.
mlir::LogicalResult verifyAlternated(ir::KernelOp kernel);

} // namespace sluice

// Tile level, Ascend: the steps of a loop of products dealt out over cores (split-K). Each of them
// takes a part of the steps of a tile and stores its sums to a workspace; all cores of the launch
// meet; then each adds up the parts of some rows of a tile, in one order, and finishes those.
#pragma once

#include "Transform/Tile/TileLoop.h"

namespace sluice {

/// Parts of tiles, of all that a launch has, for each core of the machine: what the workspace has
/// room for.
constexpr int64_t mostPartsOfCore = 8;

/// The loop over tiles becomes one over the parts of all, and one that adds them up. `steps`: the
/// loop with sluice.split in it. Fails with a diagnostic where something behind it cannot be done
/// row by row.
mlir::LogicalResult splitSteps(const TileParts &all, mlir::scf::ForOp steps, const Arch &arch);

} // namespace sluice

// Tile level: a persistent grid as a loop over tiles on every CTA (Ascend: every grid, on every
// core), so that what a tile needs can overlap with the tile before.
#pragma once

#include "Arch/Arch.h"
#include "Dialect/Dialect.h"

namespace sluice {

/// Moves what stands behind the grid into the loop and replaces its coordinates. `cluster`: CTAs
/// for the steps of a tile, then along each coordinate; `rank`: of the CTA in it, null where there
/// is one.
void loopOverTiles(ir::GridOp grid, const Arch &arch, llvm::ArrayRef<int64_t> cluster,
                   mlir::Value rank);

} // namespace sluice

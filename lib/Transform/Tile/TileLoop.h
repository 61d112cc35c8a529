// Tile level: a persistent grid as a loop over tiles on every CTA (Ascend: every grid, on every
// core), so that what a tile needs can overlap with the tile before.
#pragma once

#include "Arch/Arch.h"
#include "Dialect/Dialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace sluice {

/// Moves what stands behind the grid into the loop and replaces its coordinates. `cluster`: CTAs
/// for the steps of a tile, then along each coordinate; `rank`: of the CTA in it, null where there
/// is one. `streamed`: the loop whose steps are dealt out, where the grid asks for that, or null.
void loopOverTiles(ir::GridOp grid, const Arch &arch, llvm::ArrayRef<int64_t> cluster,
                   mlir::Value rank, mlir::scf::ForOp streamed);

} // namespace sluice

// Tile level: a persistent grid as a loop over tiles on every CTA (Ascend: every grid, on every
// core), so that what a tile needs can overlap with the tile before.
#pragma once

#include "Arch/Arch.h"
#include "Dialect/Dialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace sluice {

/// The loop over all parts of tiles, a tile being in so many, one tile after the other.
struct TileParts {
  mlir::scf::ForOp loop;
  mlir::Value part, number; // of the tile, in the loop: remainder and quotient by the parts
  mlir::Value tiles;        // of the launch
};

/// Moves what stands behind the grid into the loop and replaces its coordinates. `cluster`: CTAs
/// for the steps of a tile, then along each coordinate; `rank`: of the CTA in it, null where there
/// is one. `streamed`: the loop whose steps are dealt out, where the grid asks for that, or null.
void loopOverTiles(ir::GridOp grid, const Arch &arch, llvm::ArrayRef<int64_t> cluster,
                   mlir::Value rank, mlir::scf::ForOp streamed);
/// The same of tiles in parts. A launch has at most `most` of them.
TileParts loopOverParts(ir::GridOp grid, const Arch &arch, int64_t parts, int64_t most);

} // namespace sluice

// Tile level: the steps of all tiles of a persistent grid dealt out over its CTAs (stream-K). Each
// CTA has a range of them, as long as any other's: the last steps of one tile, whole tiles, the
// first steps of another one. What CTAs of one tile add up goes from each to the next through
// global memory, in turns of a counter. CTAs of a cluster have the same steps of tiles side by
// side: what is said of a CTA holds of a cluster then, and each place in it has turns of its own.
#pragma once

#include "Arch/Arch.h"
#include "Transform/IndexArithmetic.h"
#include "Transform/Tile/DealtLoop.h"

namespace sluice {

/// Tiles of a launch that the grid is made for, at most; nothing: it deals out whole tiles.
std::optional<int64_t> mostStreamedTiles(ir::GridOp grid);

/// The loop whose steps such a grid deals out. Fails with a diagnostic where there is none, or
/// where something stands beside it that CTAs with a part of a tile may not do.
mlir::FailureOr<mlir::scf::ForOp> findStreamedLoop(ir::GridOp grid);

/// What every launch keeps: a place for every tile, and numbers that counters hold. `count` is at
/// most `most`, which says that there are no more than `told` of what is counted.
void assumeMost(IndexArithmetic &to, mlir::Value count, int64_t most, int64_t told,
                const char *what);

class StreamedSteps {
public:
  /// `cluster`: CTAs of one; `rank`: of the own CTA, null where there is one.
  StreamedSteps(ir::GridOp grid, mlir::scf::ForOp loop, int64_t cluster, mlir::Value rank);

  /// CTAs that are launched for so many tiles.
  mlir::Value ctasFor(IndexArithmetic &to, mlir::Value tiles, const Arch &arch);
  /// The loop over the tiles that this CTA has steps of, from the last one down: who waits for
  /// another CTA's steps of a tile then waits for the first that this one has taken.
  mlir::scf::ForOp overTiles(IndexArithmetic &to, mlir::Value cta, mlir::Value ctas);
  /// Number of the tile, at the beginning of that loop.
  mlir::Value tileOf(IndexArithmetic &to, mlir::scf::ForOp tiles);
  /// Behind the steps of the tile, once all that computes it stands in the loop.
  void addUp();

private:
  void takeSteps(IndexArithmetic &to);
  void handOn(IndexArithmetic &to, ir::AllocOp sums, mlir::Value parts);
  void storeWhole(ir::StoreOp store);

  ir::KernelOp kernel_;
  mlir::scf::ForOp loop_;
  std::string role_; // that multiplies, and hands sums on
  Steps of_;
  int64_t most_; // tiles, of clusters of so many CTAs
  int64_t cluster_;
  mlir::Value rank_;
  mlir::Value turn_;                                       // i32: steps of each tile that are added
  std::vector<std::pair<ir::AllocOp, mlir::Value>> parts_; // sums, and what is handed on of them
  mlir::Value steps_, all_; // of a tile, at least one, and of all tiles
  mlir::Value end_, firstTile_, firstStep_, ownEnd_, wholeEnd_; // of this CTA, see overTiles()
  mlir::Value tile_, from_, to_;                                // steps of the tile that it takes
};

} // namespace sluice

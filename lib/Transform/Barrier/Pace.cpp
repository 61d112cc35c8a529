#include "Transform/Barrier/Pace.h"

#include "Dialect/Marks.h"
#include "Transform/Tiles.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;

namespace {

/// A role that stores goes along where tiles follow each other.
bool inLoopOverTiles(mlir::Operation *op) {
  if (op->getParentOfType<mlir::scf::ForOp>())
    return true;
  return llvm::any_of(op->getParentOfType<KernelOp>().getOps<GridOp>(),
                      [](GridOp grid) { return grid.getPersistent(); });
}

/// Whether the whole tile waits for a role that stores it, in boxes of 64 rows.
bool waitsWhole(StoreOp store) {
  auto asked = marks::staging.of(store);
  return (!asked || asked.getInt() == 1) && inLoopOverTiles(store);
}

bool canPace(StoreOp store) {
  return waitsWhole(store) && !store.getSource().getDefiningOp<TransposeOp>() &&
         store.getSource().getType().getShape()[0] % 64 == 0 && !isClipped(store);
}

/// The store of what a map makes of the tile, which may wait where the result will.
StoreOp storeBehind(LoadOp load) {
  auto tile = rootOf(load.getDestination());
  const auto accesses = accessesOf(tile);
  auto map = accesses.size() == 2 ? dyn_cast<MapOp>(accesses.back().op) : MapOp();
  if (!map || map.getOutputs().size() != 1)
    return {};
  auto result = rootOf(map.getOutputs()[0]);
  if (result.getBuffer().getType().getElementType() != tile.getBuffer().getType().getElementType())
    return {};
  for (const TileAccess &access : accessesOf(result))
    if (auto store = dyn_cast<StoreOp>(access.op))
      return store;
  return {};
}

bool canPace(LoadOp load) {
  StoreOp store = storeBehind(load);
  return store && waitsWhole(store);
}

} // namespace

mlir::LogicalResult refusePace(mlir::Operation *op) {
  if (isa<LoadOp>(op))
    return op->emitError("sluice.paced: the result does not take this tile's place, in rows of a "
                         "swizzle, before a role of its own stores it; leave it out");
  return op->emitError("sluice.paced: no role of its own stores this tile as a whole, from rows of "
                       "a swizzle; leave it out");
}

mlir::LogicalResult verifyPace(KernelOp kernel) {
  const auto wrong = kernel.walk([](mlir::Operation *op) {
    if (!marks::paced.on(op))
      return mlir::WalkResult::advance();
    auto load = dyn_cast<LoadOp>(op);
    auto store = dyn_cast<StoreOp>(op);
    if (load && !canPace(load))
      op->emitError("sluice.paced: a load takes its time where, in a loop over tiles, a map alone "
                    "reads the tile and the result that replaces it is staged whole; leave it out");
    else if (store && !canPace(store))
      op->emitError(
          "sluice.paced: a store takes its time where, in a loop over tiles, a tile of 64 "
          "rows or a multiple is staged whole; leave it out");
    else
      return mlir::WalkResult::advance();
    return mlir::WalkResult::interrupt();
  });
  return mlir::failure(wrong.wasInterrupted());
}

} // namespace sluice

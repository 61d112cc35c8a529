#include "Transform/Pipeline/LiveTiles.h"

#include <map>

namespace sluice {

using namespace ir;

namespace {

/// Operations in their order; a loop covers those in it.
struct Range {
  int first = 0, last = 0; // the last still runs
};
using Places = llvm::DenseMap<mlir::Operation *, Range>;

void number(mlir::Operation *op, Places &places, int &next) {
  Range range{next++, 0};
  for (mlir::Region &region : op->getRegions())
    for (mlir::Block &block : region)
      for (mlir::Operation &inner : block)
        number(&inner, places, next);
  range.last = next - 1;
  places[op] = range;
}

/// Whether what the first of these operations reads was written in an iteration before, or outside.
bool beginsByReading(llvm::ArrayRef<TileAccess> accesses) {
  for (const TileAccess &access : accesses)
    if (access.op == accesses.front().op && access.reads) {
      auto product = mlir::dyn_cast<MmaOp>(access.op);
      auto wgmma = mlir::dyn_cast<WgmmaOp>(access.op);
      const mlir::Value accumulate = product ? product.getAccumulate()
                                     : wgmma ? wgmma.getAccumulate()
                                             : mlir::Value();
      if (!accumulate || !mlir::isConstantIntValue(accumulate, 0))
        return true;
    }
  return false;
}

Range lifeOf(AllocOp tile, KernelOp kernel, const Places &places) {
  const std::vector<TileAccess> accesses = accessesOf(tile);
  Range life{INT32_MAX, 0};
  for (const TileAccess &access : accesses) {
    life.first = std::min(life.first, places.at(access.op).first);
    life.last = std::max(life.last, places.at(access.op).first);
  }
  for (const TileAccess &access : accesses)
    for (mlir::scf::ForOp loop : loopsAround(access.op, kernel)) {
      const Range whole = places.at(loop);
      const bool holdsAll = whole.first <= life.first && life.last <= whole.last;
      if (holdsAll && !beginsByReading(accesses))
        continue;
      life = {std::min(life.first, whole.first), std::max(life.last, whole.last)};
    }
  return life;
}

} // namespace

int64_t mostBytesAlive(KernelOp kernel, llvm::ArrayRef<AllocOp> tiles) {
  Places places;
  int next = 0;
  number(kernel, places, next);
  std::map<int, int64_t> changes; // of the bytes alive, by place
  for (AllocOp tile : tiles) {
    const Range life = lifeOf(tile, kernel, places);
    if (life.last < life.first) // nobody uses it
      continue;
    const int64_t bytes = *byteSizeOf(tile.getBuffer().getType());
    changes[life.first] += bytes;
    changes[std::max(life.last, life.first + 1)] -= bytes;
  }
  int64_t alive = 0, most = 0;
  for (const auto &[place, change] : changes) {
    alive += change;
    most = std::max(most, alive);
  }
  return most;
}

} // namespace sluice

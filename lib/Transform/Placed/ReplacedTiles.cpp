#include "Transform/Placed/ReplacedTiles.h"

#include "Dialect/Marks.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Tile/Share.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;

bool isReplaced(AllocOp tile) {
  return tile && marks::replaced.on(tile);
}

/// Whether an access is the load of a streamed tile: alone in its CTA, by what loads ahead of it.
static bool isStreaming(const TileAccess &access) {
  auto load = dyn_cast<LoadOp>(access.op);
  return load && !shareOf(load) && !marks::paced.on(load);
}

/// Whether an access brings the tile to registers, in the store's block and before it.
static bool isReadBefore(const TileAccess &access, StoreOp store) {
  auto copy = dyn_cast<CopyOp>(access.op);
  return copy && access.reads && copy.getDestination().getType().getSpace() == Space::reg &&
         copy->getBlock() == store->getBlock() && copy->isBeforeInBlock(store);
}

static bool isReplaceable(AllocOp tile, StoreOp store, BufferType staged) {
  auto loop = dyn_cast<mlir::scf::ForOp>(tile->getParentOp());
  if (!loop || !marks::stages.on(loop) || tile->getBlock() != store->getBlock() ||
      tile.getBuffer().getType() != staged)
    return false;
  const auto accesses = accessesOf(tile);
  return accesses.size() > 1 && isStreaming(accesses.front()) &&
         llvm::all_of(llvm::drop_begin(accesses),
                      [&](const TileAccess &access) { return isReadBefore(access, store); });
}

bool replaceStreamed(StoreOp store, BufferType staged) {
  if (loadsAhead(store->getParentOfType<KernelOp>()))
    return false;
  for (AllocOp tile : store->getBlock()->getOps<AllocOp>()) {
    if (!isReplaceable(tile, store, staged))
      continue;
    marks::replaced.set(tile);
    mlir::OpBuilder b(store);
    CopyOp::create(b, store.getLoc(), store.getSource(), tile.getBuffer());
    store.getSourceMutable().assign(tile.getBuffer());
    return true;
  }
  return false;
}

} // namespace sluice

#include "Transform/Pipeline/StoresBehindLoads.h"

#include "Transform/Tiles.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;

/// What the consumer does first for a store: storing, or handing the tile to who stores.
static mlir::Operation *beginningOf(StoreOp store, llvm::StringRef consumer) {
  if (agentOf(store) == consumer)
    return store;
  for (const TileAccess &access : accessesOf(rootOf(store.getSource())))
    if (access.writes && agentOf(access.op) == consumer)
      return access.op;
  return nullptr;
}

mlir::Operation *waitsAt(const Ring &ring, llvm::StringRef consumer, mlir::Operation *loads,
                         mlir::Operation *read) {
  llvm::SmallPtrSet<mlir::Value, 2> loaded;
  for (AllocOp buffer : ring.buffers)
    for (const TileAccess &access : accessesOf(buffer))
      if (auto load = dyn_cast<LoadOp>(access.op); load && agentOf(load) == ring.producer)
        loaded.insert(tensorOf(load.getSource()));
  mlir::Block *block = read->getBlock();
  for (auto *op = loads->getNextNode(); op && op != read; op = op->getNextNode()) {
    mlir::Operation *first = nullptr;
    op->walk([&](StoreOp store) {
      if (!first && loaded.contains(tensorOf(store.getDestination())))
        first = beginningOf(store, consumer);
    });
    auto *here = first ? ancestorIn(block, first) : nullptr;
    if (here && loads->isBeforeInBlock(here))
      return here;
  }
  return read;
}

} // namespace sluice

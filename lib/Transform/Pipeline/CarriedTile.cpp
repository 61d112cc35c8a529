#include "Transform/Pipeline/CarriedTile.h"

#include "Transform/Cores.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
namespace scf = mlir::scf;

namespace {

/// Where an agent touches the tile: in the loop, and in front of it and behind it in its block.
struct Uses {
  PartOfTile before, inside, behind;

  Uses(AllocOp tile, llvm::StringRef agent, scf::ForOp loop) {
    for (const TileAccess &access : accessesOf(tile)) {
      if (agentOf(access.op) != agent)
        continue;
      auto *here = ancestorIn(tile->getBlock(), access.op);
      if (here == loop)
        inside.add(ancestorIn(loop.getBody(), access.op));
      else
        (here->isBeforeInBlock(loop) ? before : behind).add(here);
    }
  }
};

bool carries(scf::ForOp loop, AllocOp tile, llvm::StringRef producer, llvm::StringRef consumer) {
  const Uses writes(tile, producer, loop), reads(tile, consumer, loop);
  return writes.before && writes.inside && reads.inside && !writes.behind && !reads.before &&
         reads.inside.last->isBeforeInBlock(writes.inside.first);
}

template <typename First, typename Last>
void around(mlir::OpBuilder &b, Ring &ring, const PartOfTile &part, const std::string &agent) {
  auto loc = ring.buffers.front().getLoc();
  b.setInsertionPoint(part.first);
  verb<First>(b, loc, ring, ring.cursor, agent);
  b.setInsertionPointAfter(part.last);
  verb<Last>(b, loc, ring, ring.cursor, agent);
}

} // namespace

scf::ForOp carryingLoop(AllocOp tile, llvm::StringRef producer, llvm::StringRef consumer) {
  if (!isPipe(producer) || !isPipe(consumer) || coreOf(producer) != coreOf(consumer))
    return {};
  for (auto loop : tile->getBlock()->getOps<scf::ForOp>())
    if (carries(loop, tile, producer, consumer))
      return loop;
  return {};
}

void insertCarriedVerbs(mlir::OpBuilder &b, Ring &ring) {
  AllocOp tile = ring.buffers.front();
  const std::string &consumer = ring.consumers.front();
  auto loop = carryingLoop(tile, ring.producer, consumer);
  const Uses writes(tile, ring.producer, loop), reads(tile, consumer, loop);
  around<AcquireOp, CommitOp>(b, ring, writes.before, ring.producer);
  around<WaitOp, ReleaseOp>(b, ring, reads.inside, consumer);
  around<AcquireOp, CommitOp>(b, ring, writes.inside, ring.producer);
  if (reads.behind)
    return around<WaitOp, ReleaseOp>(b, ring, reads.behind, consumer);
  b.setInsertionPointAfter(loop);
  verb<WaitOp>(b, tile.getLoc(), ring, ring.cursor, consumer);
  verb<ReleaseOp>(b, tile.getLoc(), ring, ring.cursor, consumer);
}

} // namespace sluice

#include "Transform/Barrier/Peers.h"

#include "Dialect/ValueNames.h"
#include "Transform/IndexArithmetic.h"
#include "Transform/Tile/Share.h"

namespace sluice {

using namespace ir;
using mlir::Value;

/// The place of the peer among those that it is one of, from the own one.
static Value placeOf(IndexArithmetic &to, const Peer &peer, Value here, bool back) {
  if (peer.flips)
    return to.bits(here, to.constant(peer.by));
  return to.rem(to.add(here, to.constant(peer.distance(back))), to.constant(peer.among.count()));
}

/// The rank of the peer that a CTA fills, or, `back`, of the one that fills its slots.
static Value rankOf(mlir::OpBuilder &b, mlir::Location loc, const OtherCtas &others, bool back) {
  const Peer &peer = others.peer;
  IndexArithmetic to{mlir::OpBuilder(b.getContext()), loc};
  to.b.setInsertionPointAfter(others.rank.getDefiningOp());
  const char *name = peer.flips ? "partner" : back ? "behind" : "ahead";
  if (peer.among.count() == others.ctas)
    return named(placeOf(to, peer, others.rank, back), name);
  const Value here = alongCluster(to.b, loc, others.rank, peer.among);
  const Value step = to.sub(placeOf(to, peer, here, back), here);
  return named(to.add(others.rank, to.mul(step, to.constant(peer.among.stride()))), name);
}

llvm::SmallVector<Value> ranksOf(mlir::OpBuilder &b, mlir::Location loc, const OtherCtas &others) {
  if (others.to == Across::filled || others.to == Across::filling)
    return {rankOf(b, loc, others, others.to == Across::filling)};
  llvm::SmallVector<Value> ranks;
  const int64_t first = others.to == Across::others ? 1 : 0;
  for (int64_t rank = first; rank < (others.to == Across::leader ? 1 : others.ctas); ++rank)
    ranks.push_back(constantIndex(b, loc, rank));
  return ranks;
}

/// What threads wrote, a bulk copy reads behind a fence.
static bool writtenByThreads(AllocOp tile) {
  return llvm::any_of(accessesOf(tile), [](const TileAccess &access) {
    return access.writes && !mlir::isa<TmaLoadOp, RemoteCopyOp>(access.op);
  });
}

void lowerRemoteCopy(CopyOp copy, mlir::ValueRange ranks, Value barriers, Value slot) {
  mlir::OpBuilder b(copy);
  auto loc = copy.getLoc();
  const bool stores = copy.getSource().getType().getSpace() == Space::reg;
  if (!stores && writtenByThreads(rootOf(copy.getSource()))) {
    FenceOp::create(b, loc, FenceKind::proxy_async, ir::Exec::threads);
    WarpSyncOp::create(b, loc);
  }
  for (Value rank : ranks)
    RemoteCopyOp::create(b, loc, copy.getSource(), copy.getDestination(), rank, barriers, slot,
                         stores ? ir::Exec::threads : ir::Exec::one);
  copy.erase();
}

void copyNumber(ScalarWriteOp number, mlir::ValueRange ranks, Value barriers, Value slot) {
  mlir::OpBuilder b(number);
  b.setInsertionPointAfter(number);
  auto loc = number.getLoc();
  const auto shape = number.getDestination().getType().getShape();
  for (int64_t column = 1; column < shape[1]; ++column) // a copy reads the slot as a whole
    ScalarWriteOp::create(b, loc, number.getValue(), number.getDestination(),
                          mlir::ValueRange{number.getOffsets()[0], constantIndex(b, loc, column)},
                          ir::Exec::one);
  FenceOp::create(b, loc, FenceKind::proxy_async, ir::Exec::threads);
  WarpSyncOp::create(b, loc);
  for (Value rank : ranks)
    RemoteCopyOp::create(b, loc, number.getDestination(), number.getDestination(), rank, barriers,
                         slot, ir::Exec::one);
}

} // namespace sluice

#include "Transform/Pipeline/SumInTurns.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;
namespace scf = mlir::scf;

namespace {

bool isProduct(const TileAccess &access) {
  auto mma = dyn_cast<MmaOp>(access.op);
  return mma && mma.getD() == access.view;
}

/// The loop beside the tile's declaration whose block has products of it.
scf::ForOp loopOfProducts(AllocOp sum) {
  for (const TileAccess &access : accessesOf(sum))
    if (auto loop = dyn_cast<scf::ForOp>(access.op->getParentOp());
        loop && isProduct(access) && loop->getBlock() == sum->getBlock())
      return loop;
  return {};
}

template <typename First, typename Last>
void around(mlir::OpBuilder &b, Ring &ring, const PartOfTile &part, mlir::Value cursor,
            const std::string &agent) {
  auto loc = ring.buffers.front().getLoc();
  b.setInsertionPoint(part.first);
  verb<First>(b, loc, ring, cursor, agent);
  b.setInsertionPointAfter(part.last);
  verb<Last>(b, loc, ring, cursor, agent);
}

/// What is stored comes to tensor memory while the element functions behind it go on: it is handed
/// over behind these.
PartOfTile withFunctionsBehind(PartOfTile part) {
  const auto isFunction = [](mlir::Operation *op) {
    return isa<AllocOp, MapOp, ReduceOp, FillOp>(op) ||
           (mlir::isPure(op) && !op->hasTrait<mlir::OpTrait::IsTerminator>());
  };
  while (isFunction(part.last->getNextNode()))
    part.last = part.last->getNextNode();
  return part;
}

} // namespace

std::optional<SumTurns> turnsOf(AllocOp sum) {
  SumTurns turns;
  turns.loop = loopOfProducts(sum);
  if (!turns.loop)
    return std::nullopt;
  for (const TileAccess &access : accessesOf(sum)) {
    auto *here = ancestorIn(sum->getBlock(), access.op);
    const bool inside = here == turns.loop, product = isProduct(access);
    const bool before = here->isBeforeInBlock(turns.loop);
    auto *at = inside ? ancestorIn(turns.loop.getBody(), access.op) : here;
    if (product && (before || at != access.op))
      return std::nullopt;
    PartOfTile &part = inside    ? (product ? turns.multiplied : turns.computed)
                       : before  ? turns.begun
                       : product ? turns.multipliedLast
                                 : turns.taken;
    part.add(at);
  }
  const bool whole = turns.begun && turns.computed && turns.multipliedLast && turns.taken;
  if (!whole || !turns.multiplied.last->isBeforeInBlock(turns.computed.first) ||
      !turns.multipliedLast.last->isBeforeInBlock(turns.taken.first))
    return std::nullopt;
  return turns;
}

bool isInTurns(AllocOp tile) {
  bool multiplied = false, copied = false;
  for (const TileAccess &access : accessesOf(tile)) {
    multiplied |= isProduct(access);
    copied |= access.writes && isa<CopyOp>(access.op);
  }
  return multiplied && copied && tile.getBuffer().getType().getSpace() == Space::tmem;
}

mlir::Value insertTurns(mlir::OpBuilder &b, Ring &ring) {
  AllocOp sum = ring.buffers.front();
  const auto loc = sum.getLoc();
  const SumTurns turns = *turnsOf(sum);
  scf::ForOp loop = turns.loop;
  const std::string &threads = ring.producer, &products = ring.consumers.front();
  loop.getInitArgsMutable()[ring.turns].assign(ring.cursor);
  const mlir::Value now = loop.getRegionIterArgs()[ring.turns], end = loop.getResult(ring.turns);
  b.setInsertionPointToStart(loop.getBody());
  const mlir::Value next = CursorAdvanceOp::create(b, loc, now);
  loop.getBody()->getTerminator()->setOperand(ring.turns, next);
  b.setInsertionPointAfter(loop);
  const mlir::Value last = CursorAdvanceOp::create(b, loc, end);

  around<AcquireOp, CommitOp>(b, ring, turns.begun, ring.cursor, threads);
  around<WaitOp, ReleaseOp>(b, ring, turns.multiplied, now, products);
  around<AcquireOp, CommitOp>(b, ring, withFunctionsBehind(turns.computed), next, threads);
  around<WaitOp, ReleaseOp>(b, ring, turns.multipliedLast, end, products);
  b.setInsertionPoint(turns.taken.first);
  verb<AcquireOp>(b, loc, ring, last, threads);
  return last;
}

} // namespace sluice

#include "Transform/Barrier/RingWaits.h"

#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {

using namespace ir;

mlir::Value slotOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value cursor) {
  if (mlir::cast<CursorType>(cursor.getType()).getSlots() == 1)
    return constantIndex(b, loc, 0);
  return CursorSlotOp::create(b, loc, b.getIndexType(), cursor);
}

ir::Exec execOf(Lanes lanes) {
  constexpr ir::Exec execs[] = {ir::Exec::threads, ir::Exec::warp, ir::Exec::warpgroup,
                                ir::Exec::one};
  return execs[static_cast<size_t>(lanes)];
}

namespace {

mlir::Value phaseOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value cursor) {
  return CursorPhaseOp::create(b, loc, b.getIndexType(), cursor);
}

/// 1 where the first wait for a slot passes, so that each waits for the phase before; null:
/// nowhere.
mlir::Value phasesBefore(mlir::OpBuilder &b, mlir::Location loc, const Part &part, mlir::Value slot,
                         int64_t slots) {
  if (part.free == 0)
    return {};
  mlir::Value one = constantIndex(b, loc, 1);
  if (part.free == slots)
    return one;
  auto isFree = mlir::arith::CmpIOp::create(b, loc, mlir::arith::CmpIPredicate::slt, slot,
                                            constantIndex(b, loc, part.free));
  return mlir::arith::SelectOp::create(b, loc, isFree, one, constantIndex(b, loc, 0));
}

/// Slot and parity under which one side of a ring looks for what the other has signalled.
std::pair<mlir::Value, mlir::Value> awaitedAt(mlir::OpBuilder &b, mlir::Location loc,
                                              MbarrierAllocOp barriers, mlir::Value cursor,
                                              const Part &part) {
  mlir::Value parity = phaseOf(b, loc, cursor), slot = slotOf(b, loc, cursor);
  if (mlir::Value before = phasesBefore(b, loc, part, slot, barriers.getType().getSlots()))
    parity = mlir::arith::XOrIOp::create(b, loc, parity, before);
  return {slot, parity};
}

ir::Scope scopeOf(const Part &part) {
  return part.fromAfar ? ir::Scope::cluster : ir::Scope::cta;
}

} // namespace

void waitFor(mlir::OpBuilder &b, mlir::Location loc, MbarrierAllocOp barriers, mlir::Value cursor,
             const Part &part, mlir::Value token) {
  const auto [slot, parity] = awaitedAt(b, loc, barriers, cursor, part);
  MbarrierWaitOp::create(b, loc, barriers.getBarriers(), slot, parity, token, execOf(part.waits),
                         scopeOf(part));
}

mlir::Value testFor(mlir::OpBuilder &b, mlir::Location loc, MbarrierAllocOp barriers,
                    mlir::Value cursor, const Part &part) {
  const auto [slot, parity] = awaitedAt(b, loc, barriers, cursor, part);
  auto test = MbarrierTestOp::create(b, loc, barriers.getBarriers(), slot, parity,
                                     execOf(part.waits), scopeOf(part));
  return test.getToken();
}

} // namespace sluice

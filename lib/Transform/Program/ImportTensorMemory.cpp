// Operations of tensor memory: one thread multiplies, warps load their lanes.
#include "Dialect/Marks.h"
#include "Transform/Program/Importer.h"

#include "llvm/ADT/TypeSwitch.h"

namespace sluice {

bool Importer::touchesTensorMemory(ir::CopyOp op) {
  return op.getSource().getType().getSpace() == Space::tmem ||
         op.getDestination().getType().getSpace() == Space::tmem;
}

/// Operations that only one thread executes.
template <typename T> void Importer::pushOne(Block &into, mlir::Operation &op, T operation) {
  push(into, op, std::move(operation));
  into.stmts.back().exec = Exec::one;
}

void Importer::importTensorMemoryCopy(ir::CopyOp op, Block &into) {
  const Space from = op.getSource().getType().getSpace(),
              to = op.getDestination().getType().getSpace();
  const View destination = bufferView(op.getDestination()), source = bufferView(op.getSource());
  if (from == Space::reg)
    return push(into, *op, TmemStore{destination, source});
  if (to == Space::tmem && from == Space::smem)
    return pushOne(into, *op,
                   TmemCopy{destination, source, ir::marks::neighbours.on(op), op.getCtas() == 2,
                            ir::marks::lane.on(op) ? ir::marks::lane.of(op).getInt() : 0});
  if (to == Space::tmem)
    return fail(*op, "tensor memory is filled from shared memory (tcgen05.cp) or from registers "
                     "(tcgen05.st), not from " +
                         std::string(name(from)));
  if (to != Space::reg)
    return fail(*op, "tensor memory is copied to registers (tcgen05.ld)");
  push(into, *op, TmemLoad{destination, source});
}

void Importer::importProduct(ir::Tcgen05MmaOp op, Block &into) {
  Tcgen05Mma product{bufferView(op.getD()),      bufferView(op.getA()),
                     bufferView(op.getB()),      accumulate(op.getAccumulate()),
                     ir::marks::anyTiles.on(op), op.getCtas() == 2};
  if (op.getScalesA())
    product.scales = {bufferView(op.getScalesA()), bufferView(op.getScalesB())};
  pushOne(into, *op, std::move(product));
}

void Importer::importCommit(ir::Tcgen05CommitOp op, Block &into) {
  pushOne(into, *op,
          Tcgen05Commit{barrier(op.getBarriers(), op.getIndex()), int64_t(op.getMulticast()),
                        op.getCtas() == 2});
}

bool Importer::importTensorMemory(mlir::Operation &op, Block &into) {
  return llvm::TypeSwitch<mlir::Operation *, bool>(&op)
      .Case<ir::Tcgen05MmaOp>([&](auto o) { return importProduct(o, into), true; })
      .Case<ir::Tcgen05CommitOp>([&](auto o) { return importCommit(o, into), true; })
      .Case<ir::Tcgen05ShiftOp>([&](auto o) {
        return pushOne(into, op, TmemShift{bufferView(o.getColumns()), o.getCtas() == 2}), true;
      })
      .Case<ir::Tcgen05WaitOp>(
          [&](auto o) { return push(into, op, TmemWait{o.getStores()}), true; })
      .Case<ir::TmemAllocOp>([&](auto o) {
        if (!o.getAddress())
          return fail(op, "the address needs a place in shared memory: write `to %address`, a tile "
                          "of 1x1xi32 in smem"),
                 true;
        push(into, op,
             TmemAlloc{int64_t(o.getColumns()), bufferView(o.getAddress()), o.getCtas() == 2});
        return true;
      })
      .Case<ir::TmemAddressOp>(
          [&](auto o) { return push(into, op, TmemAddress{bufferView(o.getAddress())}), true; })
      .Case<ir::TmemRelinquishOp>(
          [&](auto o) { return push(into, op, TmemRelinquish{o.getCtas() == 2}), true; })
      .Case<ir::TmemDeallocOp>([&](auto o) {
        return push(into, op, TmemDealloc{int64_t(o.getColumns()), o.getCtas() == 2}), true;
      })
      .Default([](auto) { return false; });
}

} // namespace sluice

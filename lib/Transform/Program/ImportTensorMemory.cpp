// Operations of tensor memory: one thread multiplies, warps load their lanes.
#include "Dialect/Marks.h"
#include "Transform/Program/Importer.h"

#include "llvm/ADT/TypeSwitch.h"

namespace sluice {

bool Importer::touchesTensorMemory(ir::CopyOp op) {
  return op.getSource().getType().getSpace() == Space::tmem ||
         op.getDestination().getType().getSpace() == Space::tmem;
}

void Importer::importTensorMemoryCopy(ir::CopyOp op, Block &into) {
  const Space to = op.getDestination().getType().getSpace();
  if (to == Space::tmem)
    return fail(*op, "copies to tensor memory (tcgen05.st, tcgen05.cp) are not supported yet");
  if (to != Space::reg)
    return fail(*op, "tensor memory is copied to registers (tcgen05.ld)");
  push(into, *op, TmemLoad{bufferView(op.getDestination()), bufferView(op.getSource())});
}

/// Operations that only one thread executes.
template <typename T> void Importer::pushOne(Block &into, mlir::Operation &op, T operation) {
  push(into, op, std::move(operation));
  into.stmts.back().exec = Exec::one;
}

void Importer::importProduct(ir::Tcgen05MmaOp op, Block &into) {
  if (op.getA().getType().getSpace() == Space::tmem)
    return fail(*op, "a in tensor memory is not supported yet; it is read from shared memory");
  pushOne(into, *op,
          Tcgen05Mma{bufferView(op.getD()), bufferView(op.getA()), bufferView(op.getB()),
                     accumulate(op.getAccumulate()), ir::marks::anyTiles.on(op),
                     op.getCtas() == 2});
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
      .Case<ir::Tcgen05WaitOp>([&](auto o) {
        if (o.getStores())
          return fail(op, "waits for stores to tensor memory are not supported yet"), true;
        return push(into, op, TmemWait{}), true;
      })
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

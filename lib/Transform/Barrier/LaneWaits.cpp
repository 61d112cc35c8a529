#include "Transform/Barrier/LaneWaits.h"

#include "Transform/Tiles.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;

namespace {

bool isInTensorMemory(mlir::Value tile) {
  return mlir::cast<BufferType>(tile.getType()).getSpace() == Space::tmem;
}
bool loads(CopyOp copy) {
  return copy && isInTensorMemory(copy.getSource());
}
bool stores(CopyOp copy) {
  return copy && isInTensorMemory(copy.getDestination()) && !bringsFactors(copy);
}

/// Columns of a tile that begin at a number: first and end.
std::optional<std::pair<int64_t, int64_t>> columnsOf(mlir::Value view) {
  const int64_t columns = mlir::cast<BufferType>(view.getType()).getShape()[1];
  if (view.getDefiningOp<AllocOp>())
    return std::pair<int64_t, int64_t>(0, columns);
  auto part = view.getDefiningOp<SubviewOp>();
  if (!part || !part.getBuffer().getDefiningOp<AllocOp>())
    return std::nullopt;
  const auto first = mlir::getConstantIntValue(part.getOffsets()[1]);
  return first ? std::optional(std::pair(*first, *first + columns)) : std::nullopt;
}

/// Whether two views have no column of tensor memory in common. Different tiles may lie over each
/// other.
bool areApart(mlir::Value one, mlir::Value other) {
  const auto a = columnsOf(one), b = columnsOf(other);
  return rootOf(one) == rootOf(other) && a && b && (a->second <= b->first || b->second <= a->first);
}

bool touches(mlir::Operation *op, AllocOp tile) {
  return llvm::any_of(op->getOperands(), [&](mlir::Value operand) {
    return isa<BufferType>(operand.getType()) && rootOf(operand) == tile;
  });
}

/// Whether the end of `move` may come behind this statement.
bool mayPass(CopyOp move, mlir::Operation *op) {
  if (mlir::isPure(op))
    return !op->hasTrait<mlir::OpTrait::IsTerminator>();
  auto copy = dyn_cast<CopyOp>(op);
  if (!copy && !isa<MapOp, ReduceOp, FillOp>(op))
    return false;
  if (loads(move))
    return !loads(copy) && !touches(op, rootOf(move.getDestination()));
  return (!loads(copy) || areApart(copy.getSource(), move.getDestination())) &&
         (!stores(copy) || areApart(copy.getDestination(), move.getDestination()));
}

void waitFor(CopyOp move) {
  const auto isWait = [&](mlir::Operation *op) {
    auto wait = dyn_cast<Tcgen05WaitOp>(op);
    return wait && wait.getStores() == stores(move);
  };
  mlir::Operation *op = move->getNextNode();
  while (op && !isWait(op) && (isa<Tcgen05WaitOp>(op) || mayPass(move, op)))
    op = op->getNextNode();
  if (op && isWait(op))
    return;
  mlir::OpBuilder b(move);
  b.setInsertionPoint(move->getBlock(), op ? op->getIterator() : move->getBlock()->end());
  Tcgen05WaitOp::create(b, move.getLoc(), stores(move));
}

} // namespace

void waitForLanes(KernelOp kernel) {
  std::vector<CopyOp> moves;
  kernel.walk([&](CopyOp copy) {
    if (loads(copy) || stores(copy))
      moves.push_back(copy);
  });
  llvm::for_each(moves, waitFor);
}

} // namespace sluice

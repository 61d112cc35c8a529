#include "Transform/Barrier/LaneOrder.h"

#include "Dialect/Marks.h"
#include "Program/Sharing.h"
#include "Transform/Tiles.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::dyn_cast_or_null;
using mlir::isa;

namespace {

/// Of a tile in registers, by the threads of a role.
struct TensorMove {
  mlir::Operation *op;
  mlir::Value tensor;
  bool stores, handsOn;
};

/// The input in whose place an output may lie, or the tensor itself.
mlir::Value placeOf(mlir::Value tensor) {
  auto argument = dyn_cast<mlir::BlockArgument>(tensor);
  auto kernel = argument ? dyn_cast<KernelOp>(argument.getOwner()->getParentOp()) : KernelOp();
  const auto input = kernel ? marks::inPlace.of(kernel, argument.getArgNumber()) : nullptr;
  if (!input)
    return tensor;
  for (mlir::BlockArgument other : kernel.getBody().getArguments())
    if (kernel.argumentName(other.getArgNumber()) == input.getValue())
      return other;
  return tensor;
}

std::optional<TensorMove> moveOf(mlir::Operation *op) {
  mlir::Value tile, tensor;
  if (auto load = dyn_cast<LoadOp>(op))
    tile = load.getDestination(), tensor = load.getSource();
  else if (auto store = dyn_cast<StoreOp>(op))
    tile = store.getSource(), tensor = store.getDestination();
  auto type = tile ? dyn_cast<BufferType>(tile.getType()) : BufferType();
  if (!type || type.getSpace() != Space::reg)
    return std::nullopt;
  const bool stores = isa<StoreOp>(op);
  const auto elements = *dtypeOf(mlir::cast<TensorType>(tensor.getType()).getElementType());
  return TensorMove{op, placeOf(tensorOf(tensor)), stores,
                    !movedByHolders(type.getLayout(), elements, stores)};
}

bool meet(const TensorMove &x, const TensorMove &y) {
  return x.tensor == y.tensor && (x.stores || y.stores) && (x.handsOn || y.handsOn);
}

void orderIn(mlir::Operation *role) {
  std::vector<TensorMove> moves; // in program order
  role->walk([&](mlir::Operation *op) {
    if (auto move = moveOf(op))
      moves.push_back(*move);
  });
  for (size_t y = 0; y < moves.size(); ++y) {
    const bool again = moves[y].op->getParentOfType<mlir::scf::ForOp>() ||
                       moves[y].op->getParentOfType<mlir::scf::WhileOp>();
    for (size_t x = 0; x < (again ? moves.size() : y); ++x)
      if (x != y && meet(moves[x], moves[y])) {
        mlir::OpBuilder b(moves[y].op);
        WarpSyncOp::create(b, moves[y].op->getLoc());
        break;
      }
  }
}

/// A copy from registers of what a map reads in shared memory.
bool isForMaps(mlir::Operation *op) {
  auto copy = dyn_cast_or_null<CopyOp>(op);
  if (!copy || mlir::cast<BufferType>(copy.getSource().getType()).getSpace() != Space::reg ||
      mlir::cast<BufferType>(copy.getDestination().getType()).getSpace() != Space::smem)
    return false;
  return llvm::any_of(accessesOf(rootOf(copy.getDestination())), [](const TileAccess &access) {
    return access.reads && isa<MapOp>(access.op);
  });
}

/// Behind the last of those that stand together.
void meetBehindCopies(mlir::Operation *role) {
  std::vector<mlir::Operation *> last;
  role->walk([&](CopyOp copy) {
    if (isForMaps(copy) && !isForMaps(copy->getNextNode()))
      last.push_back(copy);
  });
  for (mlir::Operation *copy : last) {
    mlir::OpBuilder b(copy->getContext());
    b.setInsertionPointAfter(copy);
    WarpSyncOp::create(b, copy->getLoc());
  }
}

} // namespace

void orderLanes(KernelOp kernel) {
  bool roles = false;
  kernel.walk([&](RoleOp role) {
    roles = true;
    orderIn(role);
    meetBehindCopies(role);
  });
  if (!roles) {
    orderIn(kernel);
    meetBehindCopies(kernel);
  }
}

} // namespace sluice

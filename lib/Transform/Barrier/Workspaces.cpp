// Barrier level, Ascend: workspace tiles of the cores become one tensor in global memory.
#include "Dialect/Marks.h"
#include "Transform/Cores.h"
#include "Transform/KernelRanges.h"
#include "Transform/Refusal.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::isa;
namespace arith = mlir::arith;

/// Number of this core among the cores; null where the grid is not the one of the cores.
mlir::Value coreNumber(KernelOp kernel, mlir::OpBuilder &b) {
  auto grids = kernel.getOps<GridOp>();
  if (grids.empty())
    return constantIndex(b, kernel.getLoc(), 0);
  auto coordinates = (*grids.begin()).getCoordinates();
  return coordinates.size() == 1 ? coordinates[0] : mlir::Value();
}

/// A workspace has a part for each core that the machine has.
mlir::LogicalResult verifyParts(AllocOp buffer, int64_t cores) {
  auto kernel = buffer->getParentOfType<KernelOp>();
  for (GridOp grid : kernel.getOps<GridOp>())
    for (mlir::Value extent : grid.getExtents())
      if (const auto range = KernelRanges(kernel).of(extent); range.most > cores)
        return unsupported(buffer, "workspace '")
               << buffer.getName() << "' has a part for each of " << cores
               << " cores, and the grid may have more; let a core take several tiles: a grid of "
               << "the least (arith.minsi) of " << cores << " and the tiles";
  return mlir::success();
}

/// A workspace with a tile for every slot of every core, one below the other.
struct Workspace {
  mlir::Value tensor, core;
  int64_t slots, rows;

  /// Row and column of a view's first element.
  std::array<mlir::Value, 2> at(mlir::OpBuilder &b, mlir::Location loc, mlir::Value view) const {
    auto add = [&](mlir::Value x, mlir::Value y) -> mlir::Value {
      return arith::AddIOp::create(b, loc, x, y);
    };
    auto times = [&](mlir::Value x, int64_t n) -> mlir::Value {
      return arith::MulIOp::create(b, loc, x, constantIndex(b, loc, n));
    };
    if (auto slot = view.getDefiningOp<SlotOp>()) {
      auto [row, col] = at(b, loc, slot.getBuffer());
      return {add(row, times(slot.getIndex(), rows)), col};
    }
    if (auto part = view.getDefiningOp<SubviewOp>()) {
      auto [row, col] = at(b, loc, part.getBuffer());
      return {add(row, part.getOffsets()[0]), add(col, part.getOffsets()[1])};
    }
    return {times(core, slots * rows), constantIndex(b, loc, 0)};
  }
};

mlir::Value addArgument(KernelOp kernel, AllocOp buffer, int64_t cores) {
  auto type = buffer.getBuffer().getType();
  mlir::OpBuilder b(kernel.getContext());
  unsigned place = 0; // tensors come before scalars
  while (place < kernel.getNumArguments() && isa<TensorType>(kernel.getArgumentTypes()[place]))
    ++place;
  auto tensor = TensorType::get(b.getContext(),
                                {cores * type.getSlots() * type.getShape()[0], type.getShape()[1]},
                                type.getElementType(), /*minor=*/1, /*rows=*/0, /*align=*/1);
  auto attributes =
      b.getDictionaryAttr({b.getNamedAttr(marks::name.name, b.getStringAttr(buffer.getName())),
                           b.getNamedAttr(marks::workspace.name, b.getUnitAttr())});
  (void)kernel.insertArgument(place, tensor, attributes, buffer.getLoc());
  return kernel.getArgument(place);
}

/// The pipe that an author said, or the agent that a pass noted.
template <typename Op> void issueAs(CopyOp copy, Op moved) {
  moved.setPipe(copy.getPipe());
  if (auto agent = marks::agent.of(copy))
    marks::agent.set(moved, agent);
}

void lowerCopy(CopyOp copy, const Workspace &workspace) {
  mlir::OpBuilder b(copy);
  auto loc = copy.getLoc();
  if (copy.getDestination().getType().getSpace() == Space::global) {
    auto offsets = workspace.at(b, loc, copy.getDestination());
    issueAs(copy, StoreOp::create(b, loc, copy.getSource(), workspace.tensor, offsets));
  } else {
    auto offsets = workspace.at(b, loc, copy.getSource());
    issueAs(copy,
            LoadOp::create(b, loc, workspace.tensor, offsets, copy.getDestination(), nullptr));
  }
}

/// Views of the workspace, none of which has a user left, innermost first.
void eraseViews(mlir::Value buffer) {
  for (mlir::Operation *user : llvm::make_early_inc_range(buffer.getUsers())) {
    eraseViews(user->getResult(0));
    user->erase();
  }
}

} // namespace

mlir::LogicalResult lowerWorkspaces(KernelOp kernel, int64_t cores) {
  std::vector<AllocOp> buffers;
  kernel.walk([&](AllocOp buffer) {
    if (buffer.getBuffer().getType().getSpace() == Space::global)
      buffers.push_back(buffer);
  });
  for (AllocOp buffer : buffers) {
    mlir::OpBuilder b(buffer);
    auto type = buffer.getBuffer().getType();
    auto accesses = accessesOf(buffer);
    for (const TileAccess &access : accesses)
      if (!isa<CopyOp>(access.op))
        return unsupported(access.op, "workspace '")
               << buffer.getName() << "' can only be copied to and from";
    if (mlir::failed(verifyParts(buffer, cores)))
      return mlir::failure();
    mlir::Value core = coreNumber(kernel, b);
    if (!core)
      return unsupported(buffer, "workspace '")
             << buffer.getName() << "' needs a grid of one dimension, the cores";
    Workspace workspace{addArgument(kernel, buffer, cores), core, type.getSlots(),
                        type.getShape()[0]};
    for (const TileAccess &access : accesses) {
      lowerCopy(mlir::cast<CopyOp>(access.op), workspace);
      access.op->erase();
    }
    eraseViews(buffer.getBuffer());
    buffer.erase();
  }
  return mlir::success();
}

} // namespace sluice

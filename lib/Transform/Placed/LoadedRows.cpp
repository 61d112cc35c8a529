// Ascend, placed level: loads into the unified buffer write what the tensor has and leave what lies
// beyond. A tile of its own gets the rest, which is zeros. What an author's own loads leave is
// found at the barrier level.
#include "Transform/Placed/LoadedRows.h"

#include "Transform/KernelRanges.h"
#include "Transform/Placed/VectorInstructions.h"
#include "Transform/Refusal.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {

using namespace ir;
using mlir::cast;
using mlir::dyn_cast;
using mlir::isa;
using mlir::OpBuilder;
using mlir::Value;
namespace arith = mlir::arith;

namespace {

bool isInUb(AllocOp tile) {
  return tile && tile.getBuffer().getType().getSpace() == Space::ub;
}

/// Whether the box ends within the tensor in every launch.
bool isInside(LoadOp load, unsigned dimension, int64_t length) {
  const int64_t extent = load.getSource().getType().getShape()[dimension];
  if (mlir::ShapedType::isDynamic(extent))
    return false;
  const auto offset =
      KernelRanges(load->getParentOfType<KernelOp>()).of(load.getOffsets()[dimension]);
  return offset.least >= 0 && offset.most <= extent - length;
}

/// What stands for elements of the tile in the body of who reads it.
std::vector<mlir::BlockArgument> elementsOf(const TileAccess &access) {
  auto map = dyn_cast<MapOp>(access.op);
  auto fold = dyn_cast<ReduceOp>(access.op);
  std::vector<mlir::BlockArgument> elements;
  if (!map && !fold)
    return elements;
  mlir::Block &body = map ? map.getBody().front() : fold.getBody().front();
  const size_t behind = fold ? fold.getOutputs().size() : 0; // the state
  for (auto [i, input] : llvm::enumerate(map ? map.getInputs() : fold.getInputs()))
    if (input == access.view)
      elements.push_back(body.getArgument(i + behind));
  return elements;
}

/// Whether all who read the tile widen its elements, and nobody but its load writes it.
bool isReadAsF32(AllocOp tile) {
  const auto widens = [](mlir::Operation *user) {
    return isa<arith::ExtFOp>(user) && user->getResult(0).getType().isF32();
  };
  return llvm::all_of(accessesOf(tile), [&](const TileAccess &access) {
    if (isa<LoadOp>(access.op))
      return true;
    const auto elements = elementsOf(access);
    return !access.writes && !elements.empty() && llvm::all_of(elements, [&](Value element) {
      return llvm::all_of(element.getUsers(), widens);
    });
  });
}

/// Readers take the widened tile: their elements are f32 already.
void widenReaders(llvm::ArrayRef<TileAccess> accesses) {
  for (const TileAccess &access : accesses)
    for (mlir::BlockArgument element : elementsOf(access)) {
      element.setType(mlir::Float32Type::get(element.getContext()));
      for (mlir::Operation *user : llvm::make_early_inc_range(element.getUsers())) {
        user->getResult(0).replaceAllUsesWith(element);
        user->erase();
      }
    }
}

bool isLoadedOnce(AllocOp tile) {
  return llvm::count_if(accessesOf(tile), [](const TileAccess &a) { return a.writes; }) == 1;
}

/// Elements of the tensor from where the box begins; none where the matrix is beyond it.
Value left(OpBuilder &b, LoadOp load, unsigned dimension) {
  auto loc = load.getLoc();
  auto tensor = load.getSource().getType();
  const auto extent = [&](unsigned d) -> Value {
    return DimOp::create(b, loc, load.getSource(), d);
  };
  Value rest = arith::SubIOp::create(b, loc, extent(dimension), load.getOffsets()[dimension]);
  for (unsigned d = 0; d < unsigned(tensor.getRank()); ++d) {
    if (d == tensor.dimensionOf(0) || d == tensor.dimensionOf(1) || isInside(load, d, 1))
      continue;
    Value exists =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, load.getOffsets()[d], extent(d));
    rest = arith::SelectOp::create(b, loc, exists, rest, constantIndex(b, loc, 0));
  }
  return rest;
}

/// The last of the loads that stand together, from this one on: they are handed over together, by
/// one flag, if nothing reads in between.
LoadOp lastOfLoads(LoadOp load) {
  LoadOp last = load;
  for (mlir::Operation *op = load->getNextNode(); op; op = op->getNextNode())
    if (auto next = mlir::dyn_cast<LoadOp>(op))
      last = next;
    else if (!mlir::isa<AllocOp>(op) && !mlir::isPure(op))
      break;
  return last;
}

/// Reads what was loaded, and is zero beyond the tensor.
void completeTile(LoadOp load, AllocOp tile, bool rows, bool columns) {
  auto type = tile.getBuffer().getType(), whole = type;
  const bool widens = !type.getElementType().isF32() && isReadAsF32(tile);
  OpBuilder b(tile);
  auto loc = load.getLoc();
  if (widens)
    whole = BufferType::get(b.getContext(), type.getShape(), b.getF32Type(), Space::ub, Layout::row,
                            1, 1);
  Value complete =
      AllocOp::create(b, loc, whole, tile.getName().str() + "_whole", mlir::IntegerAttr());
  const auto accesses = accessesOf(tile);
  if (widens)
    widenReaders(accesses);
  for (const TileAccess &access : accesses)
    if (access.op != load)
      access.op->replaceUsesOfWith(access.view, complete);
  b.setInsertionPointAfter(lastOfLoads(load));
  createMove(b, loc, tile.getBuffer(), complete);
  auto tensor = load.getSource().getType();
  if (columns)
    fillColumnsFrom(b, loc, complete, left(b, load, tensor.dimensionOf(1)), false, 0);
  if (rows)
    fillRowsFrom(b, loc, complete, left(b, load, tensor.dimensionOf(0)), 0);
}

/// Whether rows, or columns, of the box may lie outside of the tensor.
std::pair<bool, bool> reachesOver(LoadOp load, llvm::ArrayRef<int64_t> shape) {
  auto tensor = load.getSource().getType();
  bool rows = shape[0] > 1 && !isInside(load, tensor.dimensionOf(0), shape[0]);
  bool columns = !isInside(load, tensor.dimensionOf(1), shape[1]);
  bool &all = shape[0] > 1 && shape[1] == 1 ? rows : columns; // where it has no such matrix
  for (unsigned d = 0; d < unsigned(tensor.getRank()); ++d)
    all |= d != tensor.dimensionOf(0) && !isInside(load, d, 1);
  return {rows, columns};
}

/// Whether a number is computed from an extent of the tensor.
bool isOfExtent(Value number, Value tensor) {
  auto *op = number.getDefiningOp();
  if (auto dim = mlir::dyn_cast_or_null<DimOp>(op))
    return dim.getTensor() == tensor;
  return op && mlir::isPure(op) &&
         llvm::any_of(op->getOperands(), [&](Value v) { return isOfExtent(v, tensor); });
}

/// Whether a map tells elements apart by their place and an extent of the tensor.
bool asksForEnd(MapOp map, Value tensor) {
  return map.getCoordinates() && map.getBody()
                                     .walk([&](arith::CmpIOp op) {
                                       return isOfExtent(op.getRhs(), tensor)
                                                  ? mlir::WalkResult::interrupt()
                                                  : mlir::WalkResult::advance();
                                     })
                                     .wasInterrupted();
}

/// Whether who reads a loaded tile copies it to one in which what lies behind the tensor is
/// replaced.
bool isCompleted(const TileAccess &read, Value tensor) {
  auto copy = dyn_cast<MapOp>(read.op);
  if (!copy || copy.getOutputs().size() != 1)
    return false;
  AllocOp whole = rootOf(copy.getOutputs()[0]);
  return whole && whole != rootOf(read.view) &&
         llvm::any_of(accessesOf(whole), [&](const TileAccess &access) {
           auto fill = dyn_cast<MapOp>(access.op);
           return fill && access.writes && fill != copy && asksForEnd(fill, tensor);
         });
}

} // namespace

bool leavesUnknown(LoadOp load) {
  AllocOp tile = rootOf(load.getDestination());
  if (!isInUb(tile))
    return false;
  const auto [rows, columns] = reachesOver(load, tile.getBuffer().getType().getShape());
  return (rows || columns) && llvm::any_of(accessesOf(tile), [&](const TileAccess &access) {
           return access.reads && !isCompleted(access, load.getSource());
         });
}

mlir::LogicalResult zeroWhatLoadsLeave(KernelOp kernel) {
  return forEach<LoadOp>(kernel, [](LoadOp load) -> mlir::LogicalResult {
    AllocOp tile = rootOf(load.getDestination());
    if (!isInUb(tile))
      return mlir::success();
    const auto shape = tile.getBuffer().getType().getShape();
    const auto [rows, columns] = reachesOver(load, shape);
    const bool spread = shape[1] == 1 && shape[0] % spreadRows != 0; // wants room behind it
    if (!rows && !columns && !spread)
      return mlir::success();
    if (!isLoadedOnce(tile))
      return unsupported(load, "tile '")
             << tile.getName() << "' of the vector cores is loaded, or written, more than once; "
             << "give each value a tile of its own";
    completeTile(load, tile, rows, columns);
    return mlir::success();
  });
}

} // namespace sluice

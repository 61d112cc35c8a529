// Ascend, placed level: loads into the unified buffer write what the tensor has and leave what lies
// beyond. A tile of its own gets the rest, which is zeros. What an author's own loads leave is
// found at the barrier level.
#include "Transform/Placed/LoadedRows.h"

#include "Transform/Placed/LoadReach.h"
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

/// The copy that alone reads what was loaded, to a tile that nothing else writes; null: there is
/// none.
MapOp onlyCopyOf(LoadOp load, AllocOp tile) {
  MapOp copy;
  for (const TileAccess &access : accessesOf(tile)) {
    if (access.op == load)
      continue;
    if (copy || !isCopyOf(dyn_cast<MapOp>(access.op), load) ||
        access.op->getBlock() != load->getBlock() || access.op->isBeforeInBlock(load))
      return {};
    copy = cast<MapOp>(access.op);
  }
  return copy && isLoadedOnce(rootOf(copy.getOutputs()[0])) ? copy : MapOp();
}

/// Reads what was loaded, and is zero beyond the tensor.
void completeTile(LoadOp load, AllocOp tile, LoadReach reach) {
  if (MapOp copy = onlyCopyOf(load, tile)) {
    OpBuilder b(copy);
    b.setInsertionPointAfter(copy);
    return replaceRest(b, load, copy.getOutputs()[0], reach);
  }
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
  replaceRest(b, load, complete, reach);
}

} // namespace

mlir::LogicalResult zeroWhatLoadsLeave(KernelOp kernel) {
  return forEach<LoadOp>(kernel, [](LoadOp load) -> mlir::LogicalResult {
    AllocOp tile = rootOf(load.getDestination());
    if (!liesInUb(tile) || load.getDestination().getDefiningOp<TransposeOp>())
      return mlir::success(); // of such a tile TurnedTiles replaces the rest
    const auto shape = tile.getBuffer().getType().getShape();
    const LoadReach reach = reachOf(load);
    const bool spread = shape[1] == 1 && shape[0] % spreadRows != 0; // wants room behind it
    if (!reach.rows && !reach.columns && !spread)
      return mlir::success();
    if (!isLoadedOnce(tile))
      return unsupported(load, "tile '")
             << tile.getName() << "' of the vector cores is loaded, or written, more than once; "
             << "give each value a tile of its own";
    completeTile(load, tile, reach);
    return mlir::success();
  });
}

} // namespace sluice

// Tile -> placed for sm_90a: what element functions read lies in registers.
#include "Dialect/Marks.h"
#include "Transform/Passes.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Placed/HopperTiles.h"
#include "Transform/Placed/ReadInPlace.h"
#include "Transform/Placed/WholeRows.h"
#include "Transform/Refusal.h"
#include "Transform/Tiles.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::cast;
using mlir::LogicalResult;
using mlir::success;

/// Values of a thread that compilers keep in f32 between two uses of whole rows: more and they
/// spill, where reading shared memory again costs less.
constexpr int64_t mostValuesHeld = 144;

bool storesRows(KernelOp kernel) {
  return kernel
      .walk([](StoreOp store) {
        const auto type = cast<BufferType>(store.getSource().getType());
        return type.getShape()[1] > 1 ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether shared memory has one slot for it, beside what stays there: the sooner that goes back,
/// the sooner is the next tile on its way.
bool isAloneBesideOthers(AllocOp tile) {
  auto loop = iteratedBy(tile);
  auto stages = loop ? marks::stages.of(loop) : mlir::IntegerAttr();
  if (!stages || stages.getInt() != 1)
    return false;
  return loop
      ->walk([](MapOp map) {
        const bool staysInShared = llvm::any_of(
            map.getInputs(), [&](mlir::Value input) { return isReadInPlace(map, input); });
        return staysInShared ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// Rows that start at any element, as reading them shifts them, rows of a kernel that stores none,
/// and those that have one slot, so that it goes back early. Others are better read again: two
/// CTAs find registers on an SM then (bench/ROWS.md).
bool isReadOnce(AllocOp tile) {
  const BufferType type = tile.getBuffer().getType();
  return type.getSpace() == Space::smem &&
         (isAsItLies(type.getLayout()) || !storesRows(tile->getParentOfType<KernelOp>()) ||
          isAloneBesideOthers(tile));
}

/// Of the whole rows in shared memory that could be read once and are read more often.
int64_t valuesReadAgain(KernelOp kernel) {
  const auto warps = warpsOfWholeRows(kernel);
  if (!warps)
    return 0;
  int64_t elements = 0;
  kernel.walk([&](AllocOp tile) {
    auto type = tile.getBuffer().getType();
    const auto computes = [](const TileAccess &access) {
      return access.reads && mlir::isa<MapOp, ReduceOp>(access.op);
    };
    if (isReadOnce(tile) && llvm::count_if(accessesOf(tile), computes) > 1)
      elements += type.getShape()[0] * type.getShape()[1];
  });
  return elements / (32 * *warps);
}

/// Whether `op`, or what stands in it, writes the tile.
bool writes(mlir::Operation *op, AllocOp tile) {
  return llvm::any_of(accessesOf(tile), [&](const TileAccess &access) {
    return access.writes && op->isAncestor(access.op);
  });
}

/// Whole rows that were copied to registers in this block and have not changed since.
mlir::Value heldBefore(mlir::Operation *op, mlir::Value input, BufferType held) {
  const AllocOp tile = rootOf(input);
  if (held.getLayout() != Layout::blocked || !isReadOnce(tile))
    return {};
  for (mlir::Operation *at = op->getPrevNode(); at; at = at->getPrevNode()) {
    auto copy = mlir::dyn_cast<CopyOp>(at);
    if (copy && copy.getSource() == input && copy.getDestination().getType() == held)
      return copy.getDestination();
    if (writes(at, tile))
      return {};
  }
  return {};
}

/// Element functions work on registers: what they read of a product's operands is copied there.
/// `once`: rows that can be are read from shared memory once, and their slot is handed back after
/// that.
LogicalResult copyInputs(mlir::Operation *op, mlir::MutableOperandRange inputs,
                         mlir::ValueRange outputs, bool once) {
  for (mlir::Value output : outputs)
    if (isInSharedMemory(output))
      return unsupported(op, "tile '")
             << rootOf(output).getName() << "' is loaded for a product; write another tile";
  for (mlir::OpOperand &input : inputs) {
    if (!isInSharedMemory(input.get()) || isReadInPlace(op, input.get()))
      continue;
    mlir::OpBuilder b(op);
    auto type = cast<BufferType>(input.get().getType());
    auto held =
        BufferType::get(type.getContext(), type.getShape(), type.getElementType(), Space::reg,
                        registerLayout(op->getParentOfType<KernelOp>(), type), 1, 1);
    if (mlir::Value before = once ? heldBefore(op, input.get(), held) : mlir::Value()) {
      input.set(before);
      continue;
    }
    auto name = rootOf(input.get()).getName().str() + "_held";
    auto copy = AllocOp::create(b, op->getLoc(), held, name, mlir::IntegerAttr());
    putInRole(CopyOp::create(b, op->getLoc(), input.get(), copy.getBuffer()), roleFor(op));
    input.set(copy.getBuffer());
  }
  return success();
}

} // namespace

LogicalResult holdInputs(KernelOp kernel, const Arch & /*arch*/) {
  keepInSharedMemory(kernel);
  const bool once = valuesReadAgain(kernel) <= mostValuesHeld;
  return forEach<mlir::Operation *>(kernel, [&](mlir::Operation *op) {
    if (auto map = mlir::dyn_cast<MapOp>(op))
      return copyInputs(map, map.getInputsMutable(), map.getOutputs(), once);
    if (auto fold = mlir::dyn_cast<ReduceOp>(op))
      return copyInputs(fold, fold.getInputsMutable(), {}, once);
    return success();
  });
}

} // namespace sluice

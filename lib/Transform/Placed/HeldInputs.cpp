// Tile -> placed for sm_90a: what element functions read lies in registers.
#include "Transform/Passes.h"
#include "Transform/Placed/HopperTiles.h"
#include "Transform/Refusal.h"
#include "Transform/Tiles.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::cast;
using mlir::LogicalResult;
using mlir::success;

bool isInSharedMemory(mlir::Value tile) {
  return cast<BufferType>(tile.getType()).getSpace() == Space::smem;
}

/// Element functions work on registers: what they read of a product's operands is copied there.
LogicalResult copyInputs(mlir::Operation *op, mlir::MutableOperandRange inputs,
                         mlir::ValueRange outputs) {
  for (mlir::Value output : outputs)
    if (isInSharedMemory(output))
      return unsupported(op, "tile '")
             << rootOf(output).getName() << "' is loaded for a product; write another tile";
  for (mlir::OpOperand &input : inputs) {
    if (!isInSharedMemory(input.get()))
      continue;
    mlir::OpBuilder b(op);
    auto type = cast<BufferType>(input.get().getType());
    auto held =
        BufferType::get(type.getContext(), type.getShape(), type.getElementType(), Space::reg,
                        registerLayout(op->getParentOfType<KernelOp>(), type), 1, 1);
    auto name = rootOf(input.get()).getName().str() + "_held";
    auto copy = AllocOp::create(b, op->getLoc(), held, name, mlir::IntegerAttr());
    CopyOp::create(b, op->getLoc(), input.get(), copy.getBuffer());
    input.set(copy.getBuffer());
  }
  return success();
}

} // namespace

LogicalResult holdInputs(KernelOp kernel, const Arch & /*arch*/) {
  const auto ofMap = [](MapOp map) {
    return copyInputs(map, map.getInputsMutable(), map.getOutputs());
  };
  const auto ofFold = [](ReduceOp fold) { return copyInputs(fold, fold.getInputsMutable(), {}); };
  return mlir::success(mlir::succeeded(forEach<MapOp>(kernel, ofMap)) &&
                       mlir::succeeded(forEach<ReduceOp>(kernel, ofFold)));
}

} // namespace sluice

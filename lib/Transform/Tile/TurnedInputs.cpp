// What maps read transposed alone: a bias of the columns of C, or a residual, where C^T is
// computed.
#include "Transform/Passes.h"
#include "Transform/Tiles.h"

#include "llvm/ADT/STLExtras.h"

namespace sluice {

using namespace ir;

namespace {

/// A tile that loads fill and whose transposed view is all that others read: maps, or of a vector
/// anybody. (A matrix that is multiplied stays: wgmma turns it.)
bool isReadTransposed(AllocOp buffer) {
  const auto shape = buffer.getBuffer().getType().getShape();
  if (shape.size() != 2)
    return false;
  const bool vector = std::min(shape[0], shape[1]) == 1;
  bool turned = false;
  for (mlir::Operation *user : buffer.getBuffer().getUsers()) {
    if (isa<LoadOp>(user))
      continue;
    if (!isa<TransposeOp>(user))
      return false;
    turned = true;
    if (!vector && !llvm::all_of(user->getResult(0).getUsers(), llvm::IsaPred<MapOp>))
      return false;
  }
  return turned;
}

/// Declares the tile the way it is read; what fills it turns it.
void turn(AllocOp buffer) {
  auto type = buffer.getBuffer().getType();
  mlir::OpBuilder b(buffer);
  b.setInsertionPointAfter(buffer);
  llvm::SmallVector<mlir::Operation *> users(buffer.getBuffer().getUsers());
  buffer.getBuffer().setType(type.withShape({type.getShape()[1], type.getShape()[0]}));
  mlir::Value filled = TransposeOp::create(b, buffer.getLoc(), buffer.getBuffer());
  for (mlir::Operation *user : users) {
    if (auto load = dyn_cast<LoadOp>(user)) {
      load.getDestinationMutable().assign(filled);
    } else {
      user->getResult(0).replaceAllUsesWith(buffer.getBuffer());
      user->erase();
    }
  }
}

} // namespace

mlir::LogicalResult turnInputs(KernelOp kernel, const Arch & /*arch*/) {
  std::vector<AllocOp> inputs;
  kernel.walk([&](AllocOp buffer) {
    if (buffer.getBuffer().getType().getSpace() == Space::unplaced && isReadTransposed(buffer))
      inputs.push_back(buffer);
  });
  llvm::for_each(inputs, turn);
  return mlir::success();
}

} // namespace sluice

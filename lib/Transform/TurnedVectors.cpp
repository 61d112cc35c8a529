// Vectors that are read transposed alone: a bias of the columns of C where C^T is computed.
#include "Transform/Tiles.h"

#include "llvm/ADT/STLExtras.h"

namespace sluice {

using namespace ir;

namespace {

/// A row or column that loads fill and whose transposed view is all that others read.
bool isReadTransposed(AllocOp buffer) {
  const auto shape = buffer.getBuffer().getType().getShape();
  bool turned = false;
  for (mlir::Operation *user : buffer.getBuffer().getUsers()) {
    turned |= isa<TransposeOp>(user);
    if (!isa<TransposeOp, LoadOp>(user))
      return false;
  }
  return turned && shape.size() == 2 && std::min(shape[0], shape[1]) == 1;
}

/// Declares the vector the way it is read; what fills it turns it.
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

void turnVectors(KernelOp kernel) {
  std::vector<AllocOp> vectors;
  kernel.walk([&](AllocOp buffer) {
    if (buffer.getBuffer().getType().getSpace() == Space::unplaced && isReadTransposed(buffer))
      vectors.push_back(buffer);
  });
  llvm::for_each(vectors, turn);
}

} // namespace sluice

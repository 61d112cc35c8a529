#include "Transform/Placed/ComputedOperand.h"

#include "Transform/Refusal.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;

namespace {

/// The same view of `shared` that a product has of `tile`; null: it takes a part of it.
mlir::Value sameView(mlir::OpBuilder &b, mlir::Value view, AllocOp tile, AllocOp shared) {
  if (view == tile.getBuffer())
    return shared.getBuffer();
  auto turned = view.getDefiningOp<TransposeOp>();
  if (!turned || turned.getBuffer() != tile.getBuffer())
    return {};
  return TransposeOp::create(b, view.getLoc(), shared.getBuffer().getType().transposed(),
                             shared.getBuffer());
}

/// The statement of the tile's block in front of which it is whole; null, and a diagnostic, where
/// something fills it behind a product.
mlir::Operation *firstProduct(AllocOp tile) {
  mlir::Block *block = tile->getBlock();
  mlir::Operation *first = nullptr;
  for (const TileAccess &access : accessesOf(tile)) {
    auto mma = dyn_cast<MmaOp>(access.op);
    auto *op = ancestorIn(block, access.op);
    if (mma && mma.getB() == access.view && !first)
      first = op;
    if (!access.writes || !first || op->isBeforeInBlock(first))
      continue;
    unsupported(access.op, "fills tile '")
        << tile.getName()
        << "' behind a product that takes it as b; give each value its own tile, declared where it "
           "is filled";
    return nullptr;
  }
  return first;
}

} // namespace

mlir::LogicalResult passThrough(AllocOp tile, AllocOp shared) {
  auto *first = firstProduct(tile);
  if (!first)
    return mlir::failure();
  for (const TileAccess &access : accessesOf(tile)) {
    auto mma = dyn_cast<MmaOp>(access.op);
    if (!mma || mma.getB() != access.view)
      continue;
    mlir::OpBuilder b(mma);
    mlir::Value view = sameView(b, access.view, tile, shared);
    if (!view)
      return unsupported(mma, "takes a part of tile '")
             << tile.getName() << "', which is computed, as b; make the part a tile of its own";
    mma.getBMutable().assign(view);
  }
  mlir::OpBuilder b(first);
  CopyOp::create(b, first->getLoc(), tile.getBuffer(), shared.getBuffer());
  return mlir::success();
}

bool isComputedOperand(AllocOp buffer) {
  if (buffer.getBuffer().getType().getSpace() != Space::smem)
    return false;
  bool copied = false, taken = false;
  for (const TileAccess &access : accessesOf(buffer)) {
    auto copy = dyn_cast<CopyOp>(access.op);
    const bool gathers = isa<ClusterGatherOp>(access.op);
    if (!copy && !gathers && !isa<MmaOp>(access.op))
      return false;
    copied |= gathers;
    copied |= copy && access.writes && copy.getSource().getType().getSpace() == Space::reg;
    taken |= access.reads;
  }
  return copied && taken;
}

} // namespace sluice

#include "Transform/Placed/TurnedOperands.h"

#include "Program/Fractals.h"
#include "Transform/Refusal.h"

namespace sluice {

using namespace ir;

/// L0A has lines along the rows of A, L0B along the columns of B: along K both.
static bool isTurned(mlir::Value view, int minor, bool isA) {
  const bool exchanged = view.getDefiningOp<TransposeOp>() != nullptr;
  return (minor == 1) == exchanged ? isA : !isA;
}

Layout layoutInL1(AllocOp tile, int minor, Target target) {
  const auto strips = [&](const TileAccess &access) {
    auto mma = mlir::dyn_cast<MmaOp>(access.op);
    return mma && ((access.view == mma.getA() && isTurned(access.view, minor, true)) ||
                   (access.view == mma.getB() && isTurned(access.view, minor, false)));
  };
  const DType type = *dtypeOf(tile.getBuffer().getType().getElementType());
  if (target == Target::ascend910b && byteSize(type) == 4 && llvm::any_of(accessesOf(tile), strips))
    return minor == 1 ? Layout::zZ : Layout::nN;
  return minor == 1 ? Layout::zN : Layout::nZ;
}

mlir::LogicalResult verifySquares(MmaOp mma) {
  const DType type = *dtypeOf(mma.getA().getType().getElementType());
  const int64_t side = sideOfSquare(type);
  for (const bool isA : {true, false}) {
    const mlir::Value view = isA ? mma.getA() : mma.getB();
    const auto shape = mlir::cast<BufferType>(view.getType()).getShape();
    AllocOp tile = rootOf(view);
    const int minor = linesAreUpright(tile.getBuffer().getType().getLayout()) ? 0 : 1;
    if (const int64_t extent = shape[isA ? 0 : 1];
        isTurned(view, minor, isA) && side > 0 && extent % side)
      return breaks("R51", mma, "tile '")
             << tile.getName() << "' of " << name(type) << " is turned by squares of " << side
             << " x " << side << ", and has " << extent << (isA ? " rows" : " columns");
  }
  return mlir::success();
}

} // namespace sluice

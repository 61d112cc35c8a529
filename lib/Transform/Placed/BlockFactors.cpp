#include "Transform/Placed/BlockFactors.h"

#include "Program/BlockScales.h"
#include "Program/Program.h"
#include "Transform/Refusal.h"
#include "Transform/Tiles.h"

namespace sluice {

using namespace ir;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;

namespace {

bool scales(MmaOp mma, mlir::Value tile) {
  return mma.getScalesA() == tile || mma.getScalesB() == tile;
}

/// Tiles of factors are loaded, and multiplied by whole.
LogicalResult verifyTileOfFactors(MmaOp mma, mlir::Value factors) {
  AllocOp tile = rootOf(factors);
  if (factors.getDefiningOp() != tile)
    return unsupported(mma, "takes a part of the factors '")
           << tile.getName() << "', or turns them; load a tile of their own";
  for (const TileAccess &access : accessesOf(tile)) {
    auto mma = mlir::dyn_cast<MmaOp>(access.op);
    if (!isa<LoadOp>(access.op) && !(mma && scales(mma, factors)))
      return unsupported(access.op, "uses tile '")
             << tile.getName() << "' of factors, which is loaded for products alone";
  }
  return success();
}

FactorPieces factorPieces(MmaOp mma, mlir::Value factors, int64_t lines) {
  const auto a = mma.getA().getType();
  const auto of = mlir::cast<BufferType>(factors.getType());
  return piecesOf(lines, a.getShape()[1],
                  elementsOfBlock(*dtypeOf(a.getElementType()), *dtypeOf(of.getElementType())));
}

/// Piece by piece to a tile of all lanes.
mlir::Value toTensorMemory(MmaOp mma, mlir::Value factors, int64_t lines) {
  mlir::OpBuilder b(mma);
  auto loc = mma.getLoc();
  AllocOp tile = rootOf(factors);
  auto type = tile.getBuffer().getType().in(Space::smem, Layout::row);
  retype(tile, type);
  const FactorPieces pieces = factorPieces(mma, factors, lines);
  auto columns = type.withShape({FactorPieces::lines, pieces.count() * FactorPieces::bytes})
                     .in(Space::tmem, Layout::row);
  mlir::Value there = AllocOp::create(b, tile.getLoc(), columns, tile.getName().str() + "_columns",
                                      mlir::IntegerAttr())
                          .getBuffer();
  mlir::OpBuilder front(tile); // nothing but copies between the loads and the product
  const auto part = [&](mlir::Value whole, int64_t row, int64_t column, int64_t rows) {
    if (pieces.count() == 1)
      return whole;
    auto of = mlir::cast<BufferType>(whole.getType());
    mlir::Value at[] = {constantIndex(front, loc, row), constantIndex(front, loc, column)};
    mlir::Value view =
        SubviewOp::create(b, loc, of.withShape({rows, FactorPieces::bytes}), whole, at);
    return view;
  };
  for (int64_t line = 0; line < pieces.ofLines; ++line)
    for (int64_t deep = 0; deep < pieces.ofDepth; ++deep)
      CopyOp::create(
          b, loc,
          part(factors, FactorPieces::rows * (line * pieces.ofDepth + deep), 0, FactorPieces::rows),
          part(there, 0, FactorPieces::bytes * (deep * pieces.ofLines + line),
               FactorPieces::lines));
  return there;
}

} // namespace

bool areFactors(AllocOp tile) {
  return llvm::any_of(tile.getBuffer().getUsers(), [&](mlir::Operation *user) {
    auto mma = mlir::dyn_cast<MmaOp>(user);
    return mma && scales(mma, tile.getBuffer());
  });
}

LogicalResult verifyFactors(MmaOp mma) {
  if (!mma.getScalesA())
    return success();
  const int64_t rows = mma.getA().getType().getShape()[0];
  if (rows != FactorPieces::lines && rows != 2 * FactorPieces::lines)
    return unsupported(mma, "tile has ")
           << rows << " rows; block-scaled products of 128 and 256 rows are lowered";
  for (mlir::Value factors : {mma.getScalesA(), mma.getScalesB()})
    if (mlir::failed(verifyTileOfFactors(mma, factors)))
      return mlir::failure();
  return success();
}

void bringFactors(KernelOp kernel) {
  std::vector<MmaOp> products, seconds; // of two halves of 256 rows, one behind the other
  kernel.walk([&](MmaOp mma) {
    if (!mma.getScalesA())
      return;
    if (!products.empty() && mma->getPrevNode() == products.back())
      seconds.push_back(mma);
    products.push_back(mma);
  });
  llvm::DenseMap<mlir::Value, mlir::Value> there; // of what the product before took, too
  const auto bring = [&](MmaOp mma, mlir::Value factors, int64_t lines) {
    mlir::Value &columns = there[factors];
    if (!columns)
      columns = toTensorMemory(mma, factors, lines);
    return columns;
  };
  for (MmaOp mma : products) {
    if (!llvm::is_contained(seconds, mma))
      there.clear();
    const mlir::Value a = bring(mma, mma.getScalesA(), mma.getD().getType().getShape()[0]);
    const mlir::Value b = bring(mma, mma.getScalesB(), mma.getD().getType().getShape()[1]);
    mma.getScalesAMutable().assign(a);
    mma.getScalesBMutable().assign(b);
  }
}

} // namespace sluice

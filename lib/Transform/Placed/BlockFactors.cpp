#include "Transform/Placed/BlockFactors.h"

#include "Program/Program.h"
#include "Transform/Refusal.h"
#include "Transform/Tiles.h"

namespace sluice {

using namespace ir;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;

namespace {

constexpr int64_t linesOfPiece = 32; // of 16 bytes, for 128 rows

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

/// Piece by piece to a tile of all lanes.
mlir::Value toTensorMemory(MmaOp mma, mlir::Value factors) {
  mlir::OpBuilder b(mma);
  auto loc = mma.getLoc();
  AllocOp tile = rootOf(factors);
  auto type = tile.getBuffer().getType().in(Space::smem, Layout::row);
  retype(tile, type);
  const int64_t pieces = type.getShape()[0] / linesOfPiece;
  auto columns = type.withShape({BlockScales::rows, pieces * BlockScales::pieceBytes})
                     .in(Space::tmem, Layout::row);
  mlir::Value there = AllocOp::create(b, tile.getLoc(), columns, tile.getName().str() + "_columns",
                                      mlir::IntegerAttr())
                          .getBuffer();
  mlir::OpBuilder front(tile); // nothing but copies between the loads and the product
  const auto part = [&](mlir::Value whole, int64_t row, int64_t column, int64_t rows) {
    if (pieces == 1)
      return whole;
    auto of = mlir::cast<BufferType>(whole.getType());
    mlir::Value at[] = {constantIndex(front, loc, row), constantIndex(front, loc, column)};
    mlir::Value view =
        SubviewOp::create(b, loc, of.withShape({rows, BlockScales::pieceBytes}), whole, at);
    return view;
  };
  for (int64_t p = 0; p < pieces; ++p)
    CopyOp::create(b, loc, part(factors, linesOfPiece * p, 0, linesOfPiece),
                   part(there, 0, BlockScales::pieceBytes * p, BlockScales::rows));
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
  constexpr int64_t most = BlockScales::block * BlockScales::mostBlocks;
  const auto a = mma.getA().getType();
  const DType type = *dtypeOf(a.getElementType());
  if (type != DType::e4m3 && type != DType::e5m2)
    return unsupported(mma, "factors of blocks of ")
           << name(type).data() << "; those of e4m3 and e5m2 have some (kind::mxf8f6f4)";
  if (a.getShape()[0] != BlockScales::rows)
    return unsupported(mma, "tile has ")
           << a.getShape()[0] << " rows; block-scaled products of 128 rows are lowered";
  if (a.getShape()[1] > most)
    return unsupported(mma, "a step has K = ")
           << a.getShape()[1] << "; a tile of factors has those of up to " << most;
  for (mlir::Value factors : {mma.getScalesA(), mma.getScalesB()})
    if (mlir::failed(verifyTileOfFactors(mma, factors)))
      return mlir::failure();
  return success();
}

void bringFactors(KernelOp kernel) {
  std::vector<MmaOp> products;
  kernel.walk([&](MmaOp mma) {
    if (mma.getScalesA())
      products.push_back(mma);
  });
  for (MmaOp mma : products) {
    const mlir::Value a = toTensorMemory(mma, mma.getScalesA());
    const mlir::Value b = toTensorMemory(mma, mma.getScalesB());
    mma.getScalesAMutable().assign(a);
    mma.getScalesBMutable().assign(b);
  }
}

} // namespace sluice

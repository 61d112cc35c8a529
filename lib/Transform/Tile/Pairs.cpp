#include "Transform/Tile/Pairs.h"

#include "Dialect/Marks.h"
#include "Dialect/ValueNames.h"
#include "Transform/IndexArithmetic.h"
#include "Transform/Refusal.h"
#include "Transform/Tiles.h"

#include "llvm/ADT/SetVector.h"

namespace sluice {

using namespace ir;
using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

namespace {

class Pairs {
public:
  Pairs(KernelOp kernel, mlir::Value rank) : kernel_(kernel), rank_(rank) {}

  LogicalResult run() {
    std::vector<MmaOp> products;
    kernel_.walk([&](MmaOp mma) { products.push_back(mma); });
    for (MmaOp mma : products)
      if (failed(verify(mma)) || failed(halve(mma, mma.getB(), 1)) || failed(takeFactors(mma)))
        return failure();
    for (MmaOp mma : products)
      marks::pair.set(mma);
    return success();
  }

private:
  /// PTX ISA, tcgen05.mma: .cta_group::2 with 256 rows, and columns that every type has.
  static LogicalResult verify(MmaOp mma) {
    auto d = mma.getD().getType().getShape();
    if (d[0] != 128)
      return unsupported(mma, "tile has ")
             << d[0] << " rows; a pair multiplies 128 rows in each of its CTAs";
    if (d[1] % 32 || d[1] > 256)
      return unsupported(mma, "tile has ")
             << d[1] << " columns; a pair multiplies a multiple of 32 up to 256";
    for (const TileAccess &access : accessesOf(rootOf(mma.getA())))
      if (marks::shared.on(access.op))
        return unsupported(access.op, "both CTAs of a pair have the rows of this tile; each "
                                      "multiplies rows of its own by columns in common");
    return success();
  }

  /// Dimension `along` of a tile that is multiplied, with all that fills it.
  LogicalResult halve(MmaOp mma, mlir::Value tile, int along) {
    auto type = mlir::cast<BufferType>(tile.getType());
    auto shape = llvm::to_vector(type.getShape());
    shape[along] /= 2;
    if (auto turned = tile.getDefiningOp<TransposeOp>()) {
      if (failed(halve(mma, turned.getBuffer(), 1 - along)))
        return failure();
    } else if (!tile.getDefiningOp<AllocOp>()) {
      return unsupported(mma, "a pair multiplies by whole tiles as they are loaded");
    }
    if (!halved_.insert(tile))
      return success();
    for (mlir::Operation *user : tile.getUsers())
      if (auto load = mlir::dyn_cast<LoadOp>(user); load && failed(loadHalf(load, along)))
        return failure();
    tile.setType(type.withShape(shape));
    return success();
  }

  /// Each CTA loads the factors of its rows, and those of all columns for itself: they are few.
  static LogicalResult takeFactors(MmaOp mma) {
    if (!mma.getScalesA())
      return success();
    const auto isOfBoth = [](LoadOp load) {
      marks::cluster.remove(load);
      return bool(marks::shared.remove(load));
    };
    for (const TileAccess &access : accessesOf(rootOf(mma.getScalesA())))
      if (auto load = mlir::dyn_cast<LoadOp>(access.op))
        isOfBoth(load);
    for (const TileAccess &access : accessesOf(rootOf(mma.getScalesB())))
      if (auto load = mlir::dyn_cast<LoadOp>(access.op); load && !isOfBoth(load))
        return unsupported(load, "the CTAs of a pair multiply by the same columns, and have "
                                 "different factors of them here");
    return success();
  }

  /// The CTA of the even rank has the first half.
  LogicalResult loadHalf(LoadOp load, int along) {
    if (!marks::shared.remove(load))
      return unsupported(load, "the CTAs of a pair multiply by different tiles here; the cluster "
                               "of a pair lies along the rows of its products");
    marks::cluster.remove(load);
    const int64_t half = load.getDestination().getType().getShape()[along] / 2;
    const size_t dimension = load.getSource().getType().dimensionOf(along);
    IndexArithmetic at{mlir::OpBuilder(load), load.getLoc()};
    mlir::Value start = named(at.mul(rank_, at.constant(half)), "half");
    load.getOffsetsMutable()[dimension].set(at.add(load.getOffsets()[dimension], start));
    return success();
  }

  KernelOp kernel_;
  mlir::Value rank_;
  llvm::SetVector<mlir::Value> halved_;
};

} // namespace

LogicalResult pairProducts(GridOp grid) {
  auto kernel = grid->getParentOfType<KernelOp>();
  auto b = mlir::OpBuilder::atBlockBegin(grid->getBlock());
  mlir::Value rank = named(ClusterRankOp::create(b, grid.getLoc(), b.getIndexType()), "rank");
  marks::pair.remove(grid);
  return Pairs(kernel, rank).run();
}

LogicalResult verifyUnpaired(KernelOp kernel) {
  return forEach<MmaOp>(kernel, [](MmaOp mma) -> LogicalResult {
    if (!marks::pair.on(mma))
      return success();
    return mma.emitError("sluice.pair of a product is written by lowering; mark the grid");
  });
}

bool isOfPairs(KernelOp kernel) {
  const auto found = kernel.walk([](mlir::Operation *op) {
    auto product = mlir::dyn_cast<Tcgen05MmaOp>(op);
    return marks::pair.on(op) || (product && product.getCtas() == 2) ? mlir::WalkResult::interrupt()
                                                                     : mlir::WalkResult::advance();
  });
  return found.wasInterrupted();
}

} // namespace sluice

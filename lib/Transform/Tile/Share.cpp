#include "Transform/Tile/Share.h"

#include "Dialect/Marks.h"
#include "Dialect/ValueNames.h"
#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {

namespace marks = ir::marks;
namespace arith = mlir::arith;

mlir::LogicalResult verifyShare(ir::LoadOp load, ir::KernelOp kernel) {
  if (!marks::shared.on(load) && !marks::cluster.on(load))
    return mlir::success();
  auto along = marks::shared.of(load);
  auto cluster = marks::cluster.of(load);
  const auto ctas = [](llvm::ArrayRef<int64_t> extents) {
    int64_t product = 1;
    for (const int64_t extent : extents)
      product *= extent;
    return product;
  };
  const int64_t all = kernel.getCluster() ? ctas(*kernel.getCluster()) : 1;
  const bool fits = along && cluster && along.getInt() >= 0 && along.getInt() < cluster.size() &&
                    cluster[along.getInt()] > 1 && ctas(cluster.asArrayRef()) == all;
  if (fits)
    return mlir::success();
  return load.emitError("sluice.shared = d beside sluice.cluster = array<i64: ...> says that the "
                        "CTAs along extent d of the kernel's cluster share the load; this kernel's "
                        "has ")
         << all << (all == 1 ? " CTA" : " CTAs");
}

std::optional<Share> shareOf(ir::LoadOp load) {
  auto along = marks::shared.of(load);
  auto cluster = marks::cluster.of(load);
  auto tile = load.getDestination().getType();
  if (!along || !cluster || isAsItLies(tile.getLayout()) || !tmaCanLoad(load, tile))
    return {};
  Share share{cluster.asArrayRef().vec(), static_cast<size_t>(along.getInt())};
  constexpr int64_t atomRows = 8;
  if (tile.getShape()[1 - tile.getMinor()] % (atomRows * share.count()))
    return {};
  return share;
}

void createMulticast(mlir::OpBuilder &b, ir::LoadOp load, const Share &share, mlir::Value rank,
                     mlir::Value barriers, mlir::Value slot) {
  auto loc = load.getLoc();
  auto tile = load.getDestination().getType();
  const int split = 1 - tile.getMinor(); // the dimension that falls into parts
  auto shape = llvm::to_vector(tile.getShape());
  shape[split] /= share.count();
  mlir::Value place = alongCluster(b, loc, rank, share);
  mlir::Value start = arith::MulIOp::create(b, loc, place, constantIndex(b, loc, shape[split]));
  ir::setValueName(start, "part");
  llvm::SmallVector<mlir::Value> inTile(2, constantIndex(b, loc, 0));
  inTile[split] = start;
  auto offsets = llvm::to_vector(load.getOffsets());
  mlir::Value &from = offsets[load.getSource().getType().dimensionOf(split)];
  from = arith::AddIOp::create(b, loc, from, start);
  mlir::Value part =
      ir::SubviewOp::create(b, loc, tile.withShape(shape), load.getDestination(), inTile);
  const auto toAll = [&](mlir::OpBuilder &at, int64_t mask) {
    ir::TmaLoadOp::create(at, loc, load.getSource(), offsets, part, barriers, slot, mlir::Value(),
                          mask, ir::Exec::one, load.getCache());
  };
  int64_t ctas = 1;
  for (int64_t extent : share.cluster)
    ctas *= extent;
  if (ctas == share.count())
    return toAll(b, share.mask(0));
  // The mask is part of the instruction's text: one branch for each that a CTA may have.
  mlir::Value own = arith::SubIOp::create(
      b, loc, rank, arith::MulIOp::create(b, loc, place, constantIndex(b, loc, share.stride())));
  for (int64_t first = 0; first < ctas; ++first) {
    if (first / share.stride() % share.count() != 0)
      continue;
    auto isOwn =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, own, constantIndex(b, loc, first));
    auto branch = mlir::scf::IfOp::create(b, loc, isOwn, /*withElseRegion=*/false);
    auto inside = branch.getThenBodyBuilder();
    toAll(inside, share.mask(first));
  }
}

void setShare(ir::LoadOp load, const Share &share) {
  mlir::Builder b(load.getContext());
  marks::shared.set(load, static_cast<int64_t>(share.along));
  marks::cluster.set(load, b.getDenseI64ArrayAttr(share.cluster));
}

mlir::Value alongCluster(mlir::OpBuilder &b, mlir::Location loc, mlir::Value rank,
                         const Share &share) {
  mlir::Value above =
      share.stride() == 1
          ? rank
          : arith::DivSIOp::create(b, loc, rank, constantIndex(b, loc, share.stride())).getResult();
  return ir::named(arith::RemSIOp::create(b, loc, above, constantIndex(b, loc, share.count())),
                   "inCluster");
}

mlir::Value neighbour(mlir::OpBuilder &b, mlir::Location loc, mlir::Value rank, const Share &share,
                      int64_t distance) {
  mlir::Value here = alongCluster(b, loc, rank, share);
  mlir::Value there = arith::RemSIOp::create(
      b, loc, arith::AddIOp::create(b, loc, here, constantIndex(b, loc, distance)),
      constantIndex(b, loc, share.count()));
  mlir::Value step = arith::MulIOp::create(b, loc, arith::SubIOp::create(b, loc, there, here),
                                           constantIndex(b, loc, share.stride()));
  return ir::named(arith::AddIOp::create(b, loc, rank, step), "peer");
}

} // namespace sluice

#include "Transform/Tile/Across.h"

#include "Dialect/Marks.h"
#include "Transform/Refusal.h"

namespace sluice {

using namespace ir;
using mlir::isa;

namespace {

/// CTAs of a cluster along each coordinate.
llvm::SmallVector<int64_t> clusterOf(GridOp grid) {
  llvm::SmallVector<int64_t> cluster(grid.getExtents().size(), 1);
  if (auto asked = grid.getCluster())
    std::copy(asked->begin(), asked->end(), cluster.begin());
  return cluster;
}

/// The numbers of all these CTAs, no fewer and no more.
mlir::LogicalResult verifyRoom(mlir::Operation *op, int64_t ctas) {
  auto copy = mlir::dyn_cast<CopyOp>(op);
  if (!copy)
    return mlir::success();
  const int64_t rows = copy.getSource().getType().getShape()[1];
  const int64_t room = copy.getDestination().getType().getShape()[1];
  if (room == rows * ctas)
    return mlir::success();
  return copy.emitError("takes ") << rows << " rows of each of " << ctas
                                  << " CTAs, and has room for " << room;
}

mlir::LogicalResult verifyAcross(mlir::Operation *op, int64_t along, GridOp grid) {
  const char *does = isa<ReduceOp>(op) ? "folds" : "takes rows";
  if (!grid)
    return op->emitError() << does << " across CTAs; the kernel needs a sluice.grid";
  const auto cluster = clusterOf(grid);
  int64_t all = 1;
  for (int64_t ctas : cluster)
    all *= ctas;
  if (along >= int64_t(cluster.size()) || cluster[along] == 1)
    return op->emitError() << does << " across the CTAs of a cluster along coordinate " << along
                           << " of the grid, which has no cluster there; say so: `cluster`";
  if (grid.getPersistent())
    return unsupported(op, does) << " across the CTAs of a cluster in a persistent grid; write the "
                                    "loop over rows out";
  if (all != cluster[along])
    return unsupported(op, does) << " across the CTAs along coordinate " << along
                                 << " of a cluster that has others along another one";
  return verifyRoom(op, all);
}

} // namespace

mlir::LogicalResult verifyAcross(KernelOp kernel) {
  auto grids = kernel.getOps<GridOp>();
  GridOp grid = grids.empty() ? GridOp() : *grids.begin();
  const auto wrong = kernel.walk([&](mlir::Operation *op) {
    auto along = marks::across.of(op);
    return along && failed(verifyAcross(op, along.getInt(), grid)) ? mlir::WalkResult::interrupt()
                                                                   : mlir::WalkResult::advance();
  });
  return mlir::failure(wrong.wasInterrupted());
}

} // namespace sluice

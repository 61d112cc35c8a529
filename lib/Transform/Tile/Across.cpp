#include "Transform/Tile/Across.h"

#include "Dialect/Marks.h"
#include "Transform/Refusal.h"

namespace sluice {

using namespace ir;

namespace {

/// CTAs of a cluster along each coordinate.
llvm::SmallVector<int64_t> clusterOf(GridOp grid) {
  llvm::SmallVector<int64_t> cluster(grid.getExtents().size(), 1);
  if (auto asked = grid.getCluster())
    std::copy(asked->begin(), asked->end(), cluster.begin());
  return cluster;
}

mlir::LogicalResult verifyAcross(ReduceOp reduce, int64_t along, GridOp grid) {
  if (!grid)
    return reduce.emitError("folds across CTAs; the kernel needs a sluice.grid");
  const auto cluster = clusterOf(grid);
  int64_t all = 1;
  for (int64_t ctas : cluster)
    all *= ctas;
  if (along >= int64_t(cluster.size()) || cluster[along] == 1)
    return reduce.emitError("folds across the CTAs of a cluster along coordinate ")
           << along << " of the grid, which has no cluster there; say so: `cluster`";
  if (grid.getPersistent())
    return unsupported(reduce, "folds across the CTAs of a cluster in a persistent grid; write the "
                               "loop over rows out");
  if (all != cluster[along])
    return unsupported(reduce, "folds across the CTAs along coordinate ")
           << along << " of a cluster that has others along another one";
  return mlir::success();
}

} // namespace

mlir::LogicalResult verifyAcross(KernelOp kernel) {
  auto grids = kernel.getOps<GridOp>();
  GridOp grid = grids.empty() ? GridOp() : *grids.begin();
  const auto wrong = kernel.walk([&](ReduceOp reduce) {
    auto along = marks::across.of(reduce);
    return along && failed(verifyAcross(reduce, along.getInt(), grid))
               ? mlir::WalkResult::interrupt()
               : mlir::WalkResult::advance();
  });
  return mlir::failure(wrong.wasInterrupted());
}

} // namespace sluice

// Tile level, Ascend: the grid of tiles becomes a loop on each of the cores, which take tiles in
// turn. What a tile needs can then overlap with the tile before.
#include "Transform/Passes.h"
#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {
namespace {

using namespace ir;
namespace arith = mlir::arith;

class MapGrid : public mlir::PassWrapper<MapGrid, mlir::OperationPass<KernelOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MapGrid)
  explicit MapGrid(const Arch &arch) : cores_(arch.cores) {}
  llvm::StringRef getArgument() const override { return "sluice-map-grid"; }
  llvm::StringRef getDescription() const override { return "a loop over tiles on every core"; }

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    mlir::Block &body = kernel.getBody().front();
    for (GridOp grid : llvm::make_early_inc_range(body.getOps<GridOp>()))
      map(grid, body);
  }

private:
  void map(GridOp grid, mlir::Block &body) {
    mlir::OpBuilder b(grid);
    auto loc = grid.getLoc();
    mlir::Value total = constantIndex(b, loc, 1);
    for (mlir::Value extent : grid.getExtents())
      total = arith::MulIOp::create(b, loc, total, extent);
    mlir::Value cores = arith::MinSIOp::create(b, loc, total, constantIndex(b, loc, cores_));
    auto byCore =
        GridOp::create(b, loc, mlir::TypeRange{b.getIndexType()}, mlir::ValueRange{cores});
    auto loop = mlir::scf::ForOp::create(b, loc, byCore.getCoordinates()[0], total, cores);
    loop->setAttr("sluice.name", b.getStringAttr("tile"));
    auto *end = loop.getBody()->getTerminator();
    while (grid->getNextNode() && grid->getNextNode() != loop)
      grid->getNextNode()->moveBefore(end);
    b.setInsertionPointToStart(loop.getBody());
    mlir::Value rest = loop.getInductionVar();
    for (int d = int(grid.getExtents().size()) - 1; d >= 0; --d) {
      mlir::Value extent = grid.getExtents()[d];
      mlir::Value here = d == 0 ? rest : arith::RemSIOp::create(b, loc, rest, extent).getResult();
      if (d > 0)
        rest = arith::DivSIOp::create(b, loc, rest, extent);
      grid.getCoordinates()[d].replaceAllUsesWith(here);
    }
    grid.erase();
  }

  int64_t cores_;
};

} // namespace

std::unique_ptr<mlir::Pass> createMapGridPass(const Arch &arch) {
  return std::make_unique<MapGrid>(arch);
}

} // namespace sluice

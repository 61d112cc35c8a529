// Tile level: which CTA or core computes which tiles. Persistent grids become a loop over tiles on
// every CTA (Ascend: always, on every core), so that what a tile needs can overlap with the tile
// before. CTAs of a cluster take tiles side by side and share the loads that they have in common,
// or take steps of one tile.
#include "Dialect/ValueNames.h"
#include "Transform/AlternateSteps.h"
#include "Transform/DealSteps.h"
#include "Transform/IndexArithmetic.h"
#include "Transform/Passes.h"
#include "Transform/Share.h"
#include "Transform/Tiles.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::Value;

/// Coordinates of a grid, one bit each, that matter to a value or to a load.
class Dependence {
public:
  explicit Dependence(GridOp grid) : grid_(grid) {}

  unsigned of(Value value) const {
    if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(value))
      return ofArgument(argument);
    auto *op = value.getDefiningOp();
    if (op == grid_)
      return 1u << mlir::cast<mlir::OpResult>(value).getResultNumber();
    if (op->getNumRegions() > 0)
      return all;
    unsigned found = 0;
    for (Value operand : op->getOperands())
      found |= of(operand);
    return found;
  }

  /// What it loads, and how often: the loops and branches around it.
  unsigned of(LoadOp load) const {
    unsigned found = of(load.getSource());
    for (Value offset : load.getOffsets())
      found |= of(offset);
    for (auto *op = load->getParentOp(); !mlir::isa<KernelOp>(op); op = op->getParentOp()) {
      if (auto loop = mlir::dyn_cast<mlir::scf::ForOp>(op))
        found |= ofTrips(loop);
      else if (auto branch = mlir::dyn_cast<mlir::scf::IfOp>(op))
        found |= of(branch.getCondition());
      else
        return all;
    }
    return found;
  }

private:
  static constexpr unsigned all = ~0u; // not followed any further

  unsigned ofTrips(mlir::scf::ForOp loop) const {
    return of(loop.getLowerBound()) | of(loop.getUpperBound()) | of(loop.getStep());
  }
  unsigned ofArgument(mlir::BlockArgument argument) const {
    auto *owner = argument.getOwner()->getParentOp();
    if (mlir::isa<KernelOp>(owner))
      return 0;
    auto loop = mlir::dyn_cast<mlir::scf::ForOp>(owner);
    return loop && argument == loop.getInductionVar() ? ofTrips(loop) : all;
  }

  mutable GridOp grid_;
};

class Grid {
public:
  /// `splitLoop`: whose steps CTAs of a cluster take together; or null.
  Grid(GridOp op, const Arch &arch, mlir::scf::ForOp splitLoop)
      : op_(op), splitLoop_(splitLoop), cores_(arch.cores), to_{mlir::OpBuilder(op), op.getLoc()},
        rank_(op.getExtents().size()), cluster_(4, 1), takesTurns_(!isAscend(arch.target)) {
    cluster_[0] = ctasOf(splitLoop);
    if (auto cluster = op.getCluster(); cluster && !isAscend(arch.target))
      std::copy(cluster->begin(), cluster->end(), cluster_.begin() + 1);
  }

  mlir::LogicalResult map(bool persistent) {
    if (splitLoop_ && persistent)
      return splitLoop_.emitError("a loop that is split in a persistent grid is not supported");
    if (size() > 16)
      return op_.emitError("needs clusters of ")
             << size() << " CTAs, " << cluster_[0] << " for the steps of each tile; at most 16";
    markShared();
    Value rank = size() > 1
                     ? named(ClusterRankOp::create(to_.b, to_.loc, to_.b.getIndexType()), "rank")
                     : Value();
    if (persistent)
      loop(rank);
    else if (size() > 1)
      pad();
    if (size() > 1)
      op_->getParentOfType<KernelOp>().setCluster(
          persistent
              ? llvm::SmallVector<int64_t>{size(), 1, 1}
              : llvm::SmallVector<int64_t>{cluster_[0] * cluster_[1], cluster_[2], cluster_[3]});
    if (splitLoop_)
      return split(rank);
    if (persistent)
      op_.erase();
    return mlir::success();
  }

private:
  int64_t size() const { return cluster_[0] * cluster_[1] * cluster_[2] * cluster_[3]; }
  /// CTAs along a coordinate.
  int64_t along(size_t d) const { return cluster_[d + 1]; }

  /// A load to which a coordinate does not matter is the same for the CTAs along it.
  void markShared() {
    const Dependence dependence(op_);
    op_->getParentOfType<KernelOp>().walk([&](LoadOp load) {
      const unsigned matters = dependence.of(load);
      for (size_t d = 0; d < rank_; ++d)
        if (along(d) > 1 && !(matters >> d & 1))
          setShare(load, {cluster_, d + 1});
    });
  }

  /// Whole clusters: the CTAs beyond the last tile compute what lies outside of the tensors.
  void pad() {
    for (size_t d = 0; d < rank_; ++d)
      if (const int64_t ctas = along(d) * (d == 0 ? cluster_[0] : 1); ctas > 1)
        op_->setOperand(d, to_.mul(to_.ceilDiv(op_.getExtents()[d], along(d)), to_.constant(ctas)));
  }

  /// CTAs that take the steps of a tile lie side by side along the first coordinate.
  mlir::LogicalResult split(Value rank) {
    to_.b.setInsertionPointAfter(op_);
    Value place = size() == cluster_[0] ? rank : alongCluster(to_.b, to_.loc, rank, {cluster_, 0});
    setValueName(place, "place");
    Value x = op_.getCoordinates()[0], first = to_.sub(x, place);
    Value tile = named(to_.div(first, to_.constant(cluster_[0])), "tile");
    x.replaceAllUsesExcept(tile, first.getDefiningOp());
    return dealSteps(splitLoop_, place);
  }

  /// Every cluster starts at its own number and goes on by the number of clusters. The loop counts
  /// CTAs, as coordinates of the grid do.
  void loop(Value rank) {
    llvm::SmallVector<Value> extents; // in clusters
    for (size_t d = 0; d < rank_; ++d)
      extents.push_back(to_.ceilDiv(op_.getExtents()[d], along(d)));
    for (size_t d = 0; d < rank_; ++d)
      if (along(d) > 1)
        setValueName(extents[d], std::string(coordinateName(d)) + "Clusters");
    Value total = to_.constant(1);
    for (size_t d = 0; d < rank_; ++d) {
      total = to_.mul(total, extents[d]);
      if (d == 1 && rank_ == 3)
        setValueName(total, "matrixTiles");
    }
    Value clusters = atOnce(total);
    if (rank) {
      setValueName(total, "clusters");
      total = to_.mul(total, to_.constant(size()));
      clusters = to_.mul(clusters, to_.constant(size()));
    }
    auto byCta = GridOp::create(to_.b, to_.loc, mlir::TypeRange{to_.b.getIndexType()},
                                mlir::ValueRange{clusters}, false, nullptr, nullptr);
    if (auto ahead = op_->getAttr("sluice.load_ahead"))
      byCta->setAttr("sluice.load_ahead", ahead);
    Value first = byCta.getCoordinates()[0];
    setValueName(first, "cta");
    setValueName(total, "tiles");
    setValueName(clusters, "ctas");
    if (rank)
      first = named(to_.sub(first, rank), "firstTile");
    auto loop = loopOverTiles(first, total, clusters);
    if (auto turns = op_->getAttr("sluice.turns"); turns && takesTurns_)
      loop->setAttr("sluice.turns", turns);
    auto *end = loop.getBody()->getTerminator();
    while (op_->getNextNode() && op_->getNextNode() != loop)
      op_->getNextNode()->moveBefore(end);
    to_.b.setInsertionPointToStart(loop.getBody());
    Value number = loop.getInductionVar();
    if (rank)
      number = named(to_.div(number, to_.constant(size())), "number");
    auto at = order(number, extents);
    for (size_t d = 0; d < rank_; ++d) {
      Value coordinate = inCluster(at[d], rank, d);
      if (coordinate != loop.getInductionVar())
        setValueName(coordinate, coordinateName(d));
      op_.getCoordinates()[d].replaceAllUsesWith(coordinate);
    }
    alternateSteps(loop);
  }

  /// Where steps alternate, it carries whether those of the next tile go back.
  mlir::scf::ForOp loopOverTiles(Value first, Value tiles, Value ctas) {
    const bool carries = alternates(*op_->getBlock());
    auto loop =
        mlir::scf::ForOp::create(to_.b, to_.loc, first, tiles, ctas,
                                 carries ? mlir::ValueRange{to_.constant(0)} : mlir::ValueRange{});
    loop->setAttr("sluice.name", to_.b.getStringAttr("tile"));
    if (carries) {
      mlir::OpBuilder::InsertionGuard guard(to_.b);
      to_.b.setInsertionPointToEnd(loop.getBody());
      loop->setAttr("sluice.carries", to_.b.getStrArrayAttr({"back"}));
      Value back = loop.getRegionIterArg(0);
      mlir::scf::YieldOp::create(to_.b, to_.loc, to_.sub(to_.constant(1), back));
    }
    return loop;
  }

  /// Clusters that are launched for so many tiles. NVIDIA: no more than take as many waves as all
  /// SMs would, so that the tiles of a wave stay together and no SM draws power for a shorter one.
  Value atOnce(Value total) {
    Value most = to_.constant(cores_ / size());
    if (!takesTurns_)
      return to_.min(total, most);
    Value waves = to_.add(to_.div(to_.sub(total, to_.constant(1)), most), to_.constant(1));
    return to_.ceilDiv(total, named(waves, "waves")); // without tiles: one wave of none
  }

  /// Tile number -> coordinates: the last runs fastest; or groups of rows, down before across, so
  /// that tiles of one time share rows of A and columns of B in the second-level cache. Every
  /// second group goes back, from the columns where the one before has ended. A third coordinate
  /// then runs slowest: another matrix shares nothing.
  llvm::SmallVector<Value> order(Value number, llvm::ArrayRef<Value> extents) {
    llvm::SmallVector<Value> at(extents.size());
    if (auto rowsOfGroup = op_.getGroup()) {
      if (extents.size() == 3) {
        Value tiles = to_.mul(extents[0], extents[1]);
        at[2] = to_.div(number, tiles);
        number = named(to_.rem(number, tiles), "inMatrix");
      }
      Value rows = to_.constant(*rowsOfGroup);
      Value ofGroup = named(to_.mul(rows, extents[1]), "groupTiles");
      Value group = named(to_.div(number, ofGroup), "group");
      Value first = named(to_.mul(group, rows), "groupRow");
      Value here = named(to_.rem(number, ofGroup), "inGroup");
      Value height = named(to_.min(rows, to_.sub(extents[0], first)), "groupRows");
      Value across = named(to_.div(here, height), "across");
      at[0] = to_.add(first, to_.rem(here, height));
      at[1] = to_.select(to_.isOdd(group), to_.mirrored(across, extents[1]), across);
      return at;
    }
    for (int d = int(extents.size()) - 1; d >= 0; --d) {
      at[d] = d == 0 ? number : to_.rem(number, extents[d]);
      if (d > 0)
        number = to_.div(number, extents[d]);
    }
    return at;
  }

  /// Coordinate of this CTA's tile among those of its cluster.
  Value inCluster(Value at, Value rank, size_t d) {
    if (along(d) == 1)
      return at;
    return to_.add(to_.mul(at, to_.constant(along(d))),
                   alongCluster(to_.b, to_.loc, rank, {cluster_, d + 1}));
  }

  GridOp op_;
  mlir::scf::ForOp splitLoop_;
  int64_t cores_;
  IndexArithmetic to_;
  size_t rank_;                        // coordinates
  llvm::SmallVector<int64_t> cluster_; // CTAs for the steps of a tile, then along each coordinate
  bool takesTurns_;                    // NVIDIA
};

/// With what it is computed from.
void moveBefore(mlir::Operation *op, mlir::Operation *place) {
  for (Value operand : op->getOperands())
    if (auto *from = operand.getDefiningOp(); from && place->isBeforeInBlock(from))
      moveBefore(from, place);
  op->moveBefore(place);
}

/// They are about the launch, not about a tile.
void moveAssumptions(mlir::Block &body, GridOp grid) {
  for (AssumeOp assume : llvm::make_early_inc_range(body.getOps<AssumeOp>()))
    if (grid->isBeforeInBlock(assume))
      moveBefore(assume, grid);
}

class MapGrid : public mlir::PassWrapper<MapGrid, mlir::OperationPass<KernelOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MapGrid)
  explicit MapGrid(const Arch &arch) : arch_(&arch) {}
  llvm::StringRef getArgument() const override { return "sluice-map-grid"; }
  llvm::StringRef getDescription() const override {
    return "a loop over tiles on every CTA or core";
  }

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const Arch &arch = archFor(kernel, *arch_);
    mlir::Block &body = kernel.getBody().front();
    if (!isAscend(arch.target))
      turnInputs(kernel);
    auto splitLoop = isAscend(arch.target) ? mlir::FailureOr<mlir::scf::ForOp>(mlir::scf::ForOp())
                                           : findSplitLoop(kernel);
    auto grids = llvm::to_vector(body.getOps<GridOp>());
    if (mlir::failed(splitLoop))
      return signalPassFailure();
    if (*splitLoop && grids.empty()) {
      splitLoop->emitError("is split over CTAs of a cluster; the kernel needs a sluice.grid");
      return signalPassFailure();
    }
    for (GridOp grid : grids) {
      moveAssumptions(body, grid);
      if (failed(Grid(grid, arch, *splitLoop).map(isAscend(arch.target) || grid.getPersistent())))
        return signalPassFailure();
    }
    kernel.walk([](mlir::scf::ForOp loop) { loop->removeAttr("sluice.alternate"); });
  }

private:
  const Arch *arch_;
};

} // namespace

std::unique_ptr<mlir::Pass> createMapGridPass(const Arch &arch) {
  return std::make_unique<MapGrid>(arch);
}

} // namespace sluice

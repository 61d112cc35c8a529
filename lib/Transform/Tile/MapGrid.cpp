// Tile level: which CTA or core computes which tiles. Persistent grids become a loop over tiles
// (TileLoop). CTAs of a cluster take tiles side by side and share the loads that they have in
// common, or take steps of one tile.
#include "Dialect/OpenLoops.h"
#include "Dialect/ValueNames.h"
#include "Transform/IndexArithmetic.h"
#include "Transform/Passes.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Placed/BlockFactors.h"
#include "Transform/Refusal.h"
#include "Transform/Tile/Across.h"
#include "Transform/Tile/AlternateSteps.h"
#include "Transform/Tile/DealSteps.h"
#include "Transform/Tile/Pairs.h"
#include "Transform/Tile/Share.h"
#include "Transform/Tile/SplitSteps.h"
#include "Transform/Tile/StreamSteps.h"
#include "Transform/Tile/TileLoop.h"
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
    if (marks::open.on(loop)) // whatever comes up on its way
      return all;
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

class MappedGrid {
public:
  /// `splitLoop`: whose steps CTAs of a cluster take together; or null.
  MappedGrid(GridOp op, const Arch &arch, mlir::scf::ForOp splitLoop)
      : op_(op), splitLoop_(splitLoop), arch_(arch), to_{mlir::OpBuilder(op), op.getLoc()},
        rank_(op.getExtents().size()), cluster_(4, 1) {
    cluster_[0] = ctasOf(splitLoop);
    if (auto cluster = op.getCluster(); cluster && !isAscend(arch.target))
      std::copy(cluster->begin(), cluster->end(), cluster_.begin() + 1);
  }

  mlir::LogicalResult map(bool persistent) {
    if (splitLoop_ && persistent)
      return unsupported(splitLoop_,
                         "sluice.split in a persistent grid; where CTAs shall share the steps of "
                         "all tiles (stream-K), mark the grid sluice.stream");
    if (size() > 16)
      return unsupported(op_, "needs clusters of ")
             << size() << " CTAs, " << cluster_[0] << " for the steps of each tile; at most 16";
    if (marks::pair.on(op_) && splitLoop_)
      return unsupported(splitLoop_, "sluice.split beside sluice.pair: a pair is the two CTAs of a "
                                     "cluster, and each CTA has steps of its own; leave one out");
    markShared();
    if (marks::pair.on(op_) && failed(pairProducts(op_)))
      return mlir::failure();
    Value rank = size() > 1
                     ? named(ClusterRankOp::create(to_.b, to_.loc, to_.b.getIndexType()), "rank")
                     : Value();
    if (persistent && failed(deal(rank)))
      return mlir::failure();
    if (!persistent && size() > 1)
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

  Share shareAlong(size_t d) const { return {{cluster_.begin(), cluster_.end()}, d}; }

  /// Whole tiles, or the steps of all.
  mlir::LogicalResult deal(Value rank) {
    mlir::scf::ForOp streamed;
    if (mostStreamedTiles(op_)) {
      auto found = findStreamedLoop(op_);
      if (failed(found))
        return mlir::failure();
      streamed = *found;
    }
    loopOverTiles(op_, arch_, cluster_, rank, streamed);
    return mlir::success();
  }

  /// A load to which a coordinate does not matter is the same for the CTAs along it, but where the
  /// leader alone loads. Factors of blocks are too few to come in parts; of pairs it is noted all
  /// the same, since both CTAs of one have those of all columns.
  void markShared() {
    const Dependence dependence(op_);
    op_->getParentOfType<KernelOp>().walk([&](LoadOp load) {
      if (areFactors(rootOf(load.getDestination())) && !marks::pair.on(op_))
        return;
      const unsigned matters = dependence.of(load);
      for (size_t d = 0; d < rank_; ++d)
        if (along(d) > 1 && !(matters >> d & 1) && !isOfLeader(load))
          setShare(load, shareAlong(d + 1));
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
    Value place = size() == cluster_[0] ? rank : alongCluster(to_.b, to_.loc, rank, shareAlong(0));
    setValueName(place, "place");
    Value x = op_.getCoordinates()[0], first = to_.sub(x, place);
    Value tile = named(to_.div(first, to_.constant(cluster_[0])), "tile");
    x.replaceAllUsesExcept(tile, first.getDefiningOp());
    return dealSteps(splitLoop_, place);
  }

  GridOp op_;
  mlir::scf::ForOp splitLoop_;
  const Arch &arch_;
  IndexArithmetic to_;
  size_t rank_;                        // coordinates
  llvm::SmallVector<int64_t> cluster_; // CTAs for the steps of a tile, then along each coordinate
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

} // namespace

/// Cores share the steps of each tile.
static mlir::LogicalResult splitOverCores(GridOp grid, mlir::scf::ForOp splitLoop,
                                          const Arch &arch) {
  if (marks::alternate.on(splitLoop))
    return splitLoop.emitError("sluice.split beside sluice.alternate: a core has a part of the "
                               "steps of a tile, and nothing of it is there twice; leave one out");
  const TileParts parts =
      loopOverParts(grid, arch, ctasOf(splitLoop), mostPartsOfCore * arch.cores);
  grid.erase();
  return splitSteps(parts, splitLoop, arch);
}

mlir::LogicalResult mapGrid(KernelOp kernel, const Arch &arch) {
  mlir::Block &body = kernel.getBody().front();
  const bool ascend = isAscend(arch.target);
  auto splitLoop = findSplitLoop(kernel, ascend ? 1 : 0);
  auto grids = llvm::to_vector(body.getOps<GridOp>());
  if (failed(splitLoop) || failed(verifyAcross(kernel)) || failed(verifyUnpaired(kernel)))
    return mlir::failure();
  if (*splitLoop && grids.empty())
    return splitLoop->emitError(ascend ? "is split over cores; the kernel needs a sluice.grid"
                                       : "is split over CTAs of a cluster; the kernel needs a "
                                         "sluice.grid");
  for (GridOp grid : grids) {
    if (marks::pair.on(grid) && arch.target != Target::sm_100a)
      return unsupported(grid, "sluice.pair: pairs of CTAs that multiply together are of sm_100a; "
                               "leave it out");
    moveAssumptions(body, grid);
    if (failed(ascend && *splitLoop
                   ? splitOverCores(grid, *splitLoop, arch)
                   : MappedGrid(grid, arch, *splitLoop).map(ascend || grid.getPersistent())))
      return mlir::failure();
  }
  return verifyAlternated(kernel);
}

} // namespace sluice

#include "Transform/Tile/TileLoop.h"

#include "Dialect/Marks.h"
#include "Dialect/ValueNames.h"
#include "Transform/IndexArithmetic.h"
#include "Transform/Tile/AlternateSteps.h"
#include "Transform/Tile/Share.h"
#include "Transform/Tile/StreamSteps.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::Value;

class TileLoop {
public:
  TileLoop(GridOp grid, const Arch &arch, llvm::ArrayRef<int64_t> cluster, Value rank,
           mlir::scf::ForOp streamed)
      : grid_(grid), arch_(arch), cluster_(cluster),
        rank_(rank), to_{mlir::OpBuilder(grid), grid.getLoc()} {
    for (const int64_t ctas : cluster)
      size_ *= ctas;
    if (streamed)
      streamed_.emplace(grid, streamed, size_, rank_);
  }

  /// Each tile in so many parts.
  void inParts(int64_t parts, int64_t most) { parts_ = parts, mostParts_ = most; }

  TileParts build() {
    llvm::SmallVector<Value> extents; // in clusters
    for (size_t d = 0; d < grid_.getExtents().size(); ++d) {
      extents.push_back(to_.ceilDiv(grid_.getExtents()[d], along(d)));
      if (along(d) > 1)
        setValueName(extents[d], std::string(coordinateName(d)) + "Clusters");
    }
    auto loop = create(extents);
    auto *end = loop.getBody()->getTerminator();
    while (grid_->getNextNode() && grid_->getNextNode() != loop)
      grid_->getNextNode()->moveBefore(end);
    to_.b.setInsertionPointToStart(loop.getBody());
    Value number = streamed_ ? streamed_->tileOf(to_, loop) : loop.getInductionVar();
    if (rank_ && !streamed_)
      number = named(to_.div(number, to_.constant(size_)), "number");
    Value part;
    if (parts_ > 1) {
      Value parts = to_.constant(parts_);
      part = named(to_.rem(number, parts), "part");
      number = named(to_.div(number, parts), "tile");
    }
    auto at = order(number, extents);
    for (size_t d = 0; d < at.size(); ++d) {
      Value coordinate = inCluster(at[d], d);
      if (coordinate != loop.getInductionVar())
        setValueName(coordinate, coordinateName(d));
      grid_.getCoordinates()[d].replaceAllUsesWith(coordinate);
    }
    alternateSteps(loop);
    if (streamed_)
      streamed_->addUp();
    return {loop, part, number, tiles_};
  }

private:
  /// CTAs of a cluster along a coordinate.
  int64_t along(size_t d) const { return cluster_[d + 1]; }

  /// Every cluster starts at its own number and goes on by the number of clusters. The loop counts
  /// CTAs, as coordinates of the grid do.
  mlir::scf::ForOp create(llvm::ArrayRef<Value> extents) {
    Value total = to_.constant(1);
    for (size_t d = 0; d < extents.size(); ++d) {
      total = to_.mul(total, extents[d]);
      if (d == 1 && extents.size() == 3)
        setValueName(total, "matrixTiles");
    }
    if (streamed_)
      return overStreamed(total);
    tiles_ = total;
    if (parts_ > 1) {
      setValueName(total, "tiles");
      total = to_.mul(total, to_.constant(parts_));
      assumeMost(to_, total, mostParts_, mostParts_, "parts of tiles, as sluice.split says");
    }
    Value clusters = atOnce(total);
    if (rank_) {
      setValueName(total, "clusters");
      const bool all = clusters == total;
      total = to_.mul(total, to_.constant(size_));
      clusters = all ? total : to_.mul(clusters, to_.constant(size_));
    }
    Value first = firstOf(clusters);
    setValueName(clusters, "ctas");
    setValueName(total, parts_ > 1 ? "parts" : "tiles");
    if (rank_)
      first = named(to_.sub(first, rank_), "firstTile");
    auto loop = alternates(*grid_->getBlock())
                    ? carrying(first, total, clusters)
                    : mlir::scf::ForOp::create(to_.b, to_.loc, first, total, clusters);
    marks::name.set(loop, parts_ > 1 ? "work" : "tile");
    for (const llvm::StringRef mark : {marks::turns.name, marks::dynamic.name})
      if (auto value = grid_->getAttr(mark))
        loop->setAttr(mark, value);
    return loop;
  }

  mlir::scf::ForOp overStreamed(Value tiles) {
    setValueName(tiles, rank_ ? "clusterTiles" : "tiles");
    Value ctas = named(streamed_->ctasFor(to_, tiles, arch_), rank_ ? "clusters" : "ctas");
    if (!rank_)
      return streamed_->overTiles(to_, firstOf(ctas), ctas);
    Value cta = firstOf(named(to_.mul(ctas, to_.constant(size_)), "ctas"));
    Value cluster = named(to_.div(to_.sub(cta, rank_), to_.constant(size_)), "cluster");
    return streamed_->overTiles(to_, cluster, ctas);
  }

  /// The number of this CTA among those that are launched.
  Value firstOf(Value ctas) {
    auto byCta = GridOp::create(to_.b, to_.loc, mlir::TypeRange{to_.b.getIndexType()},
                                mlir::ValueRange{ctas}, false, nullptr, nullptr);
    if (marks::loadAhead.on(grid_))
      marks::loadAhead.set(byCta);
    return named(byCta.getCoordinates()[0], "cta");
  }

  /// Where steps alternate, it carries whether those of the next tile go back.
  mlir::scf::ForOp carrying(Value first, Value tiles, Value ctas) {
    auto loop = mlir::scf::ForOp::create(to_.b, to_.loc, first, tiles, ctas,
                                         mlir::ValueRange{to_.constant(0)});
    marks::carries.set(loop, to_.b.getStrArrayAttr({"back"}));
    mlir::OpBuilder::InsertionGuard guard(to_.b);
    to_.b.setInsertionPointToEnd(loop.getBody());
    Value back = loop.getRegionIterArg(0);
    mlir::scf::YieldOp::create(to_.b, to_.loc, to_.sub(to_.constant(1), back));
    return loop;
  }

  /// Clusters that are launched for so many tiles. NVIDIA: no more than take as many waves as all
  /// SMs would, so that the tiles of a wave stay together and no SM draws power for a shorter one.
  /// Tiles that are drawn come in no waves. On Blackwell each has a CTA, or cluster, of which those
  /// that have not been launched give theirs to others (DrawTiles).
  Value atOnce(Value total) {
    if (marks::dynamic.on(grid_) && arch_.target == Target::sm_100a)
      return total;
    Value most = to_.constant(arch_.cores / size_);
    if (isAscend(arch_.target) || marks::dynamic.on(grid_))
      return to_.min(total, most);
    Value waves = to_.add(to_.div(to_.sub(total, to_.constant(1)), most), to_.constant(1));
    return to_.ceilDiv(total, named(waves, "waves")); // without tiles: one wave of none
  }

  /// Tile number -> coordinates: the last runs fastest, unless the grid is taken in groups of rows.
  /// A third coordinate then runs slowest: another matrix shares nothing.
  llvm::SmallVector<Value> order(Value number, llvm::ArrayRef<Value> extents) {
    llvm::SmallVector<Value> at(extents.size());
    if (auto rows = grid_.getGroup()) {
      if (extents.size() == 3) {
        Value tiles = to_.mul(extents[0], extents[1]);
        at[2] = to_.div(number, tiles);
        number = named(to_.rem(number, tiles), "inMatrix");
      }
      std::tie(at[0], at[1]) = inGroups(number, to_.constant(*rows), extents[0], extents[1]);
      return at;
    }
    for (int d = int(extents.size()) - 1; d >= 0; --d) {
      at[d] = d == 0 ? number : to_.rem(number, extents[d]);
      if (d > 0)
        number = to_.div(number, extents[d]);
    }
    return at;
  }

  /// Down before across, so that tiles of one time share rows of A and columns of B in the
  /// second-level cache. Every second group goes back, from the columns where the one before has
  /// ended.
  std::pair<Value, Value> inGroups(Value number, Value rowsOfGroup, Value rows, Value columns) {
    Value ofGroup = named(to_.mul(rowsOfGroup, columns), "groupTiles");
    Value group = named(to_.div(number, ofGroup), "group");
    Value first = named(to_.mul(group, rowsOfGroup), "groupRow");
    Value here = named(to_.rem(number, ofGroup), "inGroup");
    Value height = named(to_.min(rowsOfGroup, to_.sub(rows, first)), "groupRows");
    Value across = named(to_.div(here, height), "across");
    Value down = to_.add(first, to_.rem(here, height));
    return {down, to_.select(to_.isOdd(group), to_.mirrored(across, columns), across)};
  }

  /// Coordinate of this CTA's tile among those of its cluster.
  Value inCluster(Value at, size_t d) {
    if (along(d) == 1)
      return at;
    return to_.add(
        to_.mul(at, to_.constant(along(d))),
        alongCluster(to_.b, to_.loc, rank_, Share{{cluster_.begin(), cluster_.end()}, d + 1}));
  }

  GridOp grid_;
  const Arch &arch_;
  llvm::SmallVector<int64_t> cluster_; // CTAs for the steps of a tile, then along each coordinate
  Value rank_;
  std::optional<StreamedSteps> streamed_;
  int64_t size_ = 1; // CTAs of a cluster
  int64_t parts_ = 1, mostParts_ = 0;
  Value tiles_;
  IndexArithmetic to_;
};

} // namespace

void loopOverTiles(GridOp grid, const Arch &arch, llvm::ArrayRef<int64_t> cluster, Value rank,
                   mlir::scf::ForOp streamed) {
  TileLoop(grid, arch, cluster, rank, streamed).build();
}

TileParts loopOverParts(GridOp grid, const Arch &arch, int64_t parts, int64_t most) {
  const llvm::SmallVector<int64_t> alone(grid.getExtents().size() + 1, 1);
  TileLoop loop(grid, arch, alone, Value(), nullptr);
  loop.inParts(parts, most);
  return loop.build();
}

} // namespace sluice

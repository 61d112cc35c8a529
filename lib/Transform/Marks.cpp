#include "Transform/Marks.h"
#include "Dialect/OpenLoops.h"
#include "Transform/LoadedBy.h"
#include "Transform/Tile/Share.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/TypeSwitch.h"

namespace sluice {

using namespace ir;

namespace {

constexpr llvm::StringRef phases[] = {"tile", "placed", "pipeline", "barrier", "allocated"};

struct Reach {
  llvm::StringRef mark, first, last; // phases that read it
};

constexpr Reach reaches[] = {{marks::stages.name, "tile", "placed"},
                             {marks::slots.name, "tile", "placed"},
                             {marks::prefetch.name, "tile", "placed"},
                             {marks::loadedBy.name, "tile", "pipeline"},
                             {marks::split.name, "tile", "tile"},
                             {marks::alternate.name, "tile", "tile"},
                             {marks::stream.name, "tile", "tile"},
                             {marks::turns.name, "tile", "pipeline"},
                             {marks::inTurn.name, "tile", "barrier"},
                             {marks::loadAhead.name, "tile", "pipeline"},
                             {marks::paced.name, "tile", "pipeline"},
                             {marks::byUnits.name, "tile", "pipeline"},
                             {marks::staging.name, "tile", "tile"},
                             {marks::across.name, "tile", "tile"},
                             {marks::shared.name, "tile", "pipeline"},
                             {marks::cluster.name, "tile", "pipeline"},
                             {marks::resident.name, "placed", "pipeline"},
                             {marks::agent.name, "pipeline", "pipeline"},
                             {marks::pipelined.name, "pipeline", "allocated"},
                             {marks::dynamic.name, "tile", "pipeline"},
                             {marks::unused.name, "pipeline", "pipeline"},
                             {marks::inRole.name, "tile", "placed"},
                             {marks::roles.name, "tile", "pipeline"},
                             {marks::mutexes.name, "tile", "pipeline"},
                             {marks::open.name, "tile", "pipeline"},
                             {marks::byThreads.name, "placed", "pipeline"},
                             {marks::ctasPerSm.name, "tile", "allocated"},
                             {marks::pair.name, "tile", "placed"},
                             {marks::fullNames.name, "pipeline", "pipeline"},
                             {marks::emptyNames.name, "pipeline", "pipeline"}};

int64_t depth(llvm::StringRef phase) {
  return llvm::find(phases, phase) - std::begin(phases);
}

bool isRead(const Reach &reach, llvm::StringRef phase) {
  return depth(reach.first) <= depth(phase) && depth(phase) <= depth(reach.last);
}

/// Below the phases that read it, a wish for slots is a remark, true where something has them.
bool isTrueRemark(mlir::Operation *loop, llvm::StringRef mark) {
  if (mark != marks::stages.name)
    return false;
  const int64_t stages = loop->getAttrOfType<mlir::IntegerAttr>(mark).getInt();
  const auto has = [&](mlir::Value value) {
    return llvm::TypeSwitch<mlir::Type, bool>(value.getType())
        .Case<BufferType, PipelineType, CursorType, MbarrierType>(
            [&](auto type) { return type.getSlots() == stages; })
        .Default(false);
  };
  return loop
      ->walk([&](mlir::Operation *op) {
        return llvm::any_of(op->getOperands(), has) ? mlir::WalkResult::interrupt()
                                                    : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// How the tiles of a grid are dealt is decided in the tile phase.
llvm::StringRef dealing(GridOp grid) {
  return grid.getPersistent() ? "persistent"
         : grid.getGroup()    ? "group"
         : grid.getCluster()  ? "cluster"
                              : "";
}

/// A loop over tiles, as a persistent grid becomes one, has all that computes and stores a tile in
/// it.
mlir::LogicalResult verifyTurns(mlir::scf::ForOp loop, KernelOp kernel) {
  const auto outside = kernel.walk([](StoreOp store) {
    for (auto *op = store->getParentOp(); op; op = op->getParentOp())
      if (marks::turns.on(op))
        return mlir::WalkResult::advance();
    return mlir::WalkResult::interrupt();
  });
  if (outside.wasInterrupted() || loop->getParentOfType<mlir::scf::ForOp>())
    return loop.emitError("sluice.turns stands on a persistent grid, or on a loop over tiles with "
                          "all in it that computes and stores one; leave it out here");
  return mlir::success();
}

/// Who draws is a role of its own, which lowering adds.
mlir::LogicalResult verifyDynamic(mlir::scf::ForOp loop) {
  if (!loop->getParentOfType<RoleOp>() && !loop->getParentOfType<mlir::scf::ForOp>())
    return mlir::success();
  return loop.emitError(
      "sluice.dynamic stands on a persistent grid, or on the loop over tiles that "
      "it becomes; between roles written by hand, draw with sluice.counter.add");
}

/// Below the tile phase passes have left out some of what loops carried.
mlir::LogicalResult verifyCarries(mlir::scf::ForOp loop, llvm::StringRef phase) {
  auto names = marks::carries.of(loop);
  if (!names || phase != "tile" || names.size() == loop.getNumRegionIterArgs())
    return mlir::success();
  return loop.emitError("sluice.carries names ")
         << names.size() << (names.size() == 1 ? " value" : " values") << ", and the loop carries "
         << loop.getNumRegionIterArgs();
}

mlir::LogicalResult verifyMarks(mlir::Operation *op, llvm::StringRef phase) {
  for (const Reach &reach : reaches)
    if (op->hasAttr(reach.mark) && !isRead(reach, phase) && !isTrueRemark(op, reach.mark))
      return op->emitError() << reach.mark << " is of the " << reach.first
                             << (reach.first == reach.last ? "" : " to " + reach.last.str())
                             << " phase; nothing reads it in phase " << phase << ", leave it out";
  if (auto grid = mlir::dyn_cast<GridOp>(op); grid && phase != "tile" && !dealing(grid).empty())
    return grid.emitError() << dealing(grid) << " is of the tile phase; nothing reads it in phase "
                            << phase << ", leave it out";
  return mlir::success();
}

} // namespace

mlir::LogicalResult verifyMarksAreRead(KernelOp kernel) {
  const auto wrong = kernel.walk([&](mlir::Operation *op) {
    auto loop = mlir::dyn_cast<mlir::scf::ForOp>(op);
    auto load = mlir::dyn_cast<LoadOp>(op);
    return mlir::failed(verifyMarks(op, kernel.getPhase())) ||
                   (loop && mlir::failed(verifyCarries(loop, kernel.getPhase()))) ||
                   (loop && marks::turns.on(op) && mlir::failed(verifyTurns(loop, kernel))) ||
                   (loop && marks::dynamic.on(op) && mlir::failed(verifyDynamic(loop))) ||
                   (load && mlir::failed(verifyShare(load, kernel))) ||
                   (load && kernel.getPhase() != "tile" && mlir::failed(verifyLoadedBy(load)))
               ? mlir::WalkResult::interrupt()
               : mlir::WalkResult::advance();
  });
  return mlir::failure(wrong.wasInterrupted());
}

void enterPhase(KernelOp kernel, llvm::StringRef phase) {
  kernel.setPhase(phase);
  kernel.walk([&](mlir::Operation *op) {
    for (const Reach &reach : reaches)
      if (depth(reach.last) < depth(phase))
        op->removeAttr(reach.mark);
    if (auto grid = mlir::dyn_cast<GridOp>(op))
      grid.removeClusterAttr();
  });
}

} // namespace sluice

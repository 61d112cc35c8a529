// Slots that an author asks for on a loop: some ring has them, or the loop is refused.
#include "Dialect/Marks.h"
#include "Transform/Pipeline/Rings.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Placed/ReplacedTiles.h"

namespace sluice {

using namespace ir;
namespace scf = mlir::scf;

/// Tiles of a buffer that are at hand beside those on their way: that of the step; the one before,
/// which products may still read; and where results take their place, one that is being stored.
static int64_t atHand(AllocOp buffer) {
  const bool multiplied = llvm::any_of(
      accessesOf(buffer), [](const TileAccess &access) { return mlir::isa<MmaOp>(access.op); });
  return 1 + (multiplied ? 1 : 0) + (isReplaced(buffer) ? 1 : 0);
}

int64_t stagesOf(AllocOp buffer, scf::ForOp loop) {
  const int64_t stages = marks::stages.of(loop).getInt();
  auto ahead = marks::prefetch.of(loop);
  return !ahead || loadsAhead(loop->getParentOfType<KernelOp>())
             ? stages
             : std::min(stages, ahead.getInt() + atHand(buffer));
}

/// A loop's own rings. Of on-chip memory that rings of several loops share on Ascend, any ring's.
static bool hasRing(const std::vector<Ring> &rings, scf::ForOp loop,
                    llvm::function_ref<int64_t(AllocOp)> slotsOf, llvm::ArrayRef<Space> spaces) {
  return llvm::any_of(rings, [&](const Ring &ring) {
    return llvm::any_of(ring.buffers, [&](AllocOp buffer) {
      const Space space = buffer.getBuffer().getType().getSpace();
      const bool own = iteratedBy(buffer) == loop && ring.slots == slotsOf(buffer);
      return (own || space != Space::smem) && llvm::is_contained(spaces, space);
    });
  });
}

static mlir::LogicalResult verifyLoop(scf::ForOp loop, const std::vector<Ring> &rings) {
  if (auto stages = marks::stages.of(loop);
      stages && !hasRing(rings, loop, [&](AllocOp buffer) { return stagesOf(buffer, loop); },
                         {Space::smem, Space::l1, Space::ub}))
    return loop.emitError("asks for ")
           << stages.getInt() << (stages.getInt() == 1 ? " stage" : " stages")
           << ", but hands on no tile that would have them: stages are "
           << "of tiles that a loop itself loads; leave them out";
  auto slots = marks::slots.of(loop);
  for (mlir::NamedAttribute entry :
       slots ? slots.getValue() : llvm::ArrayRef<mlir::NamedAttribute>())
    if (const auto n = llvm::cast<mlir::IntegerAttr>(entry.getValue()).getInt();
        !hasRing(rings, loop, [n](AllocOp) { return n; }, {*parseSpace(entry.getName().str())}))
      return loop.emitError("asks for ")
             << n << (n == 1 ? " slot in " : " slots in ") << entry.getName().strref()
             << ", but hands on no tile there; leave them out";
  return mlir::success();
}

mlir::LogicalResult verifyAskedSlots(KernelOp kernel, const std::vector<Ring> &rings) {
  const auto wrong = kernel.walk([&](scf::ForOp loop) {
    return mlir::failed(verifyLoop(loop, rings)) ? mlir::WalkResult::interrupt()
                                                 : mlir::WalkResult::advance();
  });
  return mlir::failure(wrong.wasInterrupted());
}

} // namespace sluice

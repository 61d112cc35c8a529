// Slots that an author asks for on a loop: some ring has them, or the loop is refused.
#include "Dialect/Marks.h"
#include "Transform/Pipeline/Rings.h"

namespace sluice {

using namespace ir;
namespace scf = mlir::scf;

/// A loop's own rings. Of on-chip memory that rings of several loops share on Ascend, any ring's.
static bool hasRing(const std::vector<Ring> &rings, scf::ForOp loop, int64_t slots,
                    llvm::ArrayRef<Space> spaces) {
  return llvm::any_of(rings, [&](const Ring &ring) {
    return llvm::any_of(ring.buffers, [&](AllocOp buffer) {
      const Space space = buffer.getBuffer().getType().getSpace();
      const bool own = ring.slots == slots && iteratedBy(buffer) == loop;
      return (own || space != Space::smem) && llvm::is_contained(spaces, space);
    });
  });
}

static mlir::LogicalResult verifyLoop(scf::ForOp loop, const std::vector<Ring> &rings) {
  if (auto stages = marks::stages.of(loop);
      stages && !hasRing(rings, loop, stages.getInt(), {Space::smem, Space::l1}))
    return loop.emitError("asks for ")
           << stages.getInt() << (stages.getInt() == 1 ? " stage" : " stages")
           << ", but hands on no tile that would have them: stages are "
           << "of tiles that a loop itself loads; leave them out";
  auto slots = marks::slots.of(loop);
  for (mlir::NamedAttribute entry :
       slots ? slots.getValue() : llvm::ArrayRef<mlir::NamedAttribute>())
    if (const auto n = llvm::cast<mlir::IntegerAttr>(entry.getValue()).getInt();
        !hasRing(rings, loop, n, {*parseSpace(entry.getName().str())}))
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

// What all roles share stands in front, and the loop that pictures count is marked.
#include "Dialect/Marks.h"
#include "Transform/Barrier/RingEnds.h"
#include "Transform/Passes.h"
#include "Transform/Pipeline/Rings.h"
#include "Transform/Pipeline/RolePlan.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;
namespace scf = mlir::scf;

void hoistDeclarations(KernelOp kernel) {
  std::vector<mlir::Operation *> declarations;
  kernel.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (isa<AllocOp>(op))
      declarations.push_back(op);
  });
  kernel.walk<mlir::WalkOrder::PreOrder>([&](PipelineOp op) { declarations.push_back(op); });
  mlir::Block &body = kernel.getBody().front();
  mlir::Operation *after = nullptr;
  for (auto *op : declarations) {
    if (after)
      op->moveAfter(after);
    else
      op->moveBefore(&body, body.begin());
    after = op;
  }
}

/// Marks the loop that `trace` counts: the innermost one that a load ring follows.
mlir::LogicalResult markPipelinedLoop(KernelOp kernel, const Arch & /*arch*/) {
  scf::ForOp found;
  int depth = -1;
  kernel.walk([&](AcquireOp acquire) {
    llvm::StringRef agent = agentOf(acquire);
    auto loop = dyn_cast<scf::ForOp>(acquire->getParentOp());
    const bool loads = agent == nameOf(Duty::load) || agent == stringifyPipe(ir::Pipe::MTE2);
    const auto ring = acquire.getPipeline().getDefiningOp<PipelineOp>();
    if (!loop || (!loads && !(hasNamedRoles(kernel) && isFilledByLoads(ring))))
      return;
    int here = int(loopsAround(acquire, kernel).size());
    if (here > depth)
      found = loop, depth = here;
  });
  if (found)
    marks::pipelined.set(found);
  return mlir::success();
}

} // namespace sluice

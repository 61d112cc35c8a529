#include "Transform/Barrier/Mutexes.h"

#include "Dialect/Marks.h"
#include "Program/Operations.h"
#include "Transform/Barrier/HandOver.h"
#include "Transform/Cores.h"
#include "Transform/Refusal.h"

#include <map>
#include <string>
#include <vector>

namespace sluice {
namespace {

using namespace ir;
using mlir::isa;
using mlir::isa_and_nonnull;

std::string agentIn(mlir::ArrayAttr agents) {
  return mlir::cast<mlir::StringAttr>(agents[0]).getValue().str();
}

/// In the stream each fill ends before anything else is said of the ring, and each use. (A consumer
/// may also be put in front of what it waits for, which flags allow and turns do not.)
bool takesTurns(PipelineOp pipeline) {
  std::vector<mlir::Operation *> verbs;
  pipeline->getParentOp()->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (llvm::is_contained(pipeline->getUsers(), op) && !isa<TailOp>(op))
      verbs.push_back(op);
  });
  bool fills = false, uses = false;
  for (size_t i = 0; i < verbs.size(); i += 2) {
    mlir::Operation *first = verbs[i], *second = i + 1 < verbs.size() ? verbs[i + 1] : nullptr;
    const bool fill = isa<AcquireOp>(first) && isa_and_nonnull<CommitOp>(second);
    const bool use = isa<WaitOp>(first) && isa_and_nonnull<ReleaseOp>(second);
    if ((!fill && !use) || first->getBlock() != second->getBlock() ||
        first->getOperand(1) != second->getOperand(1))
      return false;
    fills |= fill, uses |= use;
  }
  return fills && uses;
}

bool isOfMutexes(PipelineOp pipeline) {
  if (pipeline.getProducers().size() != 1 || pipeline.getConsumers().size() != 1 ||
      pipeline.getFull() || pipeline.getEmpty() || storeByUnits(pipeline))
    return false;
  const std::string producer = agentIn(pipeline.getProducers());
  const std::string consumer = agentIn(pipeline.getConsumers());
  return coreOf(producer) == coreOf(consumer) && producer != consumer && takesTurns(pipeline);
}

void lowerVerb(mlir::Operation *verb, int64_t first) {
  mlir::OpBuilder b(verb);
  auto loc = verb->getLoc();
  const std::string agent = pipeOfVerb(verb);
  if (!isa<TailOp>(verb)) {
    const ir::Pipe pipe = *symbolizePipe(pipeNameOf(agent));
    mlir::Value id = idOfSlot(b, loc, verb->getOperand(1), first);
    mlir::Operation *made = isa<AcquireOp, WaitOp>(verb)
                                ? MutexLockOp::create(b, loc, pipe, id).getOperation()
                                : MutexUnlockOp::create(b, loc, pipe, id);
    setAgent(made, agent);
  }
  verb->erase();
}

} // namespace

mlir::LogicalResult lowerToMutexes(KernelOp kernel) {
  if (!marks::mutexes.on(kernel))
    return mlir::success();
  std::map<std::string, int64_t> next; // id, by core
  for (PipelineOp pipeline : llvm::make_early_inc_range(kernel.getBody().getOps<PipelineOp>())) {
    if (!isOfMutexes(pipeline))
      continue;
    int64_t &ids = next[coreOf(agentIn(pipeline.getProducers())).str()];
    const int64_t first = ids;
    ids += pipeline.getPipeline().getType().getSlots();
    if (ids > Mutex::ids)
      return breaks("R49", pipeline, "pipeline '")
             << pipeline.getName() << "': a core would need " << ids << " mutexes, there are "
             << Mutex::ids << "; take fewer slots, or leave out sluice.mutexes";
    for (mlir::Operation *verb : llvm::make_early_inc_range(pipeline->getUsers()))
      lowerVerb(verb, first);
    pipeline.erase();
  }
  marks::mutexes.remove(kernel);
  return mlir::success();
}

} // namespace sluice

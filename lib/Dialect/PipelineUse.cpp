// Pipelines against the roles that use them: producers acquire and commit, consumers wait and
// release.
#include "Dialect/Marks.h"
#include "Dialect/Phases.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace sluice::ir {

/// Who executes a verb: its pipe, of the core whose role it stands in, the agent that a pass noted,
/// or the role around it.
static std::string agentOf(Operation *verb, Pipe pipe) {
  auto role = verb->getParentOfType<RoleOp>();
  if (pipe != Pipe::none)
    return (role && role.getCore() == "aiv" ? "aiv." : "") + stringifyPipe(pipe).str();
  if (auto agent = marks::agent.of(verb))
    return agent.getValue().str();
  return role ? role.getName().str() : "";
}

/// A pipe of the cube core, or, behind `aiv.`, of the vector cores.
static bool isPipe(StringRef agent) {
  agent.consume_front("aiv.");
  return symbolizePipe(agent).has_value();
}

static bool names(ArrayAttr agents, StringRef agent) {
  return llvm::any_of(agents.getAsValueRange<StringAttr>(),
                      [&](StringRef name) { return name == agent; });
}

template <typename Verb> static LogicalResult verifyVerb(Verb verb, bool produces) {
  auto pipeline = verb.getPipeline().template getDefiningOp<PipelineOp>();
  const std::string agent = agentOf(verb, verb.getPipe());
  if (!pipeline || agent.empty())
    return success();
  ArrayAttr side = produces ? pipeline.getProducers() : pipeline.getConsumers();
  if (names(side, agent))
    return success();
  auto error = verb.emitOpError("is executed by '")
               << agent << "', but '" << pipeline.getName() << "' has the "
               << (produces ? "producers " : "consumers ");
  llvm::interleaveComma(side.getAsValueRange<StringAttr>(), error);
  return error;
}

/// The agents of a pipeline exist; only once the stream has been divided into roles.
static LogicalResult verifyAgents(KernelOp kernel, PipelineOp pipeline) {
  llvm::StringSet<> roles;
  kernel.walk([&](RoleOp role) { roles.insert(role.getName()); });
  for (ArrayAttr side : {pipeline.getProducers(), pipeline.getConsumers()})
    for (StringRef agent : side.getAsValueRange<StringAttr>())
      if (!roles.empty() && !roles.contains(agent) && !isPipe(agent))
        return pipeline.emitOpError("names '") << agent << "'; the kernel has no such role";
  return success();
}

LogicalResult verifyPipelineUse(KernelOp kernel) {
  auto result = kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    LogicalResult ok = success();
    if (auto pipeline = dyn_cast<PipelineOp>(op))
      ok = verifyAgents(kernel, pipeline);
    else if (auto acquire = dyn_cast<AcquireOp>(op))
      ok = verifyVerb(acquire, true);
    else if (auto commit = dyn_cast<CommitOp>(op))
      ok = verifyVerb(commit, true);
    else if (auto tail = dyn_cast<TailOp>(op))
      ok = verifyVerb(tail, true);
    else if (auto wait = dyn_cast<WaitOp>(op))
      ok = verifyVerb(wait, false);
    else if (auto ask = dyn_cast<TryAcquireOp>(op))
      ok = verifyVerb(ask, true);
    else if (auto ask = dyn_cast<TryWaitOp>(op))
      ok = verifyVerb(ask, false);
    else if (auto release = dyn_cast<ReleaseOp>(op))
      ok = verifyVerb(release, false);
    return failed(ok) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

} // namespace sluice::ir

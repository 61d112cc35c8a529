// Ascend: which pipe does what follows from the memories between which tiles move.
#include "Transform/Cores.h"
#include "Transform/Passes.h"
#include "Transform/Pipeline/Rings.h"
#include "Transform/Refusal.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;

llvm::StringRef pipeFor(mlir::Operation *op) {
  auto space = [](mlir::Value v) { return mlir::cast<BufferType>(v.getType()).getSpace(); };
  if (auto load = dyn_cast<LoadOp>(op))
    return space(load.getDestination()) == Space::ub ? "aiv.MTE2" : "MTE2";
  if (auto copy = dyn_cast<CopyOp>(op)) {
    if (space(copy.getSource()) == Space::ub)
      return "aiv.MTE3";
    if (space(copy.getSource()) == Space::global)
      return space(copy.getDestination()) == Space::ub ? "aiv.MTE2" : "MTE2";
    return space(copy.getSource()) == Space::l1 ? "MTE1" : "FIX";
  }
  if (isa<MmaOp>(op))
    return "M";
  if (auto store = dyn_cast<StoreOp>(op))
    return space(store.getSource()) == Space::l0c ? "FIX" : "aiv.MTE3";
  return isa<MapOp, ReduceOp, FillOp>(op) ? "aiv.V" : "";
}

/// The pipe of an operation that names none, of the core whose role it stands in.
static mlir::LogicalResult giveItsPipe(mlir::Operation *op, llvm::StringRef core) {
  const auto agent = pipeFor(op);
  auto named = op->getAttrOfType<PipeAttr>("pipe");
  if (agent.empty() || (named && named.getValue() != ir::Pipe::none))
    return mlir::success();
  const auto pipe = pipeNameOf(agent);
  if (coreOf(agent) != core)
    return unsupported(op, "is done by pipe ")
           << pipe << " of core '" << coreOf(agent) << "', and stands in a role of core '" << core
           << "'";
  if (!isa<MmaOp>(op)) // becomes an instruction of pipe M
    op->setAttr("pipe", PipeAttr::get(op->getContext(), *symbolizePipe(pipe)));
  return mlir::success();
}

/// In roles of an author data operations that name no pipe get theirs, products their instruction,
/// and operations of pipe V their order.
mlir::LogicalResult pipesOfRoles(KernelOp kernel, const Arch &arch) {
  if (kernel.getOps<RoleOp>().empty())
    return mlir::success();
  for (auto role : kernel.getOps<RoleOp>()) {
    const llvm::StringRef core = role.getCore().value_or("");
    const auto result = role.walk([&](mlir::Operation *op) {
      return failed(giveItsPipe(op, core)) ? mlir::WalkResult::interrupt()
                                           : mlir::WalkResult::advance();
    });
    if (result.wasInterrupted())
      return mlir::failure();
  }
  lowerProductsToMmad(kernel);
  return orderVectorOperations(kernel, arch);
}

std::string pipeOfVerb(mlir::Operation *verb) {
  auto named = verb->getAttrOfType<PipeAttr>("pipe");
  if (!named || named.getValue() == ir::Pipe::none)
    return agentOf(verb).str();
  auto role = verb->getParentOfType<RoleOp>();
  const bool vector = role && coreOf(vectorPrefix) == role.getCore().value_or("");
  return (vector ? vectorPrefix.str() : "") + stringifyPipe(named.getValue()).str();
}

mlir::Value idOfSlot(mlir::OpBuilder &b, mlir::Location loc, mlir::Value cursor, int64_t first) {
  if (mlir::cast<CursorType>(cursor.getType()).getSlots() == 1)
    return constantIndex(b, loc, first);
  mlir::Value slot = CursorSlotOp::create(b, loc, b.getIndexType(), cursor);
  if (first == 0)
    return slot;
  return mlir::arith::AddIOp::create(b, loc, slot, constantIndex(b, loc, first));
}

} // namespace sluice

// What values are called in printed text: buffers by their name, views after their buffer.
#include "Dialect/Dialect.h"
#include "Dialect/ValueNames.h"

using namespace mlir;

namespace sluice::ir {

void AllocOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getBuffer(), getName());
}
void MbarrierAllocOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getBarriers(), getName());
}
void PipelineOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getPipeline(), getName());
}

/// "q.slot" for a view of the buffer "q"; views of views keep adding.
static std::string nameOf(Value value) {
  if (auto alloc = value.getDefiningOp<AllocOp>())
    return alloc.getName().str();
  if (auto slot = value.getDefiningOp<SlotOp>())
    return nameOf(slot.getBuffer()) + ".slot";
  if (auto view = value.getDefiningOp<SubviewOp>())
    return nameOf(view.getBuffer()) + ".box";
  if (auto view = value.getDefiningOp<TransposeOp>())
    return nameOf(view.getBuffer()) + ".t";
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto kernel = dyn_cast<KernelOp>(argument.getOwner()->getParentOp()))
      return kernel.argumentName(argument.getArgNumber());
  return "tile";
}

void SlotOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getView(), nameOf(getView()));
}
void SubviewOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getView(), nameOf(getView()));
}
void TransposeOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getView(), nameOf(getView()));
}
void ClipOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getView(), nameOf(getTensor()) + ".clip");
}
void DimOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getExtent(), nameOf(getTensor()) + ".dim" + std::to_string(getDimension()));
}

void GridOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  for (auto [d, value] : llvm::enumerate(getCoordinates()))
    set(value, coordinateName(d));
}
void UniformOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getResult(), "uniform");
}
void ScalarLoadOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getValue(), nameOf(getSource()) + ".value");
}
void TryAcquireOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getToken(), "ready");
}
void TryWaitOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getToken(), "ready");
}
void MbarrierTestOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getToken(), "ready");
}
void ScalarReadOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getValue(), nameOf(getSource()) + ".value");
}
void ClcQueryOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getNumber(), nameOf(getResponse()) + ".number");
}
void CounterAddOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getOld(), "old");
}
void CursorOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getCursor(), "cursor");
}
void CursorAdvanceOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getResult(), "next");
}
void CursorAdvanceDynOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getResult(), "next");
}
void CursorSlotOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getSlot(), "slot");
}
void CursorPhaseOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getPhase(), "phase");
}
void ClusterRankOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getRank(), "rank");
}
void WarpOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getNumber(), "warp");
}
void SubblockOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getNumber(), "subblock");
}
void RandomOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getNumber(), "random");
}

// ---- Arguments ----

void KernelOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn set) {
  for (BlockArgument argument : region.getArguments())
    set(argument, argumentName(argument.getArgNumber()));
}

void MapOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn set) {
  size_t inputs = getInputs().size();
  for (auto [n, argument] : llvm::enumerate(region.getArguments()))
    set(argument, n < inputs ? nameOf(getInputs()[n]) : n == inputs ? "row" : "col");
}

void RawOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn set) {
  for (auto [input, argument] : llvm::zip(getInputs(), region.getArguments()))
    set(argument, nameOf(input));
}

void ReduceOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn set) {
  size_t states = getOutputs().size();
  for (auto [n, argument] : llvm::enumerate(region.getArguments()))
    if (n < states)
      set(argument, "state");
    else if (n - states < getInputs().size())
      set(argument, nameOf(getInputs()[n - states]));
}

} // namespace sluice::ir

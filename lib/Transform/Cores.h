// Ascend: which core an agent belongs to. An agent is a pipe, by its name on the cube core (AIC)
// and with a prefix on the two vector cores (AIV), which run the same stream on halves of the rows.
#pragma once

#include "Transform/Tiles.h"

namespace sluice {

constexpr llvm::StringLiteral vectorPrefix = "aiv.";

inline bool onVectorCore(llvm::StringRef agent) {
  return agent.starts_with(vectorPrefix);
}
inline llvm::StringRef coreOf(llvm::StringRef agent) {
  return onVectorCore(agent) ? "aiv" : "aic";
}
inline llvm::StringRef pipeNameOf(llvm::StringRef agent) {
  agent.consume_front(vectorPrefix);
  return agent;
}

/// Of an agent: a pipe, not a role of NVIDIA.
inline bool isPipe(llvm::StringRef agent) {
  return ir::symbolizePipe(pipeNameOf(agent)).has_value();
}

/// The pipe that does a placed operation, with its core; empty for what belongs to nobody.
llvm::StringRef pipeFor(mlir::Operation *op);

/// The pipe that executes a verb, as the author says or as a pass has noted it.
std::string pipeOfVerb(mlir::Operation *verb);
/// `first` and the slot of a cursor behind it: an id of a flag or mutex.
mlir::Value idOfSlot(mlir::OpBuilder &b, mlir::Location loc, mlir::Value cursor, int64_t first);

/// Of the kernel around it: "ascend910b".
inline std::string targetOf(mlir::Operation *op) {
  return op->getParentOfType<ir::KernelOp>().getTarget().value_or("this machine").str();
}

/// Whether a product writes the tile.
bool isAccumulator(ir::AllocOp tile);

/// A map that only changes the element type, as a fixpipe does on the way out.
bool isCast(ir::MapOp map);

/// Tiles that element functions touch go to the unified buffer of the vector cores, half of the
/// rows each. Accumulators get there, and computed operands of products the other way, to L1: on
/// 950 by copies from core to core, on A2/A3 through a workspace in global memory (vendor
/// documentation, data paths: L0C -> global -> UB).
mlir::LogicalResult placeElementFunctions(ir::KernelOp kernel);

/// Declared workspace tiles become a tensor argument with a part for every core, and copies from
/// and to them loads and stores of it.
mlir::LogicalResult lowerWorkspaces(ir::KernelOp kernel, int64_t cores);

/// The statements of the kernel become one role per core that has agents. The operations carry
/// their agents.
llvm::SmallVector<ir::RoleOp> splitCores(ir::KernelOp kernel);

} // namespace sluice

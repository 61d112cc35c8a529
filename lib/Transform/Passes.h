// The compiler: tile -> placed -> pipeline -> barrier -> allocated. Lower.cpp lists its steps in
// their order.
#pragma once

#include "Arch/Arch.h"
#include "Dialect/Dialect.h"

#include <functional>

namespace sluice {

/// A step of the lowering: changes the kernel, or fails with a diagnostic. Where there is nothing
/// to do it does nothing.
using Step = mlir::LogicalResult(ir::KernelOp kernel, const Arch &arch);

// Any level.
Step countLoops;
// Tile level.
Step turnInputs, mapGrid, separateLifetimes;
// Tile -> placed.
Step foldZeroFills, nameTensorMemoryRoles, placeHopper, holdInputs, stageStores;
Step placeAscend, splitElementFunctions;
// Placed -> pipeline: agents, rings, the four verbs; then (NVIDIA) one body per role.
Step assignAgents, insertRings, sinkProductWaits, acquireUnderProducts, orderVectorOperations;
Step markPipelinedLoop, loadAhead, splitRoles;
// Pipeline -> barrier.
Step pipesOfRoles;
Step lowerProductsOfRoles, lowerToMbarriers, lowerToFlags;
// Barrier -> allocated.
Step takeGroupTurns, askForLeaders, allocate;

/// The steps by name for sluice-opt, and those that lead to a level as one, `sluice-to-LEVEL`; they
/// take the default machine of the kernel's target.
void registerPasses();

using DumpFn = std::function<void(const std::string &pass, const std::string &text)>;

/// Runs the steps that `kernel` still needs for the target of `arch`. Diagnostics go to the
/// context's handlers.
mlir::LogicalResult lower(ir::KernelOp kernel, const Arch &arch, const DumpFn &dump);

} // namespace sluice

// The compiler: tile -> placed -> pipeline -> barrier -> allocated. One file per pass.
#pragma once

#include "Arch/Arch.h"
#include "Dialect/Dialect.h"

#include "mlir/Pass/Pass.h"

#include <functional>
#include <memory>

namespace sluice {

// Any level, before all others.
std::unique_ptr<mlir::Pass> createCountingLoopsPass();
bool hasWhile(ir::KernelOp kernel);
// Tile level.
std::unique_ptr<mlir::Pass> createMapGridPass(const Arch &arch);
// Tile -> placed.
std::unique_ptr<mlir::Pass> createPlaceHopperPass(const Arch &arch);
std::unique_ptr<mlir::Pass> createPlaceAscendPass(const Arch &arch);
// Placed -> pipeline: agents, rings, the four verbs; then (NVIDIA) one body per role.
std::unique_ptr<mlir::Pass> createPipelinePass(const Arch &arch);
std::unique_ptr<mlir::Pass> createSplitRolesPass(const Arch &arch);
// Pipeline -> barrier.
std::unique_ptr<mlir::Pass> createLowerToMbarriersPass(const Arch &arch);
std::unique_ptr<mlir::Pass> createLowerToFlagsPass(const Arch &arch);
// Barrier: roles of the leader CTA alone.
std::unique_ptr<mlir::Pass> createLeadersPass();
bool hasLeaders(ir::KernelOp kernel);
// Barrier -> allocated.
std::unique_ptr<mlir::Pass> createAllocatePass(const Arch &arch);

/// Passes by name for sluice-opt; they take the default machine of the kernel's target.
void registerPasses();
/// `arch`, or the default machine of the kernel's target where that is another target.
const Arch &archFor(ir::KernelOp kernel, const Arch &arch);

using DumpFn = std::function<void(const std::string &pass, const std::string &text)>;

/// Runs the passes that `kernel` still needs for the target of `arch`. Diagnostics go to the
/// context's handlers.
mlir::LogicalResult lower(ir::KernelOp kernel, const Arch &arch, const DumpFn &dump);

} // namespace sluice

// Tile level: the steps of a loop of products dealt out over CTAs of a cluster (split-K). Each
// takes a range of the steps; afterwards each gets the sum of a block of columns and finishes that.
#pragma once

#include "Dialect/Dialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace sluice {

/// The loop of a kernel with `sluice.split`, null where there is none. Fails with a diagnostic
/// where its steps cannot be dealt out: what lies beyond the last step must be zero, so that all
/// take equally many. `ctas`: of them each finishes equally many columns; 0: as many as take its
/// steps.
mlir::FailureOr<mlir::scf::ForOp> findSplitLoop(ir::KernelOp kernel, int64_t ctas = 0);
/// CTAs that take its steps; 1: there is no such loop.
int64_t ctasOf(mlir::scf::ForOp splitLoop);
/// For the CTA of that place among them. Fails with a diagnostic where something behind the loop
/// cannot be done column by column.
mlir::LogicalResult dealSteps(mlir::scf::ForOp splitLoop, mlir::Value place);
/// The loop goes through the part `place` of its steps, of so many.
void takePart(mlir::scf::ForOp splitLoop, int64_t parts, mlir::Value place);

} // namespace sluice

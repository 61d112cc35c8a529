// Zeros that the first product of a sum overwrites instead.
#pragma once

#include "Dialect/Dialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace sluice {

/// Makes products overwrite accumulators that were filled with zero right before. Where loops lie
/// between, each has trips in every launch, or without any its first iteration would multiply a
/// tile outside its tensor, which loads as zeros: then the loop runs at least once. Other fills
/// stay; so do, if `mayStay`, those before loops from an unknown. See docs/architecture.md.
mlir::LogicalResult foldZeroFills(ir::KernelOp kernel, bool mayStay);

/// Whether that has made the loop run at least once.
bool runsAtLeastOnce(mlir::scf::ForOp loop);

} // namespace sluice

// Ascend: what loads into the unified buffer leave behind the end of a tensor.
#pragma once

#include "Transform/Tiles.h"

namespace sluice {

/// Loads write what the tensor has, and nothing beside it (DataCopyPad): who reads the tile finds
/// zeros there. Tiles of 16 bits that are only read as f32 are widened on the way.
mlir::LogicalResult zeroWhatLoadsLeave(ir::KernelOp kernel);

} // namespace sluice

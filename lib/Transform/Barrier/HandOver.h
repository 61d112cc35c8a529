// Barrier level, Ascend: sums that go from M to FIX unit by unit, without flags.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// The store, among the consumers of a ring, that asks for units (marks::byUnits); none: null.
ir::StoreOp storeByUnits(ir::PipelineOp ring);

/// Takes the place of the ring's flags: the products of a sum keep the units of the tile, the last
/// one hands them over, the store takes them. That all of a tile is stored has to be so: where its
/// box may end outside of the tensor the tile goes as a whole, between barriers of all pipes. The
/// ring's verbs are gone, the ring is not.
mlir::LogicalResult handOverByUnits(ir::PipelineOp ring, ir::StoreOp store);

} // namespace sluice

// Lanes of a warp that move each other's elements.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// Elements of 16 bits, and those of whole rows, may be handed from lane to lane on their way
/// between registers and a tensor: where a role comes to a tensor again, one time to store, its
/// warps meet in front.
void orderLanes(ir::KernelOp kernel);

} // namespace sluice

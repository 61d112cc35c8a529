// Lanes of a warp that move each other's elements.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// Where not every element is moved by the lane that holds it (movedByHolders), and a role comes to
/// a tensor again, one time to store, its warps meet in front.
void orderLanes(ir::KernelOp kernel);

} // namespace sluice

// Where threads wait for what they have asked of tensor memory (tcgen05.wait).
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// Loads are waited for in front of what touches their registers, or of the next load, for which a
/// wait would be, too; stores in front of what may read them. Both before anything else than
/// element functions and copies, such as a signal: it may tell of them.
void waitForLanes(ir::KernelOp kernel);

} // namespace sluice

// In which order the barriers of a kernel of pairs lie in shared memory.
#pragma once

#include "Dialect/Dialect.h"

#include <vector>

namespace sluice {

/// An array of barriers, and the arrivals of a phase of each.
using CountedBarriers = std::pair<ir::MbarrierAllocOp, int64_t>;

/// Those with the most arrivals first, of equal ones as they are declared; behind them all the full
/// and then the empty sides of rings that loads fill (`loaded`).
void orderByArrivals(std::vector<CountedBarriers> &barriers,
                     llvm::ArrayRef<ir::MbarrierAllocOp> loaded);

} // namespace sluice

// Rows that threads load to registers, with nothing circular: of CTAs that have one block each, some
// wait for memory while others compute.
#pragma once

#include "Plan/RowsPlan.h"

namespace sluice {

/// A candidate for each way to hold a row; nothing where rings are asked for, or where either may be
/// chosen and nobody has measured this on the machine.
Plan planByThreads(RowsProblem problem, const Arch &arch);

} // namespace sluice

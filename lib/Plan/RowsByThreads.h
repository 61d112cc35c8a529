// Rows that threads load to registers, with nothing circular: of CTAs that have one block each,
// some wait for memory while others compute.
#pragma once

#include "Plan/RowsPlan.h"

namespace sluice {

/// Whether that is asked for, or may be chosen and was measured on the machine.
bool mayLoadByThreads(const RowsProblem &p, const Arch &arch);
/// Why threads shall not load rows of which so many warps share each; empty: they may.
std::string noThreads(const RowsProblem &p, int64_t parts);
/// Those that do.
PlanCandidate planByThreads(RowsProblem p, int64_t parts, const Arch &arch);
/// A candidate for each number of warps.
Plan planByThreads(const RowsProblem &p, const Arch &arch);

} // namespace sluice

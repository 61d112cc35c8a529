// All CTAs of one launch, where runs have taken some of them.
#pragma once

#include "Verify/Verify.h"

#include <set>
#include <string>

namespace sluice {

/// What is assumed of all CTAs (cores) of the launch where they are proven without a run of each:
/// by the proof for every launch, or of the program with the launch's extents and arguments for
/// numbers, its coordinates unknown. Nothing: not told.
std::optional<std::set<std::string>>
provenForWholeGrid(const Program &program, const Launch &launch, const CheckOptions &options);

} // namespace sluice

// The checker as tools ask it: the verdict of lib/Verify, with what is wrong told in full and at a
// launch that shows it.
#pragma once

#include "Verify/Verify.h"

namespace sluice {

/// checkLaunch, with the cause of a violation and what to change.
Verdict check(const Program &program, const Arch &arch, const Launch &launch,
              const CheckOptions &options = {});

/// The same for every launch: all trip counts, grids, extents and arguments. What cannot be told
/// for all is told of `launch`.
Verdict prove(const Program &program, const Arch &arch, const Launch &launch,
              const CheckOptions &options = {});

/// The first assumption of the author that no launch keeps, by itself or beside those before it, as
/// far as Guard.h takes them.
std::optional<Error> impossibleAssumption(const Program &program);

} // namespace sluice

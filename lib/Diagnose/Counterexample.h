// From a violation to a schedule that shows it: the operations that the offending one needs, in an
// order in which it goes wrong (docs/proof.md: the first violation met is always a real schedule).
#pragma once

#include "Simulate/Schedule.h"
#include "Support/Result.h"
#include "Verify/Verify.h"

namespace sluice {

/// For a violated verdict of check() or prove(): the schedule at its witness, else at `launch`. An
/// Error where a violation has none: it is refused before any run, or lies between two CTAs.
Result<Schedule> failingSchedule(const Program &program, const Arch &arch, const Launch &launch,
                                 const Verdict &verdict);

/// The schedule as JSON: {kernel, launch, rule, message, steps: [...]}.
std::string scheduleJson(const Schedule &schedule);

} // namespace sluice

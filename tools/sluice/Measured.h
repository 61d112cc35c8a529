// What the warps of one CTA did on the device, from the stamps that they wrote: a timeline with the
// rows and names of the simulated one.
#pragma once

#include "Emit/Stamps.h"
#include "Simulate/Timeline.h"

#include "Support/Result.h"

#include <array>
#include <optional>
#include <span>

namespace sluice::tool {

/// Stamps say when; which operation of which iteration and slot follows from the program, whose
/// warps are walked. `stamps`: as stampsTensor lays them out.
Result<Timeline> measuredTimeline(const Program &program, const Launch &launch,
                                  const std::array<int64_t, 3> &cta, std::span<const Stamp> stamps);

/// Why no stamps of this program can be read.
std::optional<Error> unmeasurable(const Program &program);

/// Coordinates of a CTA from its number, x fastest. An error where the launch has none such.
Result<std::array<int64_t, 3>> ctaAt(const Program &program, const Launch &launch, int64_t number);

} // namespace sluice::tool

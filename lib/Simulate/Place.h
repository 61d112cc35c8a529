// An SM (or the SMs of a cluster), or an Ascend core: engines, and the units that run on them one
// after another, several at a time where they fit.
#pragma once

#include "Simulate/Unit.h"

#include <memory>
#include <optional>
#include <vector>

namespace sluice {

/// What is to be traced: which unit, and which CTA of it.
struct Traced {
  Unit::Coordinates unit;
  int cta;
};

struct PlaceResult {
  double end = 0;
  int64_t events = 0;
  std::vector<double> traffic; // bytes, per tensor
  std::optional<Violation> violation;
  std::optional<Timeline> timeline;
  std::optional<Followed> followed;
  std::optional<Error> error;
};

/// Clusters that an SM can hold at once (CUDA programming guide, compute capability 9.0: 64 warps,
/// 32 CTAs, 228 KiB of shared memory of which every CTA takes 1 KiB more than it asks for, 64 K
/// registers). 1 on Ascend.
int64_t residency(const Program &program, const Arch &arch);

/// Runs the units with these first coordinates, at most `resident` at a time, in order. A unit that
/// follows a schedule has its place for itself.
PlaceResult runPlace(const World &world, const std::vector<Unit::Coordinates> &units,
                     int64_t resident, const std::optional<Traced> &traced,
                     const std::function<void()> &unitDone);

} // namespace sluice

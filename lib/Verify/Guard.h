// What the author assumes of launches, as a proof for all of them takes it: a branch around the
// program, which no other launch enters; one extent for those that are equal, one computation for
// what is; what is a multiple counted in units. The proof needs no rule for it: it follows a
// program like any other.
#pragma once

#include "Program/Assumption.h"
#include "Verify/Equations.h"

#include <optional>
#include <utility>

namespace sluice {

struct Guard {
  Program program;
  /// Extents and arguments, and the one that stands for each in `program`.
  std::vector<std::pair<Scalar, Scalar>> same;
  /// What `program` reads in units, and how large they are.
  std::vector<std::pair<Scalar, int64_t>> units;
  std::vector<Equation> equations; // of which one side is computed as the other in `program`

  /// From a launch of the author's program to one of `program`, and back.
  Launch inUnits(Launch launch) const;
  Launch outOfUnits(Launch launch) const;
};

/// Nothing where no assumption is a bound of one extent or argument, makes it a multiple of a
/// number, or makes two of them, or what the program computes of them, equal.
std::optional<Guard> guarded(const Program &program);

} // namespace sluice

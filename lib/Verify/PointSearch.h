// Whether a launch, and two points in it, exist at which constraints and one of each choice hold.
#pragma once

#include "Verify/AccessForms.h"

#include <optional>
#include <span>
#include <vector>

namespace sluice {

using Constraints = std::vector<LinearConstraint>;

/// The second is further up, in the first place in which they differ.
Choice precedes(std::span<const LinearForm> a, std::span<const LinearForm> b);
/// One precedes the other.
Choice differ(std::span<const LinearForm> a, std::span<const LinearForm> b);

class PointSearch {
public:
  /// Of the columns that the forms have when it is asked.
  explicit PointSearch(const AccessForms &forms) : forms_(forms) {}

  /// False: it is told that they hold at no point.
  bool mayHold(const std::vector<const Constraints *> &constraints,
               std::vector<const Choice *> choices);
  /// Where the last ones hold; nothing where none was found.
  const std::optional<std::vector<int64_t>> &point() const { return point_; }

private:
  std::vector<const Constraints *> possible(Solver &solver, const Choice &choice);
  bool search(Solver &solver, std::vector<const Choice *> choices);
  bool hasPoint(Solver &solver);

  static constexpr int mostSteps = 12000, mostPoints = 20;
  const AccessForms &forms_;
  int left_ = 0, points_ = 0; // that the search may still try
  std::optional<std::vector<int64_t>> point_;
};

} // namespace sluice

// Which of two values of a program is at most the other in every launch, by linear forms and
// ranges.
#pragma once

#include "Program/Ranges.h"
#include "Verify/AccessForms.h"

#include <functional>
#include <map>
#include <set>

namespace sluice {

class LaunchOrder {
public:
  explicit LaunchOrder(const Program &program);

  /// Wherever both are known; false: not told. Values that the program has not are not told.
  bool isAtMost(ValueId x, ValueId y) const;
  bool isAtLeast(ValueId x, int64_t number) const;

private:
  bool never(const std::vector<ValueId> &of,
             const std::function<LinearConstraint(AccessForms &)> &violated) const;
  void addRanges(ValueId v, AccessForms &forms, std::set<ValueId> &seen) const;

  const Program program_;
  const Sources sources_;
  const Ranges ranges_; // what the author assumes tells, too
  std::map<ValueId, const Scalar *> scalars_;
};

} // namespace sluice

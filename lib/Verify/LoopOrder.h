// Which loops of different roles go together: what tells the second loop over an extent from the
// first where a role has but one of them.
#pragma once

#include "Verify/Counted.h"

#include <unordered_map>

namespace sluice {

/// Loops over one unknown, of roles side by side, are lined up in the order of each role so that as
/// many as possible stand beside loops that use the same barriers. Only what is beside one another
/// has one trip count in the runs of the proof; any way to line them up is sound.
class LoopOrder {
public:
  LoopOrder(const Program &program, const CountedValues &values);

  /// How many loops over its unknown come before it that its own role does not have.
  int missingBefore(const For &loop) const;

private:
  std::unordered_map<const For *, int> missing_; // where there are any
};

} // namespace sluice

// Which loops of different roles go together: what tells the second loop over an extent from the
// first where a role has but one of them.
#pragma once

#include "Verify/Counted.h"

#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace sluice {

/// What loops have counted in the runs of a proof: a trip count (0 where they start from a constant
/// in constant steps), and which of the loops over their unknown they were (Instance::ordinal).
using LoopsMet = std::map<const For *, std::set<std::pair<int32_t, int32_t>>>;

/// Loops over one unknown, of roles side by side, are lined up in the order of each role so that as
/// many as possible stand beside loops that use the same barriers. Only what is beside one another
/// has one trip count in the runs of the proof; any way to line them up is sound.
class LoopOrder {
public:
  LoopOrder(const Program &program, const CountedValues &values);

  /// How many loops over its unknown come before it that its own role does not have.
  int missingBefore(const For &loop) const;
  /// The nearest loop around it whose length is unknown; null: none.
  const For *around(const For &loop) const { return around_.at(&loop); }

private:
  void place(const Block &block, const CountedValues &values, const For *around);

  std::unordered_map<const For *, const For *> around_;
  std::unordered_map<const For *, int> missing_; // where there are any
};

} // namespace sluice

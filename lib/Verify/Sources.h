// What scalars are computed from, and whether two are computed alike.
#pragma once

#include "Verify/Counted.h"
#include "Verify/LoopOrder.h"

#include <map>
#include <set>

namespace sluice {

/// By value: what is computed from numbers that have been read from shared memory.
std::vector<bool> ofNumbersRead(const Program &program);

class Sources {
public:
  Sources(const Program &program, const LoopsMet &met);

  /// Adds the loops that move the value without a limit; `limited`: or at all.
  void collect(ValueId v, std::set<const For *> &loops, bool limited = false) const;
  /// Whether two loops go over the same values: their bounds and steps are computed alike.
  bool goAlike(const For &x, const For &y) const;
  /// Whether runs set against each other what two loops do in the same iteration: their iterations
  /// have had the same paths, and nobody comes to those again in another loop.
  bool goInStep(const For &x, const For &y) const {
    return metAlike(x, y) && (&x == &y || (goAlike(x, y) && isOnlyOne(x) && isOnlyOne(y)));
  }
  /// No other loop of an unknown length that the same warps run in the same iteration.
  bool isOnlyOne(const For &loop) const;
  /// Whether the two are as far apart in every iteration of loops that go alike, or normal forms
  /// tell how far: computed alike up to constants and finite values. `inCta`: of one CTA, which has
  /// one number of what each has of its own.
  bool keepDistance(const Index &x, const Index &y, bool inCta) const;
  /// An integer that only the run has: of a tensor, drawn, read from shared memory, or computed
  /// from one.
  bool isOfData(ValueId v) const { return ofData_[v]; }
  /// Computed from what the CTAs of a cluster, or the warps of a CTA, have each of their own.
  bool isOfCta(ValueId v) const { return ofCta_[v]; }
  bool isOfWarp(ValueId v) const { return ofWarp_[v]; }

private:
  struct Place {
    const For *around = nullptr; // the nearest loop of an unknown length
    const Role *role = nullptr;
    bool repeated = false;        // in a loop of a known length, in there
    const For *nearest = nullptr; // of any length
  };
  void place(const Block &block, const Place &at);
  bool hasKnownLength(const For &loop) const;
  bool alike(ValueId v, ValueId w) const;
  bool metAlike(const For &x, const For &y) const;
  void addParts(ValueId v, bool negative, std::vector<std::pair<ValueId, bool>> &parts) const;

  const CountedValues values_;
  const LoopsMet met_;
  const std::vector<bool> ofData_, ofCta_, ofWarp_; // by value
  std::map<const For *, Place> loops_;              // of an unknown length
  std::map<ValueId, const Scalar *> scalars_;
  std::map<ValueId, const For *> nearest_;                      // loop around what gives a value
  std::map<ValueId, std::pair<const For *, size_t>> variables_; // 0: iv; else 1 + number of iterArg
};

} // namespace sluice

// What scalars are computed from, and whether two are computed alike.
#pragma once

#include "Verify/Counted.h"

#include <map>
#include <set>

namespace sluice {

class Sources {
public:
  explicit Sources(const Program &program);

  /// Adds the loops that move the value without a limit.
  void collect(ValueId v, std::set<const For *> &loops) const;
  /// Whether two loops go over the same values in step: the same loop, or of two roles the only
  /// ones there with bounds and steps computed alike.
  bool goAlike(const For &x, const For &y) const;
  /// Whether the two are as far apart in every iteration of loops that go alike: computed alike up
  /// to a constant.
  bool keepDistance(const Index &x, const Index &y) const;
  /// An integer that only the run has: of a tensor, drawn, read from shared memory, or computed
  /// from one.
  bool isOfData(ValueId v) const { return ofData_[v]; }
  /// Computed from what the CTAs of a cluster, or the warps of a CTA, have each of their own.
  bool isOfCta(ValueId v) const { return ofCta_[v]; }
  bool isOfWarp(ValueId v) const { return ofWarp_[v]; }

private:
  void place(const Block &block, const For *around, const Role *role);
  bool isOnlyOne(const For &loop) const;
  bool alike(ValueId v, ValueId w) const;
  ValueId withoutConstant(ValueId v) const;

  const CountedValues values_;
  const std::vector<bool> ofData_, ofCta_, ofWarp_; // by value
  struct Place {
    const For *around;
    const Role *role;
  };
  std::map<const For *, Place> loops_;
  std::map<ValueId, const Scalar *> scalars_;
  std::map<ValueId, std::pair<const For *, size_t>> variables_; // 0: iv; else 1 + number of iterArg
};

} // namespace sluice

// What counters say, in every launch, of two accesses to a tensor by different CTAs: whether the
// one ends, and can be seen, before the other begins.
#pragma once

#include "Verify/AccessSites.h"
#include "Verify/CounterProtocols.h"

#include <array>
#include <map>
#include <set>
#include <utility>

namespace sluice {

/// Where runs have found all accesses of a statement, beside the wait for a counter and the add to
/// it of their own CTA.
struct Bracket {
  bool afterWait = true;    // the wait is known, and what it has acquired is seen
  bool beforeAdd = true;    // the end is known to the add, and what was written is released
  bool fencedAfter = true;  // a fence.proxy.async.global lies between the wait and the access
  bool fencedBefore = true; // or between the access and the add
};

struct CounterOrder {
  std::map<int, CounterProtocol> protocols;                 // by tensor
  std::map<std::pair<const Stmt *, int>, Bracket> brackets; // by statement and counter
  /// An add to the second follows a wait for the first, directly or by others. Turns at one counter
  /// are no such pair.
  std::set<std::pair<int, int>> follows;
  /// Runs of one launch: the element at which a CTA has arrived, by counter.
  std::map<std::pair<int, std::array<int64_t, 3>>, std::vector<int64_t>> arrived;

  /// Whether the counter orders accesses of two CTAs that name the same element of it.
  bool orders(int counter, const AccessSite &a, const AccessSite &b) const;
  /// Adds to `follows`. False: CTAs wait for each other in a circle.
  bool addFollows(int waited, int added);

private:
  bool handsOn(int counter, const AccessSite &earlier, const AccessSite &later) const;
  Bracket bracket(int counter, const AccessSite &site) const;
};

} // namespace sluice

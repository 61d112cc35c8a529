// What the counters that CTAs wait for make of a grid in every launch (docs/proof.md): its CTAs
// come one after the other, or all of them meet.
#pragma once

#include "Verify/AccessSites.h"

#include <map>
#include <set>
#include <string>

namespace sluice {

/// In the place of a counter: the meeting of all cores (Program/CoreMeeting.h), which has no
/// elements.
constexpr int ofAllCores = -1;

struct CounterProtocol {
  enum Kind {
    none,
    /// Each visit waits until those before it at its element have added, and adds once itself.
    turns,
    /// Each CTA adds once; who waits, waits until all CTAs of its element have added.
    meeting,
    /// Each CTA adds 1 once, and takes the old value: who finds that all others of its element have
    /// added is the last of them.
    arrivals,
  } kind = none;
  std::string missing;            // none: what it takes to be either
  Location at;                    // where that is missing
  const View *element = nullptr;  // null: there is one
  std::vector<const For *> loops; // around the add, outermost first: an iteration is a visit
  std::vector<bool> among;        // arrivals: coordinates in which CTAs of one element differ
  std::set<const If *> ofLast;    // arrivals: what the last CTA alone takes
};

/// Whether an add sees what those who have added before had released (atom.acq_rel): where its old
/// value is taken, and it is not relaxed.
inline bool acquires(const CounterAdd &add) {
  return add.old != kNone && !add.relaxed;
}

/// Whether it is made where one of the branches is taken.
bool isUnder(const AccessSite &site, const std::set<const If *> &branches);

/// By tensor, of those that somebody waits for, and of those at which CTAs arrive. `arrivals`: of
/// these alone.
std::map<int, CounterProtocol> counterProtocols(const Program &program, bool arrivals = false);

} // namespace sluice

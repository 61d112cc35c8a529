// What a violation is about, for whoever tells of it.
#pragma once

#include "Verify/TrackedMbarrier.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// The two events of a violation, and what else its schedule has to contain.
struct Offence {
  enum Kind {
    plain,     // the operation itself; `other` is told beside it
    tooEarly,  // the operation may come before `other`
    misread,   // a wait that cannot tell a phase from the one two before
    overtaken, // all of the phase may come before `other`, which is then stuck
    overlap,   // `other` may still be under way
    stuck,     // nobody can go on
    atExit,    // `other` may still be under way at the end
  } kind = plain;
  BarrierEvent other;
  std::string otherDoes, does; // "may still read a[0]", "writes a[0]"
  /// overlap: the second of the two, where that is not the operation that met the violation.
  std::optional<BarrierEvent> second;
  int32_t actor = -1; // stuck: whom the report is about
  /// stuck: agents that each wait for the next, and the last for the first; none: no such circle.
  std::vector<int32_t> circle = {};
  bool wholePhase = false; // the contributions so far to the barrier's phase belong to it
};

} // namespace sluice

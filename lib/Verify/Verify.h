// The checker: structure and capacities, then one canonical run with vector clocks.
#pragma once

#include "Arch/Arch.h"
#include "Machine/Program.h"
#include "Simulate/Simulate.h"

#include <array>

namespace sluice {

struct Verdict {
  enum Kind { proven, violated, unsupported } kind = proven;
  std::string tripCounts; // what was covered, honestly: "the run at A[333,1000] ..., CTA ..."
  std::vector<std::string> assumptions;
  std::vector<Violation> violations;
  std::vector<std::string> notes;
  int64_t events = 0;
  int64_t states = 0; // of the graph that covers every trip count
  std::optional<Launch>
      witness; // violated: a launch that shows it, where it is not the one asked for
  std::array<int64_t, 3> group{0, 0, 0}; // violated: first CTA (core) of those whose run showed it
  bool tooLong = false;                  // unsupported: a run has more than the most events
};

struct CheckOptions {
  bool strict = false;            // R39 is a violation; otherwise a note
  int64_t maxEvents = 50'000'000; // of a run
};

/// Rules that need no run: capacities, alignments, legal shapes, counts in range.
std::vector<Violation> checkStructure(const Program &program, const Arch &arch);

/// Structure, then deadlock, leftovers and races of the run at these extents.
Verdict check(const Program &program, const Arch &arch, const Launch &launch,
              const CheckOptions &options = {});

/// The same for every launch, that is for all trip counts; what CTAs of one grid do to each other's
/// tensors is looked at in the grid of `launch`, or where that is long of a smaller one.
Verdict prove(const Program &program, const Arch &arch, const Launch &launch,
              const CheckOptions &options = {});

/// The first assumption of the author that no launch keeps, by itself or beside those before it, as
/// far as Guard.h takes them.
std::optional<Error> impossibleAssumption(const Program &program);

} // namespace sluice

// The checker: structure and capacities, then one canonical run with vector clocks.
#pragma once

#include "Arch/Arch.h"
#include "Program/Program.h"
#include "Simulate/Simulate.h"
#include "Support/ThreadClock.h"

#include <array>
#include <limits>

namespace sluice {

/// What a verdict holds for. Each "all", in words, or "none": nothing is said.
struct Coverage {
  std::string trips = "none";    // of the loops: "all", "2 iterations"
  std::string ctas = "none";     // "all", or "these CTAs: (0,0), (7,0) of 4096"
  std::string launches = "none"; // "all", or "this launch"

  bool isEveryLaunch() const { return trips == "all" && ctas == "all" && launches == "all"; }
  static Coverage everyLaunch() { return {"all", "all", "all"}; }
  bool operator==(const Coverage &) const = default;
};

/// The CTAs (cores) of one run: its first, and how many in each dimension. `given`: at most so many
/// clusters that have not been launched, where it asks for them.
struct RunGroup {
  std::array<int64_t, 3> first, size;
  int64_t given = 0;
};

struct Verdict {
  enum Kind { proven, violated, unsupported } kind = proven;
  Coverage coverage;
  std::string tripCounts; // "all", or what was run: "this launch: 2 iterations; the only CTA"
  std::vector<std::string> assumptions;
  std::vector<Violation> violations;
  std::vector<std::string> notes;

  bool provenForEveryLaunch() const { return kind == proven && coverage.isEveryLaunch(); }

  int64_t events = 0;
  int64_t states = 0; // of the graph that covers every trip count
  std::optional<Launch>
      witness; // violated: a launch that shows it, where it is not the one asked for
  std::optional<RunGroup> group; // violated: those whose run showed it; nothing: no run
  bool tooLong = false;          // unsupported: of a run with more than the most events, or CTAs
};

struct CheckOptions {
  bool strict = false;            // R39 is a violation; otherwise a note
  int64_t maxEvents = 50'000'000; // of a run
  /// Of a run of all CTAs, which counters join, times their number: so grow the clocks of each.
  int64_t maxEventsOfCtas = std::numeric_limits<int64_t>::max();
  bool allCtas = false; // check: where runs take some CTAs of the grid, the others are proven
  /// check: what is not violated is proven elsewhere, or of no interest. Where all cores meet, runs
  /// alone do not tell that nothing is.
  bool violationsAlone = false;
  double seconds = 30;      // of the processor, for an attempt at the proof for every launch
  double secondsOfRun = 30; // the same for a run of one launch
  ThreadClock::time_point until = ThreadClock::time_point::max(); // of runs, or earlier
  /// Where all attempts at a proof end, however many there are.
  ThreadClock::time_point proofUntil = ThreadClock::time_point::max();
};

/// Rules that need no run: capacities, alignments, legal shapes, counts in range.
std::vector<Violation> checkStructure(const Program &program, const Arch &arch);

/// Structure, then deadlock, leftovers and races of the run at these extents.
Verdict checkLaunch(const Program &program, const Arch &arch, const Launch &launch,
                    const CheckOptions &options = {});

} // namespace sluice

// The virtual machine: runs a program on real values, on the clock of an architecture, or both.
#pragma once

#include "Arch/Arch.h"
#include "Program/Program.h"
#include "Simulate/Schedule.h"
#include "Simulate/Timeline.h"
#include "Support/HostTensor.h"
#include "Support/Result.h"

#include <functional>
#include <optional>
#include <span>

namespace sluice {

class Agent;

/// Bytes of a slot of a buffer, in the CTA of the agent in hand.
using SlotBytes = std::function<std::span<const std::byte>(int buffer, int64_t slot)>;

struct SimulateOptions {
  bool values = true;             // compute; false: time and synchronisation only
  bool timeline = false;          // record events of the traced CTA or core
  std::optional<int64_t> onlyCta; // linear number: run just this CTA (its cluster)
  uint64_t seed = 0;              // of the poison
  double chaos = 0;               // operations take up to so many cycles more, at random
  /// With chaos: what a copy to registers reads of shared memory or a tensor comes at random with
  /// the first use of the registers, and what TMA has brought by then is what it reads (R39).
  bool lateReads = false;
  std::function<void(const std::string &)> print; // takes what the program prints, line by line
  std::function<void(double)> progress;           // 0..1, called now and then
  /// Called for every operation that an agent has issued, a wait once it has passed.
  std::function<void(const Agent &, const Stmt &)> executed;
  /// Called when an agent has passed a wait for an mbarrier, in a run with values. CTAs run in
  /// threads of their own, warps of one CTA do not.
  std::function<void(const Agent &, const Stmt &, const SlotBytes &)> awaited;
  /// The agents of this schedule's CTA (cluster, core) take its steps in its order; after the last
  /// one they go on as usual. An Error where its steps are not those of the program.
  const Schedule *schedule = nullptr;
};

/// How far a schedule was followed.
struct Followed {
  int64_t steps = 0;
  std::string stopped = {}; // why not to its end; empty: to its end
};

/// One blocked agent.
struct Blocked {
  std::string agent;   // "mma warp 5 of CTA (0,1)", "pipe M of aic"
  std::string waitsOn; // "full[2] parity 0", "flag MTE1->M id 3"
  std::string state;   // "phase 4, arrivals 0 of 1, bytes 0 of 32768"
  Location loc;
};

/// One of the two events that a violation is about.
struct Party {
  std::string agent;     // "load warp 4 of CTA (0)"
  std::string operation; // "TMA load"
  std::string does;      // "may still write a[1]"; may be empty
  Location loc;
};

/// An mbarrier at the moment of a violation.
struct BarrierCounts {
  int64_t slot = 0, phase = 0;
  int64_t arrivals = 0, expectedArrivals = 0;
  int64_t bytes = 0, expectedBytes = 0; // of the phase: completed, announced
};

/// Something the machine refuses: rule label of docs/semantics.md, text, place.
struct Violation {
  std::string rule; // "R7"
  std::string message;
  Location location;
  std::string barrier;
  std::vector<Blocked> blocked;
  std::vector<Party> parties = {}; // the earlier one first; the last one is at `location`
  std::optional<BarrierCounts> counts = {};
  std::string fix = {}; // the part of `message` that says what to change
};

struct SimulateResult {
  double cycles = 0;                  // whole grid, or of `onlyCta`
  int64_t events = 0;                 // operations executed
  std::optional<Violation> violation; // the run stopped there
  Timeline timeline;
  std::optional<Followed> followed; // of SimulateOptions::schedule
};

/// Runs every CTA (core) of the grid. `tensors`: one per Program::tensors, outputs are written.
Result<SimulateResult> simulate(const Program &program, const Arch &arch,
                                const std::vector<int64_t> &arguments,
                                std::vector<HostTensor> &tensors, const SimulateOptions &options);
/// Time alone, from extents: no tensors in memory.
Result<SimulateResult> simulateTime(const Program &program, const Arch &arch, const Launch &launch,
                                    const SimulateOptions &options);

} // namespace sluice

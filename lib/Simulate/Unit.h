// What synchronises together: the CTAs of a cluster, or an Ascend AI core with its vector cores.
// Their agents, memories and barriers.
#pragma once

#include "Simulate/UnitAsync.h"
#include "Simulate/UnitBarriers.h"
#include "Simulate/UnitCounters.h"
#include "Simulate/UnitData.h"
#include "Simulate/UnitFlags.h"
#include "Simulate/UnitLaunches.h"
#include "Simulate/UnitMeetings.h"
#include "Simulate/UnitMutexes.h"
#include "Simulate/UnitNumbers.h"
#include "Simulate/UnitReads.h"
#include "Simulate/UnitReport.h"
#include "Simulate/UnitTensorMemory.h"
#include "Simulate/UnitTiles.h"
#include "Simulate/UnitTraffic.h"

namespace sluice {

/// Each keeps what one family of operations leaves behind.
struct UnitParts {
  UnitParts(const UnitLinks &links, Counters &theCounters, Launches &theLaunches,
            Recorder *recorder, int traced);

  UnitBarriers barriers;
  UnitMeetings meetings;
  UnitFlags flags;
  UnitMutexes mutexes;
  UnitTiles tiles;
  UnitCounters counters;
  UnitNumbers numbers;
  UnitLaunches launches;
  UnitTensorMemory tensorMemory;
  UnitAsync async;
  UnitData data;
  UnitReads reads;
  UnitTraffic traffic;
  UnitReport report;
};

class Unit : private UnitState, public UnitPart {
public:
  using UnitPart::Coordinates;

  /// `first`: the cluster's first CTA, or the core. `recorder` (may be null) sees CTA `traced` of
  /// it. `engines`: one per CTA of the cluster; other units may share them.
  Unit(const World &world, EventQueue &events, Counters &counters, Launches &launches,
       std::vector<SmEngines> &engines, Coordinates first, Recorder *recorder, int traced);

  void start(double time);
  /// Takes the steps of a schedule from now on.
  void follow(Replay &replay) { replay_ = &replay; }
  /// Nothing is left to happen: the next step of the schedule, or what it held back. False:
  /// neither.
  bool followOn();
  /// An agent goes on, or an asynchronous operation ends.
  void handle(const Event &event);
  /// An agent goes on that has waited for what another unit did.
  void goOn(int actor, double time) { release(actors_[actor], time); }
  int live() const { return live_; } // agents that have not ended
  bool finished() const { return live_ == 0 && inFlight == 0 && !violation_; }
  /// The first rule that was broken.
  const std::optional<Violation> &violation() const { return violation_; }
  /// Flags that are left set.
  std::optional<Violation> exitChecks();
  /// Why no agent of this unit can go on.
  Violation hang();

  bool recorded() const { return parts_.report.recorded(); }
  double end() const { return UnitState::end; } // when the last agent or operation ended
  /// When what its warps have stored from registers is in memory too.
  double drained() const { return std::max(end(), parts_.traffic.drained()); }
  int64_t events() const { return events_; }
  int64_t iterations() const; // of pipelined loops, the most of any agent of the traced CTA
  /// Cycles since the start that the port of the traced CTA's shared memory was busy, for all CTAs
  /// of the SM.
  double sharedMemoryBusy() const { return parts_.report.sharedMemoryBusy(); }
  /// Bytes that moved to or from every tensor.
  const std::vector<double> &traffic() const { return parts_.traffic.ofTensors(); }

private:
  using UnitPart::Actor, UnitPart::LateRead, UnitPart::Cta;

  void resume(Actor &a);
  Step execute(Actor &a, const Stmt &s);
  void showSlots(Actor &a, const Stmt &s);
  void leave(Actor &a);
  void failOutside(const Actor &a, const Scalar &load);
  // UnitReplay.cpp
  void takeStep(const ScheduleStep &step);
  void takeOperation(Actor &a, const ScheduleStep &step);
  void letGo();
  // UnitReport.cpp
  Blocked blockedState(Actor &a);

  UnitParts owned_;
  int64_t events_ = 0;
};

} // namespace sluice

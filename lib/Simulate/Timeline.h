// What happened when: the result of a timed run, for pictures and for the summary of `trace`.
#pragma once

#include "Program/Types.h"

#include <map>
#include <string>
#include <vector>

namespace sluice {

/// One row of the picture: a role (its representative warp), an engine, a pipe.
struct TimelineRow {
  enum Kind { role, engine } kind;
  std::string name; // "load", "mma wg0", "TMA", "tensor core", "MTE2"
};

struct TimelineEvent {
  enum Kind { work, wait } kind; // wait: blocked on a barrier or flag
  int row;
  double begin, end;      // cycles
  std::string name;       // "load a", "mma", "wait full[2]"
  int64_t slot = -1;      // ring slot, -1: none
  int64_t iteration = -1; // of the pipelined loop, -1: outside
  Location loc;
};

/// Time that a row spent blocked on one barrier or flag.
struct Stall {
  std::string row, barrier;
  double cycles;
  int64_t count;
};

/// A slot of a buffer with one content: from the begin of what starts to write it, which ends at
/// `ready`, to the end of the last that touches it.
struct Filling {
  int buffer; // index into Program::buffers
  int64_t slot;
  double begin, ready, end;
};

struct Timeline {
  std::vector<TimelineRow> rows;
  std::vector<TimelineEvent> events;
  double cycles = 0;                         // of the measured region
  double leadIn = 0;                         // cycles before it (Epoch)
  int64_t iterations = 0;                    // of the pipelined loop, on one CTA or core
  double initiationInterval = 0;             // steady state, cycles per iteration
  double serialInterval = 0;                 // cycles of one iteration with nothing overlapped
  std::string critical;                      // engine with the most busy time in the steady state
  double criticalBusy = 0;                   // its busy cycles per iteration there
  std::map<std::string, double> utilisation; // engine -> fraction of `cycles`
  std::vector<Stall> stalls;                 // longest first
  std::vector<Filling> fillings;             // by begin; of a simulated run
  std::vector<std::string> notes; // "ring a: slots 3, at most 2 in use", "slots of acc (L0C): ..."
};

/// Iterations [low, high) without the beginning and the end of the loop.
struct Steady {
  int64_t low, high;
  double count() const { return static_cast<double>(high - low); }
  bool has(int64_t i) const { return i >= low && i < high; }
};
Steady steadyOf(int64_t iterations);

/// Distance of the first begins of two steady iterations on a row, per iteration. The events are in
/// the order of their begins.
double intervalOn(const Timeline &timeline, int row);

} // namespace sluice

// Where a run stands in the schedule that it follows.
#pragma once

#include "Simulate/Simulate.h"
#include "Support/Result.h"

#include <optional>
#include <vector>

namespace sluice {

struct Replay {
  explicit Replay(const Schedule &theSchedule) : schedule(theSchedule) {}

  const Schedule &schedule;
  size_t next = 0;
  bool over = false;             // the agents go on by themselves
  bool late = false;             // what the current step starts is held back
  std::vector<int> held;         // completions
  std::optional<Error> mismatch; // the schedule is not this program's
  Followed followed;

  bool follows() const { return !over && !mismatch; }
};

} // namespace sluice

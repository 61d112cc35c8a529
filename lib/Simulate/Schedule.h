// An order of steps that breaks a rule: what the checker gives for a violation, what a picture
// shows, and what the virtual machine can follow.
#pragma once

#include "Program/Walker.h"

#include <map>
#include <string>
#include <vector>

namespace sluice {

/// One operation of one agent.
struct ScheduleStep {
  AgentId id;
  std::string agent;     // "mma warps 0-3 of CTA (0)": for people; `id` says who it is
  std::string operation; // "wait full[0] parity 0"
  Location loc;
  std::string barrier;       // "full[0]"; empty: none
  std::string before, after; // "phase 1, arrivals 0 of 1, bytes 0 of 16384"; empty: no mbarrier
  /// done: it has ended before the next step. late: it ends after the last step of the schedule.
  /// blocked: it does not get past here.
  enum State { done, late, blocked } state = done;
  enum Mark { none, first, second } mark = none; // the two events of the violation
  int column = 0;   // in a picture: after the columns of all that it follows
  int follows = -1; // the step that let it pass, where that is another agent's
};

struct Schedule {
  std::string kernel, rule, title, message, launch;    // launch: "A[64,64] n=3"
  std::string missing;                                 // what the arrow between the two marks says
  std::map<std::string, std::vector<int64_t>> extents; // of tensors, by name
  std::map<std::string, int64_t> arguments;
  std::array<int64_t, 3> first{0, 0, 0}; // CTA or core that the steps belong to (of its cluster)
  std::vector<ScheduleStep> steps;
};

} // namespace sluice

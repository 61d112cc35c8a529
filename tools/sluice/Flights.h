// Work of engines whose end a warp learns of later: by a wait for its groups, or, of loads that an
// mbarrier counts, by the first wait that sees the barrier's phase end.
#pragma once

#include "Program/Agent.h"
#include "Simulate/Timeline.h"

#include <deque>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace sluice::tool {

/// A phase of one mbarrier of the CTA: array, slot, number from 0.
using Phase = std::tuple<int, int64_t, int64_t>;

/// Groups of asynchronous operations of one kind and warp.
class FlyingGroups {
public:
  void issue(TimelineEvent event) { open_.push_back(std::move(event)); }
  void commit();
  /// All but the `pending` youngest groups have ended by `at`. One group's work begins when the
  /// group before it has ended, at the earliest.
  std::vector<TimelineEvent> ended(int64_t pending, double at);
  /// Everything that was issued, for an mbarrier that will tell of it.
  std::vector<TimelineEvent> handOver();

private:
  std::vector<TimelineEvent> open_;
  std::deque<std::vector<TimelineEvent>> groups_;
  double last_ = 0; // when a group has last ended
};

/// Loads on their way, and when their phases were seen to end.
class FlyingLoads {
public:
  void issue(const Phase &phase, TimelineEvent event) {
    loads_.emplace_back(phase, std::move(event));
  }
  void seen(const Phase &phase, double at);
  /// What was seen to end.
  std::vector<TimelineEvent> ended() const;

private:
  std::vector<std::pair<Phase, TimelineEvent>> loads_;
  std::map<Phase, double> ends_;
};

/// Which phase of each barrier a warp is at: waits flip the parity, fills count.
class PhaseCounter {
public:
  /// The phase that a wait for `parity` is for; -1: one that a fresh barrier lets pass.
  int64_t awaited(int barrier, int64_t slot, int64_t parity);
  /// The phase that the next load of these bytes counts in.
  int64_t filled(const std::vector<int64_t> &bytes) { return fills_[bytes]++; }

private:
  struct Last {
    int64_t phase = -1, parity = 1;
  };
  std::map<std::pair<int, int64_t>, Last> waits_;
  std::map<std::vector<int64_t>, int64_t> fills_;
};

} // namespace sluice::tool

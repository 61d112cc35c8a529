#include "Flights.h"

#include <algorithm>
#include <utility>

namespace sluice::tool {

void FlyingGroups::commit() {
  groups_.push_back(std::exchange(open_, {}));
}

std::vector<TimelineEvent> FlyingGroups::ended(int64_t pending, double at) {
  std::vector<TimelineEvent> all;
  while (static_cast<int64_t>(groups_.size()) > pending) {
    for (TimelineEvent &event : groups_.front()) {
      event.begin = std::max(event.begin, last_);
      event.end = at;
      all.push_back(std::move(event));
    }
    groups_.pop_front();
    last_ = at;
  }
  return all;
}

std::vector<TimelineEvent> FlyingGroups::handOver() {
  commit();
  std::vector<TimelineEvent> all;
  for (auto &group : std::exchange(groups_, {}))
    std::ranges::move(group, std::back_inserter(all));
  return all;
}

void FlyingLoads::seen(const Phase &phase, double at) {
  const auto [found, added] = ends_.emplace(phase, at);
  if (!added)
    found->second = std::min(found->second, at);
}

std::vector<TimelineEvent> FlyingLoads::ended() const {
  std::vector<TimelineEvent> all;
  for (const auto &[phase, event] : loads_)
    if (const auto end = ends_.find(phase); end != ends_.end() && end->second >= event.begin) {
      all.push_back(event);
      all.back().end = end->second;
    }
  return all;
}

int64_t PhaseCounter::awaited(int barrier, int64_t slot, int64_t parity) {
  Last &last = waits_[{barrier, slot}];
  if ((parity & 1) != last.parity) {
    ++last.phase;
    last.parity = parity & 1;
  }
  return last.phase;
}

} // namespace sluice::tool

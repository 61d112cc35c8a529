// The order of events of everything that shares an SM or core.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <tuple>
#include <vector>

namespace sluice {

class Unit;

struct Event {
  double time;
  int64_t serial; // events of the same time happen in the order in which they were made
  Unit *unit;
  int actor, completion; // one of the two is -1
  bool operator>(const Event &o) const {
    return std::tie(time, serial) > std::tie(o.time, o.serial);
  }
};

class EventQueue {
public:
  void push(double time, Unit *unit, int actor, int completion) {
    events_.push({time, serial_++, unit, actor, completion});
  }
  Event pop() {
    Event e = events_.top();
    events_.pop();
    return e;
  }
  bool empty() const { return events_.empty(); }
  /// Whether something is due at `time` or before.
  bool due(double time) const { return !events_.empty() && events_.top().time <= time; }

private:
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  int64_t serial_ = 0;
};

} // namespace sluice

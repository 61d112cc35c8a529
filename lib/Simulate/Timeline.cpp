#include "Simulate/Timeline.h"

#include <algorithm>

namespace sluice {

Steady steadyOf(int64_t iterations) {
  return {iterations / 4, std::max(iterations / 4 + 1, iterations - iterations / 4 - 1)};
}

double intervalOn(const Timeline &t, int row) {
  const Steady steady = steadyOf(t.iterations);
  double first = -1, last = -1;
  int64_t from = 0, to = 0;
  for (const TimelineEvent &e : t.events) { // in the order of their begins
    if (e.row != row || e.kind != TimelineEvent::work || e.iteration < steady.low ||
        e.iteration > steady.high)
      continue;
    if (first < 0) {
      first = e.begin;
      from = e.iteration;
    }
    if (e.iteration > to || last < 0) {
      last = e.begin;
      to = e.iteration;
    }
  }
  if (to > from)
    return (last - first) / static_cast<double>(to - from);
  return t.iterations > 0 ? t.cycles / static_cast<double>(t.iterations) : 0;
}

} // namespace sluice

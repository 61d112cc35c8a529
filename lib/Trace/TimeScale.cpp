#include "Trace/TimeScale.h"

#include <algorithm>
#include <cmath>

namespace sluice::trace {

TimeScale::TimeScale(std::vector<Window> windows, double x, double width, double gap)
    : windows_(std::move(windows)), gap_(gap) {
  double cycles = 0;
  for (const Window &w : windows_)
    cycles += w.end - w.begin;
  const double gaps = gap * std::max<double>(0, static_cast<double>(windows_.size()) - 1);
  perCycle_ = cycles > 0 ? (width - gaps) / cycles : 0;
  for (Window &w : windows_) {
    w.x = x;
    x = endX(w) + gap;
  }
}

TimeScale TimeScale::narrowed(double perCycle) const {
  const Window &last = windows_.back();
  const double gaps = gap_ * static_cast<double>(windows_.size() - 1);
  const double cycles = (endX(last) - windows_.front().x - gaps) / perCycle_;
  return {windows_, windows_.front().x, gaps + cycles * perCycle, gap_};
}

bool TimeScale::visible(double begin, double end) const {
  return !spans(begin, end).empty();
}

std::vector<Span> TimeScale::spans(double begin, double end) const {
  std::vector<Span> result;
  for (size_t i = 0; i < windows_.size(); ++i) {
    const Window &w = windows_[i];
    const double from = std::max(begin, w.begin), to = std::min(end, w.end);
    // An event that only touches the edge of a window is outside; one without duration is not.
    const bool inside = from < to || (begin == end && from == to);
    if (inside)
      result.push_back({x(w, from), x(w, to), static_cast<int>(i)});
  }
  return result;
}

double niceStep(double least) {
  if (!(least > 0) || !std::isfinite(least))
    return 1;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least * (1 - 1e-9))
      return factor * power;
  return 10 * power;
}

} // namespace sluice::trace

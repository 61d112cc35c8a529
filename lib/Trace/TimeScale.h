// The time axis: windows of time side by side at one scale, with cuts between them.
#pragma once

#include <string>
#include <vector>

namespace sluice::trace {

struct Window {
  double begin, end; // cycles
  double x = 0;      // where it begins, in the unit of the picture (pixels, columns)
  std::string caption;
};

/// A stretch of the axis; `window` is its index.
struct Span {
  double from, to;
  int window;
};

class TimeScale {
public:
  /// Spreads the windows (ordered, disjoint) over [x, x + width] with `gap` between two of them.
  TimeScale(std::vector<Window> windows, double x, double width, double gap);

  const std::vector<Window> &windows() const { return windows_; }
  double perCycle() const { return perCycle_; }
  double gap() const { return gap_; }
  /// The same windows with fewer pixels (columns) for a cycle.
  TimeScale narrowed(double perCycle) const;
  double x(const Window &w, double cycles) const { return w.x + (cycles - w.begin) * perCycle_; }
  double endX(const Window &w) const { return x(w, w.end); }
  bool visible(double begin, double end) const;
  /// The parts of [begin, end] that are to be seen.
  std::vector<Span> spans(double begin, double end) const;

private:
  std::vector<Window> windows_;
  double perCycle_ = 0, gap_;
};

/// 1, 2 or 5 times a power of ten, not below `least`.
double niceStep(double least);

} // namespace sluice::trace

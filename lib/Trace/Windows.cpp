#include "Trace/Windows.h"

#include <algorithm>
#include <cmath>

namespace sluice::trace {
namespace {

/// Events of the busiest row; of its work on iterations only when `looped`.
double mostEvents(const Scene &scene, bool looped) {
  size_t most = 0;
  for (const SceneRow &row : scene.rows)
    most = std::max<size_t>(
        most, std::count_if(row.bars.begin(), row.bars.end(), [&](const Bar &b) {
          return b.event->kind == TimelineEvent::work && (!looped || b.event->iteration >= 0);
        }));
  return static_cast<double>(most);
}

/// The windows of a loop, as numbers of marks: `head` from the start, `steady` from `steadyFirst`,
/// `tail` up to the end.
struct Cut {
  size_t head = 2, steady = 2, tail = 1;
  size_t steadyFirst = 0;
};

class Cutter {
public:
  Cutter(const Scene &scene, double budget) : scene_(scene), budget_(budget) {}

  std::vector<Window> windows() {
    grow();
    const size_t n = marks().size();
    const Window head{scene_.begin, at(cut_.head), 0, "start"};
    const Window steady{at(cut_.steadyFirst), at(cut_.steadyFirst + cut_.steady), 0,
                        "steady state"};
    const Window tail{at(n - cut_.tail), scene_.end, 0, "end"};
    return {head, steady, tail};
  }

private:
  const std::vector<Mark> &marks() const { return scene_.marks; }
  double at(size_t mark) const { return marks()[mark].begin; }

  /// Cycles of the picture with this cut; also finds where the steady part is taken from.
  double cost(Cut &cut) const {
    const size_t n = marks().size();
    cut.steadyFirst = mostRegular(cut);
    return at(cut.head) - scene_.begin + at(cut.steadyFirst + cut.steady) - at(cut.steadyFirst) +
           scene_.end - at(n - cut.tail);
  }

  /// The run of `steady` iterations closest to the steady interval, then to the middle.
  size_t mostRegular(const Cut &cut) const {
    const size_t n = marks().size(), last = n - cut.tail - cut.steady;
    const size_t middle = (n - cut.steady) / 2;
    auto score = [&](size_t first) {
      const double span = at(first + cut.steady) - at(first);
      const double deviation = std::abs(span / static_cast<double>(cut.steady) - scene_.interval);
      const double distance = first > middle ? first - middle : middle - first;
      // A run off by less than a hundredth is as good as any.
      return std::pair(std::floor(deviation / std::max(scene_.interval, 1e-9) * 100), distance);
    };
    size_t best = cut.head;
    for (size_t first = cut.head; first <= last; ++first)
      if (score(first) < score(best))
        best = first;
    return best;
  }

  void grow() {
    const size_t n = marks().size();
    cost(cut_);
    for (size_t turn = 0, refused = 0; refused < 3; ++turn) {
      Cut next = cut_;
      ++(turn % 3 == 0 ? next.head : turn % 3 == 1 ? next.steady : next.tail);
      const bool fits = next.head + next.steady + next.tail + 2 <= n && cost(next) <= budget_;
      refused = fits ? 0 : refused + 1;
      if (fits)
        cut_ = next;
    }
  }

  const Scene &scene_;
  double budget_;
  Cut cut_;
};

/// Windows that touch or nearly touch need no cut.
std::vector<Window> joined(std::vector<Window> windows, double nearly) {
  std::vector<Window> result;
  for (Window &w : windows) {
    if (!result.empty() && w.begin <= result.back().end + nearly) {
      result.back().end = std::max(result.back().end, w.end);
      result.back().caption += ", " + w.caption;
    } else {
      result.push_back(std::move(w));
    }
  }
  if (result.size() == 1)
    result.front().caption.clear();
  return result;
}

/// A program without a pipelined loop: start, middle and end of what the room can hold.
std::vector<Window> cutByTime(const Scene &scene, double budget) {
  const double part = budget / 3, middle = (scene.begin + scene.end) / 2;
  return {{scene.begin, scene.begin + part, 0, "start"},
          {middle - part / 2, middle + part / 2, 0, "middle"},
          {scene.end - part, scene.end, 0, "end"}};
}

} // namespace

std::vector<Window> chooseWindows(const Scene &scene, const WindowRequest &request) {
  const double total = scene.end - scene.begin;
  if (total <= 0)
    return {{scene.begin, scene.begin + 1, 0, ""}};
  std::vector<Window> whole = {{scene.begin, scene.end, 0, ""}};
  constexpr size_t fewest = 8; // iterations below which there is nothing to cut out
  const bool looped = scene.marks.size() >= fewest && scene.interval > 0;
  const double events = mostEvents(scene, looped);
  double perCycle = events * request.perEvent / total; // density that can be read
  if (looped) {
    const double n = static_cast<double>(scene.marks.size());
    perCycle = std::max(request.perIteration, events / n * request.perEvent) / scene.interval;
  }
  const double budget = request.room / std::max(perCycle, 1e-300);
  constexpr double squeeze = 1.25; // rather a little too dense than cut
  if (request.everything || budget * squeeze >= total)
    return whole;
  return joined(looped ? Cutter(scene, budget).windows() : cutByTime(scene, budget),
                looped ? scene.interval : budget / 100);
}

std::string iterationsIn(const Scene &scene, const Window &window) {
  int64_t first = -1, last = -1;
  for (const Mark &m : scene.marks)
    if (m.begin >= window.begin && m.begin < window.end) {
      first = first < 0 ? m.iteration : first;
      last = m.iteration;
    }
  if (first < 0)
    return "";
  const std::string of = " of " + std::to_string(scene.marks.back().iteration + 1);
  return first == last
             ? "iteration " + std::to_string(first) + of
             : "iterations " + std::to_string(first) + "\xE2\x80\x93" + std::to_string(last) + of;
}

} // namespace sluice::trace

#include "Trace/TextTimeline.h"

#include "Trace/Format.h"
#include "Trace/Scene.h"
#include "Trace/Windows.h"

#include <algorithm>
#include <cmath>

namespace sluice::trace {
namespace {

constexpr size_t kLongestName = 16;
constexpr double kGap = 3;

char slotCharacter(int64_t slot) {
  if (slot < 0 || slot >= 36)
    return '#';
  return static_cast<char>(slot < 10 ? '0' + slot : 'a' + (slot - 10));
}

class Grid {
public:
  Grid(const Scene &scene, const TimeScale &scale, size_t cells)
      : scene_(scene), scale_(scale), cells_(cells) {}

  /// The character of every column: the work that fills most of it, else a wait, else a blank.
  std::string row(const SceneRow &row) const {
    std::vector<double> work(cells_), wait(cells_);
    std::string text(cells_, ' ');
    for (const Bar &bar : row.bars) {
      const TimelineEvent &e = *bar.event;
      const bool works = e.kind == TimelineEvent::work;
      for (const Span &s : scale_.spans(e.begin, e.end))
        eachCell(s, [&](size_t cell, double share) {
          if (!works)
            wait[cell] += share;
          else if (share > work[cell]) {
            work[cell] = share;
            text[cell] = slotCharacter(e.slot);
          }
        });
    }
    for (size_t i = 0; i < cells_; ++i)
      if (work[i] < 0.2)
        text[i] = wait[i] >= 0.5 ? '.' : ' ';
    return withCuts(text, '~');
  }

  /// Number of each iteration where it begins, as far as they fit.
  std::string iterations() const {
    std::string text(cells_, ' ');
    size_t free = 0;
    for (const Mark &m : scene_.marks)
      for (const Span &s : scale_.spans(m.begin, m.begin)) {
        const size_t cell = static_cast<size_t>(std::round(s.from));
        put(text, cell, std::to_string(m.iteration), free);
      }
    return text;
  }

  /// First cycle of every window and last cycle of the last.
  std::string cycles() const {
    std::string text(cells_, ' ');
    size_t free = 0;
    for (const Window &w : scale_.windows())
      put(text, static_cast<size_t>(std::round(w.x)), cyclesText(w.begin), free);
    const std::string last = cyclesText(scale_.windows().back().end);
    if (last.size() < cells_)
      put(text, cells_ - last.size(), last, free);
    return text;
  }

private:
  /// Calls visit(cell, share of the cell that is covered). What is shorter than a cell but not
  /// nothing counts as a fifth at least, so that short work does not vanish.
  template <typename Visit> void eachCell(const Span &s, Visit visit) const {
    const double from = std::max(0.0, s.from), to = std::min<double>(cells_, s.to);
    const bool isShort = s.to - s.from < 1;
    for (size_t cell = static_cast<size_t>(from); cell < cells_ && cell < to + 1e-9; ++cell) {
      const double begin = static_cast<double>(cell);
      double share = std::min(to, begin + 1) - std::max(from, begin);
      if (isShort && cell == static_cast<size_t>(from))
        share = std::max(share, 0.2);
      if (share > 0)
        visit(cell, share);
    }
  }

  void put(std::string &text, size_t cell, const std::string &what, size_t &free) const {
    if (cell < free || cell + what.size() > cells_)
      return;
    text.replace(cell, what.size(), what);
    free = cell + what.size() + 1;
  }

  std::string withCuts(std::string text, char cut) const {
    const auto &windows = scale_.windows();
    for (size_t i = 1; i < windows.size(); ++i) {
      const size_t at = static_cast<size_t>(std::round(scale_.endX(windows[i - 1])));
      for (size_t k = 0; k < static_cast<size_t>(kGap) && at + k < cells_; ++k)
        text[at + k] = k == 1 ? cut : ' ';
    }
    return text;
  }

  const Scene &scene_;
  const TimeScale &scale_;
  size_t cells_;
};

} // namespace

std::string textTimeline(const Timeline &timeline, size_t columns) {
  Scene scene = makeScene(timeline);
  if (scene.end <= scene.begin)
    return "";
  size_t names = 9; // "iteration"
  for (const SceneRow &row : scene.rows)
    names = std::max(names, std::min(kLongestName, length(oneLine(row.row->name))));
  const size_t cells = columns - std::min(columns - 20, names + 4);
  const WindowRequest request{static_cast<double>(cells) - 2 * kGap, 2, 6};
  TimeScale scale(chooseWindows(scene, request), 0, static_cast<double>(cells), kGap);
  keepVisible(scene, scale);
  const Grid grid(scene, scale, cells);
  auto line = [&](const std::string &name, const std::string &text, char edge) {
    std::string out = padded(shortened(name, names), names) + " " + edge + text + edge;
    return out.erase(out.find_last_not_of(' ') + 1) + "\n";
  };
  std::string out = line("cycle", grid.cycles(), ' ');
  if (scene.marks.size() > 1)
    out += line("iteration", grid.iterations(), ' ');
  for (const SceneRow &row : scene.rows)
    out += line(oneLine(row.row->name), grid.row(row), '|');
  return out + "one column: " + cyclesText(1 / scale.perCycle()) +
         " cycles; 0-9 a-z: slot at work, #: other work, .: waiting" +
         (scale.windows().size() > 1 ? ", ~: cut" : "") + "\n";
}

} // namespace sluice::trace

// The plot: axis with cuts, the loop's iterations, roles and engines.
#include "Trace/Format.h"
#include "Trace/Palette.h"
#include "Trace/Picture.h"
#include "Trace/Windows.h"

#include <algorithm>
#include <cmath>

namespace sluice::trace {
namespace {

constexpr double kRowGap = 6;

double ticksStep(const Picture &p) {
  return niceStep(92 / std::max(p.scale.perCycle(), 1e-300));
}

/// Calls visit(window, cycles, x) for every tick.
template <typename Visit> void eachTick(const Picture &p, Visit visit) {
  const double step = ticksStep(p);
  for (const Window &w : p.scale.windows()) {
    const auto first = static_cast<int64_t>(std::ceil(w.begin / step - 1e-9));
    const auto last = static_cast<int64_t>(std::floor(w.end / step + 1e-9));
    for (int64_t k = first; k <= last; ++k)
      visit(w, double(k) * step, p.scale.x(w, double(k) * step));
  }
}

/// Microseconds of a tick with as many digits as tell it from the next.
std::string tickTime(double cycles, double step, double clockGhz) {
  const double us = 1 / (clockGhz * 1000);
  const int digits = static_cast<int>(std::ceil(-std::log10(step * us) + 0.5));
  return fixed(cycles * us, std::clamp(digits, 0, 6));
}

/// The longest caption that fits over the window.
std::string captionOf(const Picture &p, const Window &w) {
  if (w.caption.empty())
    return "";
  const double room = p.scale.endX(w) - w.x;
  const std::string iterations = iterationsIn(p.scene, w);
  const std::string shorter = iterations.substr(0, iterations.find(" of "));
  for (const std::string &text : {w.caption + ": " + iterations, w.caption + ": " + shorter})
    if (!iterations.empty() && textWidth(text, 12.5) <= room + p.scale.gap() / 2)
      return text;
  return textWidth(w.caption, 12.5) <= room + p.scale.gap() ? w.caption : "";
}

void drawCaptions(Picture &p) {
  for (const Window &w : p.scale.windows()) {
    const std::string text = captionOf(p, w);
    if (text.empty())
      continue;
    p.svg.text((w.x + p.scale.endX(w)) / 2, p.y + 12, text, {12.5, "middle", kInk, true});
    p.svg.path("M" + px(w.x) + " " + px(p.y + 23) + "v-4H" + px(p.scale.endX(w)) + "v4",
               {{"fill", "none"}, {"stroke", kDim}});
  }
  if (p.scale.windows().size() > 1)
    p.y += 28;
}

void drawTicks(Picture &p) {
  const double step = ticksStep(p);
  const bool times = p.options.clockGhz > 0;
  double lastEnd = -1e9;
  p.svg.text(p.left - 12, p.y + 12, "cycles", {12, "end", kDim});
  if (times)
    p.svg.text(p.left - 12, p.y + 27, "us", {12, "end", kDim});
  eachTick(p, [&](const Window &w, double cycles, double x) {
    const std::string label = cyclesText(std::round(cycles / step) * step);
    const double half = textWidth(label, 12) / 2;
    if (x - half < lastEnd + 8 || x + half > p.scale.endX(w) + p.scale.gap() / 2)
      return;
    lastEnd = x + half;
    p.svg.text(x, p.y + 12, label, {12, "middle", kInk});
    if (!times)
      return;
    const std::string time = tickTime(cycles, step, p.options.clockGhz);
    const double clear = p.left + textWidth(time, 11.5) / 2 - 6; // of the axis' name
    p.svg.text(std::max(x, clear), p.y + 27, time, {11.5, "middle", kDim});
  });
  p.y += times ? 34 : 19;
}

void drawGrid(Picture &p, double bottom) {
  p.svg.open("g", {{"stroke", kRule}, {"stroke-width", "1"}});
  eachTick(p, [&](const Window &, double, double x) { p.svg.line(x, p.y - 3, x, bottom, {}); });
  p.svg.close("g");
}

/// A ruler of iterations as they begin on the row that sets the pace.
void drawIterations(Picture &p) {
  const auto &marks = p.scene.marks;
  if (marks.size() < 2)
    return;
  constexpr double height = 16;
  p.svg.text(p.left - 12, p.y + 12.5, "iteration", {12, "end", kDim});
  for (size_t i = 0; i < marks.size(); ++i) {
    const double end = i + 1 < marks.size()
                           ? marks[i + 1].begin
                           : std::min(p.scene.end, marks[i].begin + p.scene.interval);
    const bool odd = marks[i].iteration % 2 != 0;
    for (const Span &s : p.scale.spans(marks[i].begin, end)) {
      const double width = s.to - s.from;
      if (width < 2)
        continue;
      p.svg.rect(s.from, p.y, width, height,
                 {{"fill", odd ? "#eceef1" : "#d9dde3"}, {"stroke", "#ffffff"}});
      const std::string number = std::to_string(marks[i].iteration);
      if (textWidth(number, 11.5) + 4 <= width)
        p.svg.text(s.from + width / 2, p.y + 12, number, {11.5, "middle", kInk});
    }
  }
  p.y += height + 8;
}

bool isCritical(const Picture &p, const TimelineRow &row) {
  return row.kind == TimelineRow::engine && row.name == p.timeline().critical;
}

void drawRow(Picture &p, const SceneRow &row) {
  const double height = rowHeight(row), middle = p.y + height / 2 + 5;
  const bool critical = isCritical(p, *row.row);
  std::string name = oneLine(row.row->name);
  name = shortened(name, static_cast<size_t>((p.left - kMargin - 12) / (0.6 * 14)));
  p.svg.text(p.left - 12, middle, name, {14, "end", critical ? kAccent : kInk, critical});
  drawBars(p, row, p.y);
  const auto found = p.timeline().utilisation.find(row.row->name);
  if (row.row->kind == TimelineRow::engine && found != p.timeline().utilisation.end())
    p.svg.text(p.right + 8, middle, percentText(found->second),
               {13, "start", critical ? kAccent : kDim, critical});
  p.y += height + kRowGap;
}

double groupHeight(const Picture &p, TimelineRow::Kind kind) {
  double height = 0;
  for (const SceneRow &row : p.scene.rows)
    if (row.row->kind == kind)
      height += rowHeight(row) + kRowGap;
  return height > 0 ? height + 24 : 0;
}

void drawGroup(Picture &p, TimelineRow::Kind kind, const char *title, const char *rightTitle) {
  const double height = groupHeight(p, kind);
  if (height == 0)
    return;
  p.svg.text(kMargin, p.y + 12, title, {11.5, "start", kDim, true});
  p.svg.text(p.right + 8, p.y + 12, rightTitle, {11.5, "start", kDim});
  p.y += 18;
  for (const SceneRow &row : p.scene.rows)
    if (row.row->kind == kind)
      drawRow(p, row);
  p.y += 6;
}

/// White bands of the rows, under grid and bars.
void drawBackground(Picture &p, double top, double bottom) {
  for (const Window &w : p.scale.windows())
    p.svg.rect(w.x, top, p.scale.endX(w) - w.x, bottom - top, {{"fill", kBand}});
}

/// A torn edge: zigzag down at x.
std::string zigzag(double x, double top, double bottom) {
  std::string data = "M" + px(x) + " " + px(top);
  double y = top;
  for (int i = 0; y < bottom; ++i) {
    y = std::min(bottom, y + 7);
    data += "L" + px(x + (i % 2 == 0 ? 3.5 : -3.5)) + " " + px(y);
  }
  return data;
}

void drawCuts(Picture &p, double top, double bottom) {
  const auto &windows = p.scale.windows();
  for (size_t i = 1; i < windows.size(); ++i) {
    const double from = p.scale.endX(windows[i - 1]), to = windows[i].x;
    for (double x : {from, to})
      p.svg.path(zigzag(x, top, bottom),
                 {{"fill", "none"}, {"stroke", kDim}, {"stroke-width", "1"}});
    const double hidden = windows[i].begin - windows[i - 1].end;
    const std::string text = cyclesText(hidden) + " cycles not shown";
    if (textWidth(text, 11.5) <= bottom - top)
      p.svg.text((from + to) / 2 + 4, (top + bottom) / 2, text,
                 {11.5, "middle", kDim, false, false});
  }
}

} // namespace

void drawFrame(Picture &p, double height, const std::function<void()> &rows) {
  drawCaptions(p);
  drawTicks(p);
  const double ruler = p.scene.marks.size() < 2 ? 0 : 24;
  const double top = p.y, bottom = top + ruler + height;
  drawBackground(p, top, bottom);
  drawGrid(p, bottom);
  drawIterations(p);
  rows();
  drawCuts(p, top, bottom);
  p.y = bottom;
}

void drawPlot(Picture &p) {
  if (p.scene.end <= p.scene.begin) {
    p.svg.text(kMargin, p.y + 12, "no event was recorded", {14, "start", kDim});
    p.y += 24;
    return;
  }
  drawFrame(p, groupHeight(p, TimelineRow::role) + groupHeight(p, TimelineRow::engine), [&] {
    drawGroup(p, TimelineRow::role, "ROLES", "");
    drawGroup(p, TimelineRow::engine, "ENGINES", p.timeline().utilisation.empty() ? "" : "busy");
  });
}

} // namespace sluice::trace

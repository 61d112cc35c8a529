// Pictures of a failing schedule: a row per agent, a column per step, the two events of the
// violation marked, and between them the order that is missing.
#include "Trace/Format.h"
#include "Trace/Palette.h"
#include "Trace/Picture.h"
#include "Trace/ScheduleScene.h"

#include <algorithm>

namespace sluice::trace {
namespace {

constexpr double kText = 11.5, kRow = 34, kBar = 22, kPhase = 18;
constexpr const char *kMarkEdge = "#b3001b", *kMarkFill = "#fde3e6";

struct Drawing {
  const ScheduleScene &scene;
  SvgWriter svg = {};
  std::vector<double> at = {}; // left border of every drawn column, and of the end
  double left = 0, y = 0, rowsTop = 0;
  int marks = 0; // steps of the violation

  const Schedule &schedule() const { return *scene.schedule; }
  double x(int column) const { return at[std::max(column - scene.begin, 0)]; }
  double middle(const ScheduleStep &s) const { return (x(s.column) + x(s.column + 1)) / 2; }
  double rowY(int row) const { return rowsTop + row * kRow; }
};

bool shown(const ScheduleScene &scene, int step) {
  return scene.schedule->steps[step].column >= scene.begin;
}

std::string labelOf(const ScheduleStep &s) {
  return s.state == ScheduleStep::blocked ? s.operation + " (blocked)" : s.operation;
}

void layOut(Drawing &d) {
  std::vector<double> widths(d.scene.end - d.scene.begin, 24);
  for (const ScheduleRow &row : d.scene.rows) {
    d.left = std::max(d.left, textWidth(row.name, 13));
    for (const int i : row.steps)
      if (shown(d.scene, i)) {
        const ScheduleStep &s = d.schedule().steps[i];
        double &width = widths[s.column - d.scene.begin];
        width = std::max(width, textWidth(labelOf(s), kText) + 14);
      }
  }
  for (const PhaseRow &row : d.scene.phases)
    d.left = std::max(d.left, textWidth(row.barrier, 12));
  d.left += kMargin + 14;
  double x = d.left;
  for (const double w : widths) {
    d.at.push_back(x);
    x += w + 10;
  }
  d.at.push_back(x);
}

void drawTitle(Drawing &d, double width) {
  const Schedule &s = d.schedule();
  d.y = kMargin + 6;
  d.svg.text(kMargin, d.y, s.kernel + ": " + s.rule + " (" + s.title + ")",
             {18, "start", kMarkEdge, true});
  d.y += 20;
  d.svg.text(kMargin, d.y, "a failing schedule at " + s.launch, {12.5, "start", kDim});
  d.y += 20;
  for (const std::string &line :
       wrapped(s.message, static_cast<size_t>((width - 2 * kMargin) / (0.56 * 12.5)))) {
    d.svg.text(kMargin, d.y, line, {12.5, "start", kInk});
    d.y += 16;
  }
  if (d.scene.hidden > 0) {
    d.svg.text(kMargin, d.y + 6, std::to_string(d.scene.hidden) + " earlier steps are not shown",
               {12, "start", kDim});
    d.y += 20;
  }
  d.y += 12;
}

std::string tooltip(const ScheduleStep &s, int number) {
  std::string text = "step " + std::to_string(number) + ": " + s.operation + "\n" + s.agent;
  if (!s.before.empty() || !s.after.empty())
    text += "\n" + s.barrier + ": " + (s.before.empty() ? "not initialised" : s.before) +
            (s.after == s.before ? "" : "\n  then " + s.after);
  if (s.loc.line > 0)
    text += "\n" + s.loc.str();
  return text;
}

bool isSynchronisation(const std::string &operation) {
  for (const char *word :
       {"wait", "arrive", "bar.", "cluster", "fence", "mbarrier", "expect", "set_", "cross",
        "pipe barrier", "warp sync", "wgmma.", "bulk", "cp.async "})
    if (operation.starts_with(word))
      return true;
  return false;
}

void drawStep(Drawing &d, int number) {
  const ScheduleStep &s = d.schedule().steps[number];
  const TimelineRow row{TimelineRow::role, ""};
  const WorkKind kind = workKind({TimelineEvent::work, 0, 0, 1, s.operation, -1, -1, {}}, row);
  const double y = d.rowY(d.scene.rowOf[number]) + (kRow - kBar) / 2 - 2;
  const double x = d.x(s.column), width = d.x(s.column + 1) - x - 10;
  const bool marked = s.mark != ScheduleStep::none;
  const bool synchronises = isSynchronisation(s.operation);
  d.svg.open("g", {{"class", "step"}, {"data-step", std::to_string(number)}});
  d.svg.leaf("title", tooltip(s, number));
  if (s.state != ScheduleStep::done) // to the end of the picture
    d.svg.rect(x, y + kBar + 2, d.at.back() - x - 10, 4,
               {{"fill", s.state == ScheduleStep::late ? fillColour(kind, true) : "#e9e9e9"},
                {"stroke", kDim},
                {"stroke-dasharray", "4 3"}});
  d.svg.rect(x, y, width, kBar,
             {{"rx", "3"},
              {"fill", marked         ? kMarkFill
                       : synchronises ? "#f1f1f1"
                                      : fillColour(kind, true)},
              {"stroke", marked         ? kMarkEdge
                         : synchronises ? "#9a9a9a"
                                        : edgeColour(kind)},
              {"stroke-width", marked ? "2.2" : "0.9"}});
  d.svg.text(x + width / 2, y + kBar / 2 + 4, labelOf(s), {kText, "middle", kInk, marked});
  d.svg.close("g");
  if (marked)
    d.svg.text(x + width / 2, y - 4,
               d.schedule().rule + (d.marks < 2                     ? ""
                                    : s.mark == ScheduleStep::first ? ": first"
                                                                    : ": second"),
               {10.5, "middle", kMarkEdge, true});
}

void drawRows(Drawing &d) {
  d.rowsTop = d.y;
  const double right = d.at.back();
  for (size_t r = 0; r < d.scene.rows.size(); ++r) {
    const double y = d.rowY(static_cast<int>(r));
    d.svg.rect(kMargin, y, right - kMargin, kRow - 4, {{"fill", kBand}});
    d.svg.text(d.left - 10, y + kRow / 2 + 3, d.scene.rows[r].name, {13, "end", kInk});
  }
  d.y = d.rowY(static_cast<int>(d.scene.rows.size())) + 20;
}

/// A line from a step to one that it let pass.
void drawOrder(Drawing &d, const ScheduleStep &from, int fromRow, const ScheduleStep &to,
               int toRow) {
  const double x1 = d.x(from.column + 1) - 10, x2 = d.x(to.column);
  const double y1 = d.rowY(fromRow) + kRow / 2 - 2, y2 = d.rowY(toRow) + kRow / 2 - 2;
  d.svg.path("M" + px(x1) + " " + px(y1) + "C" + px(x1 + 14) + " " + px(y1) + " " + px(x2 - 14) +
                 " " + px(y2) + " " + px(x2) + " " + px(y2),
             {{"fill", "none"}, {"stroke", "#8a97a8"}, {"marker-end", "url(#sluice-order)"}});
}

void drawOrders(Drawing &d) {
  const std::vector<ScheduleStep> &steps = d.schedule().steps;
  for (const ScheduleRow &row : d.scene.rows)
    for (const int i : row.steps) {
      const int from = steps[i].follows;
      if (from < 0 || !shown(d.scene, i) || !shown(d.scene, from) ||
          steps[from].operation.starts_with("bar.sync"))
        continue;
      if (d.scene.rowOf[from] != d.scene.rowOf[i])
        drawOrder(d, steps[from], d.scene.rowOf[from], steps[i], d.scene.rowOf[i]);
    }
}

/// The missing order: from what must come first to what must follow.
void drawMissing(Drawing &d) {
  int first = -1, second = -1;
  const std::vector<ScheduleStep> &steps = d.schedule().steps;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].mark == ScheduleStep::first)
      first = static_cast<int>(i);
    if (steps[i].mark == ScheduleStep::second)
      second = static_cast<int>(i);
  }
  if (first < 0 || second < 0 || d.schedule().missing.empty() || !shown(d.scene, first) ||
      !shown(d.scene, second))
    return;
  const double x1 = d.middle(steps[first]), x2 = d.middle(steps[second]);
  const int rowA = d.scene.rowOf[first], rowB = d.scene.rowOf[second];
  const double below = rowA <= rowB ? kBar : 0, above = kBar - below;
  const double y1 = d.rowY(rowA) + (kRow - kBar) / 2 - 2 + (rowA == rowB ? kBar : below);
  const double y2 = d.rowY(rowB) + (kRow - kBar) / 2 - 2 + (rowA == rowB ? kBar : above);
  const double sag = rowA == rowB ? 30 : 0;
  d.svg.path("M" + px(x1) + " " + px(y1) + "C" + px(x1) + " " + px(y1 + sag) + " " + px(x2) + " " +
                 px(y2 + sag) + " " + px(x2) + " " + px(y2),
             {{"fill", "none"},
              {"stroke", kMarkEdge},
              {"stroke-width", "2"},
              {"stroke-dasharray", "6 4"},
              {"marker-end", "url(#sluice-missing)"}});
  const std::string &text = d.schedule().missing;
  const double x = (x1 + x2) / 2 + 8, y = (y1 + y2) / 2 + sag * 0.75 + 4;
  d.svg.rect(x - 4, y - 11, textWidth(text, 11.5) + 8, 15,
             {{"fill", "#ffffff"}, {"fill-opacity", "0.9"}});
  d.svg.text(x, y, text, {11.5, "start", kMarkEdge, true});
}

void drawPhases(Drawing &d) {
  d.y += 12;
  for (const PhaseRow &row : d.scene.phases) {
    d.svg.text(d.left - 10, d.y + 12, row.barrier, {12, "end", kDim});
    for (const PhaseSpan &span : row.spans) {
      const double x = d.x(span.begin), width = d.x(span.end) - x - 2;
      const std::string text = "phase " + std::to_string(span.phase);
      d.svg.open("g", {{"class", "phase"}});
      d.svg.leaf("title", row.barrier + ": " + span.last);
      d.svg.rect(x, d.y, width, kPhase - 3,
                 {{"fill", span.phase % 2 ? "#d9dde3" : "#eceef1"}, {"stroke", "#ffffff"}});
      if (textWidth(text, 11) < width)
        d.svg.text(x + width / 2, d.y + 11.5, text, {11, "middle", kInk});
      d.svg.close("g");
    }
    d.y += kPhase;
  }
}

void drawMarker(SvgWriter &svg, const char *name, const char *colour) {
  svg.open("marker", {{"id", name},
                      {"viewBox", "0 0 8 8"},
                      {"refX", "7"},
                      {"refY", "4"},
                      {"markerWidth", "7"},
                      {"markerHeight", "7"},
                      {"orient", "auto"}});
  svg.path("M0 0L8 4L0 8z", {{"fill", colour}});
  svg.close("marker");
}

std::string element(const Schedule &schedule) {
  const ScheduleScene scene = makeScene(schedule);
  Drawing d{scene};
  for (const ScheduleStep &s : schedule.steps)
    d.marks += s.mark != ScheduleStep::none;
  layOut(d);
  const double width = std::max(d.at.back() + kMargin, 900.0);
  drawTitle(d, width);
  drawRows(d);
  drawOrders(d);
  for (const ScheduleRow &row : scene.rows)
    for (const int i : row.steps)
      if (shown(scene, i))
        drawStep(d, i);
  drawMissing(d);
  drawPhases(d);
  const double height = d.y + kMargin;
  SvgWriter svg;
  svg.openPicture(width, height, schedule.kernel + ": " + schedule.rule);
  svg.open("defs", {});
  drawMarker(svg, "sluice-order", "#8a97a8");
  drawMarker(svg, "sluice-missing", kMarkEdge);
  svg.close("defs");
  svg.rect(0, 0, width, height, {{"fill", "#ffffff"}});
  svg.raw(d.svg.take());
  svg.close("svg");
  return svg.take();
}

constexpr const char *kStyle = R"(
body { margin: 0; font: 14px/1.45 Helvetica, Arial, sans-serif; color: #1c1c1c; background: #fff; }
#view { overflow-x: auto; border-bottom: 1px solid #d8d8d8; }
table { border-collapse: collapse; margin: 16px 28px; }
th, td { text-align: left; padding: 3px 18px 3px 0; border-bottom: 1px solid #e6e8ec; }
tr.marked { background: #fde3e6; font-weight: bold; }
)";

std::string stepRows(const Schedule &schedule) {
  std::string out;
  for (size_t i = 0; i < schedule.steps.size(); ++i) {
    const ScheduleStep &s = schedule.steps[i];
    out += s.mark == ScheduleStep::none ? "<tr>" : "<tr class=\"marked\">";
    const std::string state = s.state == ScheduleStep::late      ? "ends later"
                              : s.state == ScheduleStep::blocked ? "blocked"
                                                                 : "";
    for (const std::string &cell : {std::to_string(i), s.agent, s.operation, state, s.after,
                                    s.loc.line > 0 ? s.loc.str() : std::string()})
      out += "<td>" + xmlEscaped(cell) + "</td>";
    out += "</tr>\n";
  }
  return out;
}

} // namespace
} // namespace sluice::trace

namespace sluice {

std::string drawSvg(const Schedule &schedule) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + trace::element(schedule);
}

std::string drawHtml(const Schedule &schedule) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" +
         trace::xmlEscaped(schedule.kernel + ": " + schedule.rule) + "</title>\n<style>" +
         trace::kStyle + "</style>\n</head>\n<body>\n<div id=\"view\">\n" +
         trace::element(schedule) +
         "</div>\n<table>\n<tr><th>step</th><th>agent</th><th>operation</th><th></th>"
         "<th>barrier after it</th><th>source</th></tr>\n" +
         trace::stepRows(schedule) + "</table>\n</body>\n</html>\n";
}

} // namespace sluice

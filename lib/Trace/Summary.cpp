#include "Trace/Summary.h"

#include "Support/Json.h"
#include "Trace/Format.h"
#include "Trace/Scene.h"
#include "Trace/TextTimeline.h"

#include <algorithm>
#include <cmath>

namespace sluice {
namespace trace {
namespace {

std::string withTime(double cycles, const PictureOptions &options) {
  return cyclesText(cycles) +
         (options.clockGhz > 0 ? " (" + timeText(cycles, options.clockGhz) + ")" : "");
}

using Cells = std::vector<std::string>;

/// Columns as wide as their widest cell; the first to the left, the others to the right.
std::string aligned(const std::vector<Cells> &rows) {
  std::vector<size_t> widths;
  for (const Cells &row : rows)
    for (size_t i = 0; i < row.size(); ++i) {
      widths.resize(std::max(widths.size(), i + 1));
      widths[i] = std::max(widths[i], length(row[i]));
    }
  std::string out;
  for (const Cells &row : rows) {
    std::string line = "  " + padded(row[0], widths[0]);
    for (size_t i = 1; i < row.size(); ++i)
      line += "  " + std::string(widths[i] - length(row[i]), ' ') + row[i];
    out += line + "\n";
  }
  return out;
}

std::string meter(double fraction, size_t width) {
  const double cells = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(width);
  const size_t full = static_cast<size_t>(std::lround(cells));
  return std::string(full, '#') + std::string(width - full, '.');
}

std::string section(const char *title, const std::vector<Cells> &rows) {
  return rows.empty() ? "" : std::string("\n") + title + "\n" + aligned(rows);
}

std::vector<Cells> costRows(const Timeline &t) {
  const auto costs = iterationCosts(t);
  double most = 0;
  for (const IterationCost &c : costs)
    most = std::max(most, c.cycles);
  std::vector<Cells> rows;
  for (const IterationCost &c : costs)
    rows.push_back({c.label, meter(c.cycles / most, 40), cyclesText(c.cycles)});
  return rows;
}

std::vector<Cells> utilisationRows(const Timeline &t) {
  std::vector<Cells> rows;
  for (const auto &[engine, fraction] : utilisationInOrder(t))
    rows.push_back({oneLine(engine), meter(fraction, 40), percentText(fraction)});
  return rows;
}

std::vector<Cells> stallRows(const Timeline &t) {
  constexpr size_t most = 8;
  std::vector<Cells> rows;
  for (size_t i = 0; i < std::min(most, t.stalls.size()); ++i) {
    const Stall &s = t.stalls[i];
    rows.push_back({oneLine(s.row) + " on " + oneLine(s.barrier), cyclesText(s.cycles),
                    std::to_string(s.count) + " times"});
  }
  return rows;
}

} // namespace

std::vector<std::pair<std::string, std::string>> figures(const Timeline &t,
                                                         const PictureOptions &options) {
  std::vector<std::pair<std::string, std::string>> result;
  result.push_back({"cycles", withTime(t.cycles, options)});
  if (t.leadIn > 0)
    result.push_back({"lead-in before them", withTime(t.leadIn, options)});
  if (t.iterations > 0)
    result.push_back({"iterations", cyclesText(static_cast<double>(t.iterations))});
  if (t.initiationInterval > 0)
    result.push_back({"initiation interval", withTime(t.initiationInterval, options)});
  if (t.serialInterval > 0 && t.initiationInterval > 0)
    result.push_back(
        {"gain of the overlap", decimal(t.serialInterval / t.initiationInterval, 2) + " x"});
  if (!t.critical.empty())
    result.push_back({"busiest engine", oneLine(t.critical)});
  if (t.criticalBusy > 0 && t.initiationInterval > 0)
    result.push_back(
        {"its share of an interval", percentText(t.criticalBusy / t.initiationInterval)});
  return result;
}

std::vector<IterationCost> iterationCosts(const Timeline &t) {
  std::vector<IterationCost> costs;
  auto add = [&](std::string label, double cycles) {
    if (cycles > 0 && std::isfinite(cycles))
      costs.push_back({std::move(label), cycles});
  };
  add("serial", t.serialInterval);
  add("as run", t.initiationInterval);
  add(t.critical.empty() ? "busiest engine" : oneLine(t.critical) + " alone", t.criticalBusy);
  return costs;
}

std::string terminalSummary(const Timeline &t, const PictureOptions &options) {
  constexpr size_t columns = 96;
  std::string out = headline(options) + "\n";
  for (const auto &[name, value] : figures(t, options))
    out += "  " + padded(name, 26) + value + "\n";
  out += section("cycles of an iteration", costRows(t));
  out += section("utilisation", utilisationRows(t));
  out += section("longest stalls (cycles)", stallRows(t));
  const std::string timeline = textTimeline(t, columns);
  if (!timeline.empty())
    out += "\ntimeline\n" + timeline;
  if (!t.notes.empty())
    out += "\nnotes\n";
  for (const std::string &note : t.notes)
    out += "  " + oneLine(note) + "\n";
  return out;
}

namespace {

std::string firstWord(const std::string &caption) {
  return caption.substr(0, caption.find(' '));
}

/// Cycles of both, and the second in parts of the first; nothing where one does not have it.
void addPair(const char *figure, double one, double other, std::vector<Cells> &rows) {
  if (one > 0 && other > 0)
    rows.push_back({figure, cyclesText(one), cyclesText(other), decimal(other / one, 2)});
}

std::string sideBySide(const Shown &one, const Shown &other) {
  const Timeline &a = *one.timeline, &b = *other.timeline;
  std::vector<Cells> rows = {{"", firstWord(one.caption), firstWord(other.caption), "ratio"}};
  addPair("cycles", a.cycles, b.cycles, rows);
  addPair("initiation interval", a.initiationInterval, b.initiationInterval, rows);
  for (const Stall &s : a.stalls)
    for (const Stall &t : b.stalls)
      if (s.row == t.row && s.barrier == t.barrier && rows.size() < 10)
        addPair((s.row + " waits on " + s.barrier).c_str(), s.cycles, t.cycles, rows);
  return section("side by side (cycles)", rows);
}

} // namespace

std::string bothSummaries(const Shown &one, const Shown &other, const PictureOptions &options) {
  return "--- " + oneLine(one.caption) + "\n" + terminalSummary(*one.timeline, options) + "\n--- " +
         oneLine(other.caption) + "\n" + terminalSummary(*other.timeline, options) +
         sideBySide(one, other);
}

std::string headline(const PictureOptions &options) {
  std::string text = options.kernel.empty() ? "timeline" : options.kernel;
  if (!options.target.empty())
    text += " on " + options.target;
  if (!options.shape.empty())
    text += ", " + options.shape;
  return oneLine(text);
}

} // namespace trace

/// The members of `sluice trace --json`, into an object that is open.
static void writeSummary(const Timeline &t, JsonWriter &json) {
  json.member("cycles", t.cycles).member("iterations", t.iterations);
  json.member("initiation_interval", t.initiationInterval).member("critical", t.critical);
  json.key("utilisation").beginObject();
  for (const auto &[engine, fraction] : t.utilisation)
    json.member(engine, fraction);
  json.endObject();
  json.key("stalls").beginArray();
  for (const Stall &s : t.stalls) {
    json.beginObject().member("row", s.row).member("barrier", s.barrier);
    json.member("cycles", s.cycles).member("count", s.count).endObject();
  }
  json.endArray();
  json.member("serial_interval", t.serialInterval).member("critical_busy", t.criticalBusy);
  json.member("lead_in", t.leadIn).member("notes", t.notes);
}

std::string summaryJson(const Timeline &t, const MoreMembers &more) {
  JsonWriter json;
  json.beginObject();
  writeSummary(t, json);
  if (more)
    more(json);
  json.endObject();
  return json.str();
}

std::string summaryJson(const Shown &one, const Shown &other, const MoreMembers &more) {
  JsonWriter json;
  json.beginObject();
  for (const Shown *shown : {&one, &other}) {
    json.key(trace::firstWord(shown->caption)).beginObject();
    json.member("caption", shown->caption);
    writeSummary(*shown->timeline, json);
    if (more && shown == &one)
      more(json);
    json.endObject();
  }
  json.endObject();
  return json.str();
}

std::string summaryText(const Timeline &timeline, const PictureOptions &options) {
  return trace::terminalSummary(timeline, options);
}

std::string summaryText(const Shown &one, const Shown &other, const PictureOptions &options) {
  return trace::bothSummaries(one, other, options);
}

} // namespace sluice

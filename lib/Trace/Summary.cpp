#include "Trace/Summary.h"

#include "Machine/Json.h"
#include "Trace/Format.h"
#include "Trace/Scene.h"

#include <cmath>

namespace sluice {
namespace trace {
namespace {

std::string withTime(double cycles, const PictureOptions &options) {
  return cyclesText(cycles) +
         (options.clockGhz > 0 ? " (" + timeText(cycles, options.clockGhz) + ")" : "");
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
  add("nothing overlapped", t.serialInterval);
  add("as run", t.initiationInterval);
  add(t.critical.empty() ? "busiest engine" : oneLine(t.critical) + " alone", t.criticalBusy);
  return costs;
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

std::string summaryJson(const Timeline &t) {
  JsonWriter json;
  json.beginObject();
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
  json.endObject();
  return json.str() + "\n";
}

} // namespace sluice

// Trace Event Format, "JSON Object Format" with complete events (ph X); Google, 2016.
#include "Support/Json.h"
#include "Trace/Format.h"
#include "Trace/Scene.h"
#include "Trace/Summary.h"
#include "Trace/Trace.h"

#include <cmath>

namespace sluice {
namespace {

using namespace trace;

void metadata(JsonWriter &json, const char *what, int pid, int tid, const std::string &name) {
  json.beginObject().member("name", what).member("ph", "M");
  json.member("pid", pid).member("tid", tid);
  json.key("args").beginObject().member("name", name).endObject().endObject();
}

void sortIndex(JsonWriter &json, int pid, int tid) {
  json.beginObject().member("name", "thread_sort_index").member("ph", "M");
  json.member("pid", pid).member("tid", tid);
  json.key("args").beginObject().member("sort_index", tid).endObject().endObject();
}

class ChromeWriter {
public:
  ChromeWriter(JsonWriter &json, double clockGhz)
      : json_(json), perCycle_(clockGhz > 0 ? 1 / (clockGhz * 1000) : 1) {}

  /// Two processes: its roles and its engines.
  void timeline(const Shown &shown) {
    Scene scene = makeScene(*shown.timeline);
    keepVisible(scene, TimeScale({{scene.begin, scene.end, 0, ""}}, 0, 1, 0));
    const std::string of = shown.caption.empty() ? "" : oneLine(shown.caption) + ": ";
    metadata(json_, "process_name", roles_, 0, of + "roles");
    metadata(json_, "process_name", roles_ + 1, 0, of + "engines");
    for (const SceneRow &r : scene.rows)
      row(r);
    roles_ += 2;
  }

private:
  /// Every lane of a row is a thread of its own: complete events of one thread must nest.
  void row(const SceneRow &row) {
    const int pid = row.row->kind == TimelineRow::role ? roles_ : roles_ + 1;
    for (int lane = 0; lane < row.lanes; ++lane) {
      const std::string suffix = lane == 0 ? "" : " (" + std::to_string(lane + 1) + ")";
      metadata(json_, "thread_name", pid, nextThread_ + lane, row.row->name + suffix);
      sortIndex(json_, pid, nextThread_ + lane);
    }
    for (const Bar &bar : row.bars)
      event(bar, pid, nextThread_ + bar.lane);
    nextThread_ += row.lanes;
  }

  /// Microseconds, to the picosecond.
  double time(double cycles) const { return rounded(cycles * perCycle_); }
  static double rounded(double us) { return std::round(us * 1e6) / 1e6; }

  void event(const Bar &bar, int pid, int tid) {
    const TimelineEvent &e = *bar.event;
    const bool work = e.kind == TimelineEvent::work;
    json_.beginObject().member("name", e.name).member("cat", work ? label(bar.kind) : "wait");
    json_.member("ph", "X").member("pid", pid).member("tid", tid);
    json_.member("ts", time(e.begin)).member("dur", rounded(time(e.end) - time(e.begin)));
    json_.key("args").beginObject();
    json_.member("begin_cycle", e.begin).member("end_cycle", e.end);
    if (e.slot >= 0)
      json_.member("slot", e.slot);
    if (e.iteration >= 0)
      json_.member("iteration", e.iteration);
    if (e.loc.line > 0)
      json_.member("location", e.loc.str());
    json_.endObject().endObject();
  }

  JsonWriter &json_;
  double perCycle_;
  int nextThread_ = 1, roles_ = 1; // roles_: the process of the timeline's roles
};

} // namespace

std::string chromeTrace(const Timeline &timeline, const PictureOptions &options) {
  return chromeTraceOf({{"", &timeline}}, options);
}

std::string chromeTraceOf(const std::vector<Shown> &timelines, const PictureOptions &options) {
  JsonWriter json;
  json.beginObject().member("displayTimeUnit", "ns");
  json.key("otherData").beginObject().member("run", headline(options));
  if (options.clockGhz > 0)
    json.member("clock_ghz", options.clockGhz).member("time_unit", "microseconds");
  else
    json.member("time_unit", "cycles, shown as microseconds");
  json.endObject();
  json.key("traceEvents").beginArray();
  ChromeWriter writer(json, options.clockGhz);
  for (const Shown &shown : timelines)
    writer.timeline(shown);
  json.endArray().endObject();
  return json.str() + "\n";
}

} // namespace sluice

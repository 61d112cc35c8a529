// The JSON form of a failing schedule.
#include "Diagnose/Counterexample.h"
#include "Support/Json.h"

namespace sluice {
namespace {

void writeStep(JsonWriter &json, const ScheduleStep &s) {
  static const char *const states[] = {"done", "late", "blocked"};
  static const char *const marks[] = {"", "first", "second"};
  json.beginObject().member("agent", s.agent);
  json.key("cta").beginArray().value(s.id.cta[0]).value(s.id.cta[1]).value(s.id.cta[2]).endArray();
  if (s.id.core.empty())
    json.member("warp", s.id.warp);
  else
    json.member("core", s.id.core).member("pipe", name(s.id.pipe));
  json.member("operation", s.operation);
  json.member("location", s.loc.line == 0 ? std::string() : s.loc.str());
  json.member("barrier", s.barrier).member("before", s.before).member("after", s.after);
  json.member("state", std::string(states[s.state])).member("mark", std::string(marks[s.mark]));
  json.member("column", s.column).member("follows", s.follows).endObject();
}

} // namespace

std::string scheduleJson(const Schedule &schedule) {
  JsonWriter json;
  json.beginObject().member("kernel", schedule.kernel);
  json.key("launch").beginObject().member("text", schedule.launch);
  json.key("tensors").beginObject();
  for (const auto &[tensor, extents] : schedule.extents) {
    json.key(tensor).beginArray();
    for (const int64_t e : extents)
      json.value(e);
    json.endArray();
  }
  json.endObject().key("arguments").beginObject();
  for (const auto &[argument, value] : schedule.arguments)
    json.member(argument, value);
  json.endObject().key("cta").beginArray();
  for (const int64_t c : schedule.first)
    json.value(c);
  json.endArray().endObject();
  json.member("rule", schedule.rule).member("title", schedule.title);
  json.member("message", schedule.message).member("missing", schedule.missing);
  json.key("steps").beginArray();
  for (const ScheduleStep &s : schedule.steps)
    writeStep(json, s);
  json.endArray().endObject();
  return json.str();
}

} // namespace sluice

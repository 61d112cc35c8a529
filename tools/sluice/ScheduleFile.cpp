#include "ScheduleFile.h"

#include "Support/JsonReader.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace sluice::tool {
namespace {

Location locationIn(const std::string &text) { // "gemm.mlir:12:3"
  Location loc;
  const size_t second = text.rfind(':');
  const size_t first = second == std::string::npos ? second : text.rfind(':', second - 1);
  if (first == std::string::npos)
    return loc;
  loc.file = text.substr(0, first);
  loc.line = std::atoi(text.c_str() + first + 1);
  loc.column = std::atoi(text.c_str() + second + 1);
  return loc;
}

std::array<int64_t, 3> coordinates(const JsonValue &value) {
  std::array<int64_t, 3> at{0, 0, 0};
  for (size_t d = 0; d < at.size() && d < value.items().size(); ++d)
    at[d] = value.items()[d].asInteger();
  return at;
}

ScheduleStep stepOf(const JsonValue &value) {
  ScheduleStep s;
  s.agent = value["agent"].asText();
  s.id.cta = coordinates(value["cta"]);
  s.id.warp = static_cast<int>(value["warp"].asInteger());
  s.id.core = value["core"].asText();
  if (const auto pipe = parsePipe(value["pipe"].asText()))
    s.id.pipe = *pipe;
  s.operation = value["operation"].asText();
  s.loc = locationIn(value["location"].asText());
  const std::string &state = value["state"].asText(), &mark = value["mark"].asText();
  s.state = state == "late"      ? ScheduleStep::late
            : state == "blocked" ? ScheduleStep::blocked
                                 : ScheduleStep::done;
  s.mark = mark == "first"    ? ScheduleStep::first
           : mark == "second" ? ScheduleStep::second
                              : ScheduleStep::none;
  return s;
}

} // namespace

Result<Schedule> readSchedule(const std::string &path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    return inputError("cannot read '" + path + "': " + std::strerror(errno));
  const auto json = readJson(text.str());
  if (!json)
    return inputError("'" + path + "': " + json.error().message);
  const JsonValue &root = *json, &launch = root["launch"];
  Schedule s;
  s.kernel = root["kernel"].asText();
  s.rule = root["rule"].asText();
  s.title = root["title"].asText();
  s.message = root["message"].asText();
  s.missing = root["missing"].asText();
  s.launch = launch["text"].asText();
  for (size_t i = 0; i < launch["tensors"].keys().size(); ++i)
    for (const JsonValue &extent : launch["tensors"].items()[i].items())
      s.extents[launch["tensors"].keys()[i]].push_back(extent.asInteger());
  for (size_t i = 0; i < launch["arguments"].keys().size(); ++i)
    s.arguments[launch["arguments"].keys()[i]] = launch["arguments"].items()[i].asInteger();
  s.first = coordinates(launch["cta"]);
  for (const JsonValue &step : root["steps"].items())
    s.steps.push_back(stepOf(step));
  if (s.kernel.empty() || s.steps.empty())
    return inputError("'" + path +
                      "' is no schedule: write one with check KERNEL --counterexample x.json");
  return s;
}

std::map<std::string, std::string> settingsOf(const Schedule &schedule) {
  std::map<std::string, std::string> set;
  for (const auto &[tensor, extents] : schedule.extents) {
    std::string text;
    for (const int64_t e : extents)
      text += (text.empty() ? "" : "x") + std::to_string(e);
    set[tensor] = text;
  }
  for (const auto &[argument, value] : schedule.arguments)
    set[argument] = std::to_string(value);
  return set;
}

Result<bool> checkBelongs(const Schedule &schedule, const Loaded &loaded) {
  const Program &program = loaded.program;
  if (schedule.kernel != program.name)
    return inputError("the schedule belongs to kernel '" + schedule.kernel + "', this one is '" +
                      program.name + "'");
  bool same = schedule.extents.size() == program.tensors.size();
  for (size_t i = 0; same && i < program.tensors.size(); ++i) {
    const auto at = schedule.extents.find(program.tensors[i].name);
    same = at != schedule.extents.end() && at->second == loaded.launch.tensors[i].extents;
  }
  for (size_t i = 0; same && i < program.arguments.size(); ++i) {
    const auto at = schedule.arguments.find(program.arguments[i].name);
    same = at != schedule.arguments.end() && at->second == loaded.launch.arguments[i];
  }
  if (!same)
    return inputError("the schedule is for " + schedule.launch + ", this launch is " +
                      loaded.shape + "; give the same extents with --set");
  return true;
}

} // namespace sluice::tool

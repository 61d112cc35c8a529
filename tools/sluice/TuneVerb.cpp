// sluice tune: times the settings that the planner puts first.
#include "Console.h"
#include "Load.h"
#include "Standing.h"
#include "Tensors.h"
#include "Timing.h"
#include "Verbs.h"

#include "Support/Json.h"
#include "Support/Nearest.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace sluice::tool {
namespace {

struct Timed {
  std::string settings;
  std::optional<double> planned; // milliseconds
  double ms = 0;
  std::optional<double> ratio; // of speed to the vendor's library, on the GPU
};

/// The options with a candidate's settings, none of which they may give themselves; behind a plus
/// those of a second launch.
Result<Options> with(Options options, const std::string &settings) {
  const std::map<std::string, std::string> given = options.set;
  std::istringstream words(settings);
  auto *map = &options.set;
  for (std::string word; words >> word;) {
    if (word == "+" && map == &options.set) {
      map = &options.rest;
      continue;
    }
    const size_t equals = word.find('=');
    if (equals == std::string::npos)
      return inputError("--try " + word + ": write name=value, as in --try \"bn=256 stages=3\"");
    const std::string name = word.substr(0, equals);
    const bool taken = map == &options.set && given.count(name) && given.at(name) != "auto";
    if (taken)
      return inputError("tune chooses " + name + " itself; leave it at auto");
    (*map)[name] = word.substr(equals + 1);
  }
  return options;
}

/// What is timed: the settings, and the time that the planner expects.
Result<std::vector<Timed>> candidatesOf(const Options &options, const Loaded &loaded) {
  std::vector<Timed> rows;
  for (const std::string &settings : options.tries)
    rows.push_back({settings, {}, 0, {}});
  if (!rows.empty())
    return rows;
  auto plan = loaded.entry->plan(*loaded.parameters, *loaded.arch);
  if (!plan)
    return plan.error();
  for (const PlanCandidate &candidate : plan->candidates)
    if (static_cast<int>(rows.size()) < options.candidates)
      rows.push_back({candidate.text(), milliseconds(candidate.cycles, *loaded.arch), 0, {}});
  return rows;
}

/// Times one row. The inputs are made for the first and serve all.
Result<bool> time(Timed &row, const Options &given, std::vector<HostTensor> &inputs) {
  auto options = with(given, row.settings);
  if (!options)
    return options.error();
  if (row.planned)
    options->set = whereTilesFollow(std::move(options->set));
  auto parts = loadParts(*options);
  if (!parts)
    return parts.error();
  if (given.device == "sim") {
    const auto cycles = predictedCycles(*parts);
    if (!cycles)
      return cycles.error();
    row.ms = milliseconds(*cycles, *parts->whole.arch);
    for (const Part &part : parts->parts)
      warn(standingOf(part.loaded));
    return true;
  }
  if (auto possible = checkBench(*parts); !possible)
    return possible.error();
  if (inputs.empty()) {
    auto made = makeTensors(parts->whole, given.seed);
    if (!made)
      return made.error();
    inputs = std::move(*made);
  }
  auto result = measured(*parts, inputs);
  if (!result)
    return result.error();
  row.ms = result->ms.median;
  if (result->withoutVendor.empty())
    row.ratio = result->ratio.median;
  return true;
}

std::string json(const Loaded &loaded, const std::string &device, const std::vector<Timed> &rows) {
  JsonWriter json;
  json.beginObject().member("kernel", loaded.program.name).member("shape", loaded.shape);
  json.member("device", device).key("candidates").beginArray();
  for (const Timed &row : rows) {
    json.beginObject().member("settings", row.settings);
    if (row.planned)
      json.member("planned_ms", *row.planned);
    json.member("ms", row.ms);
    if (row.ratio)
      json.member("ratio", *row.ratio);
    json.endObject();
  }
  json.endArray().endObject();
  return json.str() + "\n";
}

std::string text(const Loaded &loaded, const std::string &device, const std::vector<Timed> &rows) {
  std::string text = loaded.program.name + " " + loaded.shape + " on " + device + "\n";
  for (const Timed &row : rows) {
    char line[256], planned[32] = "", ratio[32] = "";
    if (row.planned)
      std::snprintf(planned, sizeof planned, "  planned %.4f", *row.planned);
    if (row.ratio)
      std::snprintf(ratio, sizeof ratio, "  ratio %.3f", *row.ratio);
    std::snprintf(line, sizeof line, "  %.4f ms%s%s  %s\n", row.ms, planned, ratio,
                  row.settings.c_str());
    text += line;
  }
  return text;
}

} // namespace

int tuneVerb(const Options &options) {
  Options settled = options;
  settled.set = whereTilesFollow(std::move(settled.set));
  auto loaded = loadOne(settled);
  if (!loaded)
    return refuse(loaded.error(), options);
  if (options.device != "sim" && options.device != "cuda" && options.device != "auto")
    return refuse(inputError(unknownName("device", options.device, {"sim", "cuda"})), options);
  if (!loaded->entry || !loaded->entry->plan)
    return refuse(unsupportedError("unsupported: there is no planner for " + loaded->program.name +
                                   ", so there is nothing to choose from"),
                  options);
  if (auto wrong = seedWithoutEffect(options, *loaded); wrong && options.device == "sim")
    return refuse(*wrong, options);
  auto rows = candidatesOf(options, *loaded);
  if (!rows)
    return refuse(rows.error(), options);
  std::vector<HostTensor> inputs;
  for (Timed &row : *rows)
    if (auto timed = time(row, options, inputs); !timed)
      return refuse(timed.error(), options);
  std::ranges::stable_sort(*rows, {}, &Timed::ms);
  const std::string device =
      options.device == "sim" ? "virtual machine " + loaded->arch->name : "the GPU";
  auto written =
      writeText("", options.json ? json(*loaded, device, *rows) : text(*loaded, device, *rows));
  return written ? kExitGood : report(written.error());
}

} // namespace sluice::tool

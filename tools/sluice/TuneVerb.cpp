// sluice tune: times the settings that the planner puts first.
#include "Console.h"
#include "Load.h"
#include "Timing.h"
#include "Verbs.h"

#include "Machine/Json.h"
#include "Machine/Nearest.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace sluice::tool {
namespace {

struct Timed {
  std::string settings;
  double planned = 0, ms = 0;
  std::optional<double> ratio; // of speed to the vendor's library, on the GPU
};

/// The options with a candidate's settings, which must have been auto.
Result<Options> with(Options options, const Parameters &given, const std::string &settings) {
  std::istringstream words(settings);
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (!given.isAuto(name))
      return inputError("tune chooses " + name + " itself; leave it at auto");
    options.set[name] = word.substr(equals + 1);
  }
  return options;
}

Result<Timed> timed(const Options &given, const Loaded &first, const PlanCandidate &candidate) {
  auto options = with(given, *first.parameters, candidate.settings);
  if (!options)
    return options.error();
  auto loaded = loadOne(*options);
  if (!loaded)
    return loaded.error();
  Timed row{candidate.settings, milliseconds(candidate.cycles, *loaded->arch), 0, {}};
  if (given.device == "sim") {
    const auto cycles = predictedCycles(*loaded);
    if (!cycles)
      return cycles.error();
    row.ms = milliseconds(*cycles, *loaded->arch);
    return row;
  }
  auto result = measured(*loaded, given.seed);
  if (!result)
    return result.error();
  row.ms = result->ms.median;
  if (result->withoutVendor.empty())
    row.ratio = result->ratio.median;
  return row;
}

std::string json(const Loaded &loaded, const std::string &device, const std::vector<Timed> &rows) {
  JsonWriter json;
  json.beginObject().member("kernel", loaded.program.name).member("shape", loaded.shape);
  json.member("device", device).key("candidates").beginArray();
  for (const Timed &row : rows) {
    json.beginObject().member("settings", row.settings).member("planned_ms", row.planned);
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
    char line[256], ratio[32] = "";
    if (row.ratio)
      std::snprintf(ratio, sizeof ratio, "  ratio %.3f", *row.ratio);
    std::snprintf(line, sizeof line, "  %.4f ms  planned %.4f%s  %s\n", row.ms, row.planned, ratio,
                  row.settings.c_str());
    text += line;
  }
  return text;
}

} // namespace

int tuneVerb(const Options &options) {
  auto loaded = loadOne(options);
  if (!loaded)
    return report(loaded.error());
  if (options.device != "sim" && options.device != "cuda" && options.device != "auto")
    return report(inputError(unknownName("device", options.device, {"sim", "cuda"})));
  if (!loaded->entry || !loaded->entry->plan)
    return report(unsupportedError("unsupported: there is no planner for " + loaded->program.name +
                                   ", so there is nothing to choose from"));
  auto plan = loaded->entry->plan(*loaded->parameters, *loaded->arch);
  if (!plan)
    return report(plan.error());
  std::vector<Timed> rows;
  for (const PlanCandidate &candidate : plan->candidates) {
    if (static_cast<int>(rows.size()) == options.candidates)
      break;
    auto row = timed(options, *loaded, candidate);
    if (!row)
      return report(row.error());
    rows.push_back(std::move(*row));
  }
  std::ranges::stable_sort(rows, {}, &Timed::ms);
  const std::string device =
      options.device == "sim" ? "virtual machine " + loaded->arch->name : "the GPU";
  auto written =
      writeText("", options.json ? json(*loaded, device, rows) : text(*loaded, device, rows));
  return written ? kExitGood : report(written.error());
}

} // namespace sluice::tool

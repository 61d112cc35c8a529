// sluice run --schedule: the virtual machine takes the steps of a failing schedule.
#include "Console.h"
#include "Load.h"
#include "Proof.h"
#include "ScheduleFile.h"
#include "Tensors.h"
#include "Verbs.h"

#include "Diagnose/Report.h"
#include "Simulate/Simulate.h"
#include "Support/Json.h"
#include "Support/Npy.h"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace sluice::tool {
namespace {

/// What following a schedule has shown.
struct Effect {
  Followed followed;
  std::optional<Violation> violation;
  std::optional<double> error; // largest difference to the machine's own order; none: nothing to
                               // compare with
  double tolerance = 0, cycles = 0, ms = 0;
  bool readsPoison = false; // the outputs hold what memory held before the launch
  bool wrongValues() const { return readsPoison || (error && *error > tolerance); }
  bool seen() const { return violation || wrongValues(); }
};

Result<SimulateResult> runOnce(const Loaded &loaded, uint64_t seed, const Schedule *schedule,
                               std::vector<HostTensor> &tensors) {
  SimulateOptions how;
  how.seed = seed;
  how.schedule = schedule;
  return simulate(loaded.program, *loaded.arch, loaded.launch.arguments, tensors, how);
}

/// Whether the same inputs and steps give other outputs where memory held something else before.
Result<bool> readsPoison(const Loaded &loaded, uint64_t seed, const Schedule &schedule,
                         std::vector<HostTensor> inputs, const std::vector<HostTensor> &outputs) {
  const auto again = runOnce(loaded, seed + 1, &schedule, inputs);
  if (!again)
    return again.error();
  bool differs = false;
  for (size_t i = 0; i < outputs.size(); ++i)
    differs |= loaded.program.tensors[i].output && inputs[i].bytes != outputs[i].bytes;
  return differs;
}

Result<Effect> follow(const Loaded &loaded, const Options &options, const Schedule &schedule) {
  auto tensors = makeTensors(loaded, options.seed);
  if (!tensors)
    return tensors.error();
  const std::vector<HostTensor> inputs = *tensors;
  std::vector<HostTensor> usual = inputs;
  const auto own = runOnce(loaded, options.seed, nullptr, usual);
  if (!own)
    return own.error();
  const auto result = runOnce(loaded, options.seed, &schedule, *tensors);
  if (!result)
    return result.error();
  Effect effect;
  effect.followed = result->followed.value_or(Followed{});
  effect.violation = result->violation;
  effect.cycles = result->cycles;
  effect.ms = result->cycles / (loaded.arch->clockGhz * 1e6);
  for (size_t i = 0; i < tensors->size() && !own->violation && !result->violation; ++i) {
    const Tensor &tensor = loaded.program.tensors[i];
    if (!tensor.output)
      continue;
    const double error = relativeError(toMatrix((*tensors)[i]), toMatrix(usual[i]));
    effect.error = std::max(effect.error.value_or(0), error);
    effect.tolerance = std::max(effect.tolerance, defaultTolerance(tensor.type));
  }
  if (effect.seen())
    return effect;
  const auto poisoned = readsPoison(loaded, options.seed, schedule, inputs, *tensors);
  if (!poisoned)
    return poisoned.error();
  effect.readsPoison = *poisoned;
  return effect;
}

std::string effectText(const Effect &effect) {
  if (const auto &v = effect.violation) {
    const std::string what =
        v->message.substr(0, v->blocked.empty() ? v->message.size() : v->message.find(';'));
    return v->rule + ": " + what;
  }
  if (effect.readsPoison)
    return "wrong values: the results depend on bytes that nothing has written";
  if (!effect.error)
    return "none seen: the machine's own order breaks a rule as well, so values cannot be compared";
  char number[32];
  std::snprintf(number, sizeof number, "%.3g", *effect.error);
  return effect.wrongValues() ? "wrong values: an error of " + std::string(number) +
                                    " against the machine's own order"
                              : "none seen: the values are those of the machine's own order";
}

std::string text(const Loaded &loaded, const Schedule &schedule, const Effect &effect) {
  std::string out = loaded.program.name + " " + loaded.shape + " on virtual machine " +
                    loaded.arch->name + ", following a schedule for " + schedule.rule + " (" +
                    schedule.title + ")\n";
  out += "  followed   " + std::to_string(effect.followed.steps) + " of " +
         std::to_string(schedule.steps.size()) + " steps\n";
  if (!effect.followed.stopped.empty())
    out += "  stopped    " + effect.followed.stopped + "\n";
  out += "  effect     " + effectText(effect) + "\n";
  return effect.violation ? out + blockedText(effect.violation->blocked) : out;
}

std::string json(const Schedule &schedule, const Effect &effect) {
  JsonWriter json;
  json.beginObject().key("error");
  if (effect.error)
    json.value(std::min(*effect.error, std::numeric_limits<double>::max()));
  else
    json.null();
  json.member("tolerance", effect.tolerance).member("cycles", effect.cycles);
  json.member("ms", effect.ms).member("rule", schedule.rule);
  json.member("steps", static_cast<int64_t>(schedule.steps.size()));
  json.member("followed", effect.followed.steps).member("stopped", effect.followed.stopped);
  json.member("effect", std::string(effect.violation       ? "violation"
                                    : effect.wrongValues() ? "values"
                                                           : "none"));
  json.member("violation", effect.violation ? effect.violation->rule : std::string());
  json.member("message", effectText(effect)).endObject();
  return json.str() + "\n";
}

} // namespace

int followVerb(const Options &given) {
  if (given.device == "cuda")
    return refuse(inputError("--schedule: only the virtual machine follows one; leave out "
                             "--device cuda"),
                  given);
  if (given.unproven)
    return refuse(inputError("--schedule: a failing schedule is of what is not proven; leave out "
                             "--unproven"),
                  given);
  for (const auto &[option, asked] : {std::pair{"--out", !given.out.empty()},
                                      {"--expect", !given.expect.empty()},
                                      {"--compare", given.compare},
                                      {"--watchdog", given.watchdog}})
    if (asked)
      return refuse(inputError("--schedule: a run that stops midway has no results; leave out " +
                               std::string(option)),
                    given);
  auto schedule = readSchedule(given.schedule);
  if (!schedule)
    return refuse(schedule.error(), given);
  Options options = given;
  if (options.set.empty() && options.kernel.ends_with(".mlir"))
    options.set = settingsOf(*schedule);
  auto loaded = loadOne(options);
  if (!loaded)
    return refuse(loaded.error(), options);
  if (auto belongs = checkBelongs(*schedule, *loaded); !belongs)
    return refuse(belongs.error(), options);
  auto effect = follow(*loaded, options, *schedule);
  if (!effect)
    return refuse(effect.error(), options);
  const std::string out =
      options.json ? json(*schedule, *effect) : text(*loaded, *schedule, *effect);
  if (auto written = writeText("", out); !written)
    return report(written.error());
  return effect->seen() ? kExitViolated : kExitGood;
}

} // namespace sluice::tool

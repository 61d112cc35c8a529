// sluice plan: settings of a kernel by arithmetic, the fastest first, and why others are out.
#include "BufferingPlan.h"
#include "Console.h"
#include "Load.h"
#include "Parts.h"
#include "PlanOfRows.h"
#include "Proof.h"
#include "Timing.h"
#include "Verbs.h"

#include "Support/Json.h"

#include <cstdio>

namespace sluice::tool {
namespace {

/// What plan=yes builds: every parameter that it gives another value, "bm=128 bn=256 ...".
Result<std::string> settled(const Loaded &loaded) {
  const Parameters &given = *loaded.parameters;
  auto all = loaded.entry->settle(given.with("plan", "yes"), *loaded.arch);
  if (!all)
    return all.error();
  std::string text;
  for (const Parameter &parameter : loaded.entry->parameters)
    if (all->text(parameter.name) != given.text(parameter.name))
      text += (text.empty() ? "" : " ") + parameter.name + "=" + all->text(parameter.name);
  return text;
}

std::string json(const Loaded &loaded, const Plan &plan, const std::string &chosen) {
  JsonWriter json;
  json.beginObject().member("kernel", loaded.program.name).member("shape", loaded.shape);
  json.key("candidates").beginArray();
  for (const PlanCandidate &c : plan.candidates) {
    json.beginObject()
        .member("settings", c.text())
        .member("cycles", c.cycles)
        .member("ms", milliseconds(c.cycles, *loaded.arch))
        .member("limit", c.limit);
    if (!c.why.empty())
      json.member("why", c.why);
    json.endObject();
  }
  json.endArray().key("rejected").beginArray();
  for (const PlanRejected &r : plan.rejected)
    json.beginObject().member("settings", r.settings).member("reason", r.reason).endObject();
  json.endArray().member("chosen", chosen).endObject();
  return json.str() + "\n";
}

std::string text(const Loaded &loaded, const Plan &plan) {
  constexpr size_t shown = 8;
  std::string text = loaded.program.name + " " + loaded.shape + " on " + loaded.arch->name + "\n";
  char line[256];
  for (size_t i = 0; i < std::min(shown, plan.candidates.size()); ++i) {
    const PlanCandidate &c = plan.candidates[i];
    std::snprintf(line, sizeof line, "  %9.0f cycles  %.4f ms  %3.0f %%  %-8s  %s\n", c.cycles,
                  milliseconds(c.cycles, *loaded.arch), 100 * c.tensor / c.cycles, c.limit.c_str(),
                  c.text().c_str());
    text += line;
    if (!c.why.empty())
      text += "      " + c.why + "\n";
  }
  if (plan.candidates.size() > shown)
    text += "  " + std::to_string(plan.candidates.size() - shown) + " slower ones: see --json\n";
  for (const PlanRejected &r : plan.rejected)
    text += "  rejected  " + r.settings + "  " + r.reason + "\n";
  return text;
}

} // namespace

/// Of a user's kernel: how its rings are buffered.
static int planFile(const Options &options, const Loaded &loaded) {
  auto plan = bufferingPlan(options, loaded);
  if (!plan)
    return refuse(plan.error(), options);
  const std::string chosen = plan->candidates.empty() ? "" : plan->candidates.front().settings;
  auto written = writeText("", options.json ? json(loaded, *plan, chosen) : text(loaded, *plan));
  return written ? kExitGood : report(written.error());
}

int planVerb(const Options &given) {
  if (const auto done = planOfRows(given))
    return *done;
  Options options = given;
  options.set = whereTilesFollow(std::move(options.set));
  auto loaded = loadOne(options);
  if (!loaded)
    return refuse(loaded.error(), options);
  if (!loaded->entry)
    return planFile(options, *loaded);
  if (!loaded->entry->plan)
    return refuse(unsupportedError("unsupported: there is no planner for " + loaded->program.name +
                                   "; give its parameters with --set"),
                  options);
  for (const std::string &name : loaded->entry->chosen)
    if (!loaded->parameters->isAuto(name))
      return refuse(inputError("plan chooses " + name + " itself; leave it at auto"), options);
  auto plan = loaded->entry->plan(*loaded->parameters, *loaded->arch);
  if (!plan)
    return refuse(plan.error(), options);
  auto chosen = settled(*loaded);
  if (!chosen)
    return refuse(chosen.error(), options);
  auto written = writeText("", options.json ? json(*loaded, *plan, *chosen) : text(*loaded, *plan));
  return written ? kExitGood : report(written.error());
}

} // namespace sluice::tool

// sluice check: prove every kernel of the file; the worst verdict counts.
#include "Console.h"
#include "Load.h"
#include "Proof.h"
#include "Verbs.h"

#include "Diagnose/Counterexample.h"
#include "Diagnose/Report.h"
#include "Trace/Trace.h"

#include <chrono>
#include <filesystem>

namespace sluice::tool {
namespace {

/// A verdict that covers less than was asked for is incomplete.
int exitCode(const Verdict &verdict, bool thisLaunch) {
  if (verdict.kind == Verdict::violated)
    return kExitViolated;
  const bool enough =
      thisLaunch ? verdict.coverage.ctas == "all" : verdict.coverage.isEveryLaunch();
  return verdict.kind == Verdict::proven && enough ? kExitGood : kExitUnsupported;
}

std::string heading(const Loaded &loaded) {
  return loaded.program.name + " on " + std::string(name(loaded.program.target)) + " (" +
         loaded.arch->name + "), " + loaded.shape + "\n";
}

using Drawing = std::string (*)(const Schedule &);

std::string jsonLine(const Schedule &schedule) {
  return scheduleJson(schedule) + "\n";
}

/// What the ending of the path names.
Result<Drawing> drawing(const std::string &path) {
  const std::string ending = std::filesystem::path(path).extension();
  if (ending == ".svg")
    return static_cast<Drawing>(&drawSvg);
  if (ending == ".html")
    return static_cast<Drawing>(&drawHtml);
  if (ending == ".json")
    return &jsonLine;
  return inputError("--counterexample " + path + ": the name must end in .svg, .html or .json");
}

/// Of the first violated kernel. A violation without a schedule is a note, not an error.
Result<bool> writeCounterexample(const Options &options, const Loaded &loaded,
                                 const Verdict &verdict, Drawing draw) {
  auto schedule = failingSchedule(loaded.program, *loaded.arch, loaded.launch, verdict);
  if (!schedule) {
    note(schedule.error().message);
    return true;
  }
  return writeText(options.counterexample, draw(*schedule));
}

} // namespace

int checkVerb(const Options &options) {
  auto begin = std::chrono::steady_clock::now();
  Drawing draw = nullptr;
  if (!options.counterexample.empty()) {
    auto known = drawing(options.counterexample);
    if (!known)
      return refuse(known.error(), options);
    draw = *known;
  }
  auto all = load(options, options.thisLaunch ? Missing::refused : Missing::chosen);
  if (!all)
    return refuse(all.error(), options);
  std::string text;
  std::optional<Verdict> total;
  for (const Loaded &loaded : *all) {
    CheckOptions how = limitsOf(options);
    how.strict = options.strict;
    const Verdict verdict = judge(loaded, options.thisLaunch, how);
    text += heading(loaded) + verdictText(verdict);
    if (draw && verdict.kind == Verdict::violated) {
      if (auto written = writeCounterexample(options, loaded, verdict, draw); !written)
        return report(written.error());
      draw = nullptr;
    }
    total = total ? worst(*total, verdict) : verdict;
  }
  if (draw)
    note("--counterexample: no rule is broken, so there is nothing to draw");
  std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begin;
  if (options.json)
    text = verdictJson(*total, passed.count()) + "\n";
  if (auto written = writeText("", text); !written)
    return report(written.error());
  return exitCode(*total, options.thisLaunch);
}

} // namespace sluice::tool

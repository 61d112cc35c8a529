#include "Proof.h"

#include "Console.h"

#include "Diagnose/Report.h"
#include "Emit/Emit.h"

#include <algorithm>

namespace sluice::tool {

CheckOptions limitsOf(const Options &options) {
  constexpr double leastOfRun = 5; // seconds
  CheckOptions limits;
  limits.seconds = options.limit;
  limits.secondsOfRun = std::max(options.limit, leastOfRun);
  return limits;
}

Verdict judge(const Loaded &loaded, bool thisLaunch, CheckOptions options) {
  options.allCtas = true;
  Verdict verdict =
      (thisLaunch ? check : prove)(loaded.program, *loaded.arch, loaded.launch, options);
  if (verdict.kind != Verdict::proven || isAscend(loaded.program.target))
    return verdict;
  if (const auto source = emitCuda(loaded.program, {}); !source) {
    const Error &error = source.error();
    const std::string at = error.location.line > 0 ? error.location.str() + ": " : "";
    verdict.notes.insert(verdict.notes.begin(), "no source for " +
                                                    std::string(name(loaded.program.target)) +
                                                    ": " + at + error.message);
    if (loaded.byHand)
      return verdict;
    verdict.kind = Verdict::unsupported;
    verdict.coverage = {};
    verdict.tripCounts = "no source can be printed";
  }
  return verdict;
}

Verdict refusal(const Error &error) {
  Verdict verdict;
  const std::string rule = ruleOf(error);
  const std::string at = error.location.line > 0 ? error.location.str() + ": " : "";
  if (rule.empty()) {
    verdict.kind = Verdict::unsupported;
    verdict.tripCounts = "nothing was run";
    verdict.notes = {at + error.message};
    return verdict;
  }
  verdict.kind = Verdict::violated;
  verdict.coverage = Coverage::everyLaunch();
  verdict.tripCounts = "every launch: refused before any run";
  Violation violation;
  violation.rule = rule;
  violation.message = error.message.substr(rule.size() + 2);
  violation.location = error.location;
  verdict.violations = {violation};
  return verdict;
}

Verdict met(Violation violation) {
  Verdict verdict;
  verdict.kind = Verdict::violated;
  verdict.coverage = {"as far as it came", "all", "this launch"};
  verdict.tripCounts = "refused at this launch";
  verdict.violations = {std::move(violation)};
  return verdict;
}

int refuse(const Error &error, const Options &options) {
  if (options.json)
    if (auto written = writeText("", verdictJson(refusal(error), 0) + "\n"); !written)
      return report(written.error());
  return report(error);
}

int refuse(const Error &error, const Verdict &verdict, const Options &options) {
  if (options.json)
    if (auto written = writeText("", verdictJson(verdict, 0) + "\n"); !written)
      return report(written.error());
  report(error);
  return verdict.kind == Verdict::violated ? kExitViolated : kExitUnsupported;
}

Verdict judgeHere(const Loaded &loaded) {
  Verdict here = judge(loaded, /*thisLaunch=*/true);
  if (here.kind != Verdict::unsupported)
    return here;
  Verdict every = judge(loaded, /*thisLaunch=*/false);
  return every.kind == Verdict::proven ? every : here;
}

std::optional<Error> unproven(const Loaded &loaded) {
  return unproven(loaded, judgeHere(loaded));
}

std::optional<Error> unproven(const Loaded &loaded, const Verdict &verdict) {
  std::string start = "kernel '" + loaded.program.name + "' is not proven: ";
  switch (verdict.kind) {
  case Verdict::proven:
    return {};
  case Verdict::violated: {
    const Violation &first = verdict.violations.front();
    const std::string where = verdict.witness ? " (" + verdict.tripCounts + ")" : "";
    return Error{Error::input, start + first.rule + ": " + first.message + where, first.location};
  }
  case Verdict::unsupported:
    return unsupportedError(start +
                            (verdict.notes.empty() ? verdict.tripCounts : verdict.notes.front()));
  }
  return {};
}

std::optional<Error> unprovenSomewhere(const Loaded &loaded, const Verdict &verdict) {
  if (verdict.kind != Verdict::proven)
    return unproven(loaded, verdict);
  if (verdict.provenForEveryLaunch())
    return {};
  return unsupportedError("kernel '" + loaded.program.name + "' is proven for this launch alone: " +
                          (verdict.notes.empty() ? verdict.tripCounts : verdict.notes.front()));
}

} // namespace sluice::tool

#include "Diagnose/Check.h"

#include "Diagnose/Causes.h"
#include "Diagnose/ToldRun.h"

namespace sluice {
namespace {

/// The violation as a run like the one that has met it tells it. Each event of a recorded one is
/// written down, so that long ones are told without.
std::optional<Violation> told(const Program &program, const Launch &launch,
                              const CheckOptions &options, const RunGroup &group, bool recorded) {
  constexpr int64_t mostRecorded = 100'000;
  Context context(program, &launch);
  context.group = group.size;
  context.mostGiven = group.given;
  context.strict = options.strict;
  context.maxEvents = recorded ? mostRecorded : options.maxEvents;
  Journal journal;
  ToldRun run(context, group.first);
  if (recorded)
    run.record(journal);
  Result<std::optional<Violation>> result = run.run();
  if (!result || !*result)
    return {};
  if (recorded)
    nameCause(**result, program, journal, run.offence());
  return std::move(*result);
}

} // namespace

Verdict check(const Program &program, const Arch &arch, const Launch &launch,
              const CheckOptions &options) {
  Verdict verdict = checkLaunch(program, arch, launch, options);
  if (verdict.kind != Verdict::violated || !verdict.group)
    return verdict;
  for (const bool recorded : {true, false})
    if (auto again = told(program, launch, options, *verdict.group, recorded)) {
      verdict.violations = {std::move(*again)};
      break;
    }
  return verdict;
}

} // namespace sluice

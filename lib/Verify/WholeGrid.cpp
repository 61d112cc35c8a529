#include "Verify/WholeGrid.h"

#include "Verify/AccessPairs.h"
#include "Verify/EveryLaunch.h"
#include "Verify/Rewriting.h"
#include "Verify/TripCounts.h"
#include "Verify/Unknowns.h"

#include <algorithm>

namespace sluice {
namespace {

constexpr double firstLook = 1; // seconds; most proofs of all launches take less

/// Extents and arguments of the launch in the place of what asks for them.
Program atLaunch(Program program, const Launch &launch) {
  for (size_t t = 0; t < program.tensors.size(); ++t)
    program.tensors[t].extents = launch.tensors[t].extents;
  program.assumptions.clear(); // the launch keeps them
  forScalars(program.body, [&launch](Scalar &s) {
    if (isUnknown(s))
      s = {ScalarOp::constant, s.result, {}, numberOf(s, launch)};
  });
  return program;
}

/// With the launch's extents and arguments for numbers.
std::optional<std::set<std::string>> ofThisLaunch(const Program &program, const Launch &launch,
                                                  const CheckOptions &options) {
  const Program fixed = atLaunch(program, launch);
  Context context(fixed, nullptr);
  context.strict = options.strict;
  context.deadline = options.until;
  TripLimits limits;
  limits.seconds = options.seconds;
  const TripProof proof = proveTripCounts(context, limits);
  if (proof.violation || proof.unsupported)
    return std::nullopt;
  const AccessForms::Units noUnits;
  if (!overlaps(fixed, noUnits, launch, context.movesWith, context.uncompared, context.terms.met,
                context.counters)
           .empty())
    return std::nullopt;
  return context.assumptions;
}

/// Of all launches, with steps and tiles uncounted, where this one's are many.
std::optional<std::set<std::string>> ofEveryLaunch(const Program &program, const Launch &launch,
                                                   const CheckOptions &options) {
  CheckOptions limited = options;
  const std::chrono::duration<double> all(2 * options.seconds);
  limited.proofUntil = ThreadClock::now() + std::chrono::duration_cast<ThreadClock::duration>(all);
  EveryLaunch every(program, limited);
  if (!every.closed() || !every.open(launch).empty())
    return std::nullopt;
  Verdict ran;
  ran.kind = Verdict::proven;
  const Verdict verdict = every.proven(program, ran);
  return std::set<std::string>(verdict.assumptions.begin(), verdict.assumptions.end());
}

} // namespace

std::optional<std::set<std::string>>
provenForWholeGrid(const Program &program, const Launch &launch, const CheckOptions &options) {
  CheckOptions some = options;
  for (some.seconds = std::min(firstLook, options.seconds);; some.seconds = options.seconds) {
    for (const auto proof : {ofEveryLaunch, ofThisLaunch})
      if (auto assumed = proof(program, launch, some))
        return assumed;
    if (some.seconds == options.seconds)
      return std::nullopt;
  }
}

} // namespace sluice

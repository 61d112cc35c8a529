#include "Verify/WholeGrid.h"

#include "Verify/AccessPairs.h"
#include "Verify/Rewriting.h"
#include "Verify/TripCounts.h"
#include "Verify/Unknowns.h"

namespace sluice {
namespace {

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

} // namespace

std::optional<std::set<std::string>>
provenForWholeGrid(const Program &program, const Launch &launch, const CheckOptions &options) {
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

} // namespace sluice

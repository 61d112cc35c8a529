// The verdict for every trip count: structure, the graph of states, and a launch for each
// violation.
#include "Verify/Verify.h"

#include "Verify/LaunchFor.h"
#include "Verify/TripCounts.h"

#include <algorithm>

namespace sluice {
namespace {

std::string decidedText(const Context &context, const TripProof &proof) {
  std::string text;
  for (const auto &[instance, range] : proof.decided) {
    const std::string term = context.terms.text({instance.term, 0});
    text += text.empty() ? "" : ", ";
    if (range.exact())
      text += term + " = " + std::to_string(range.lo);
    else if (range.hi >= Range::infinite)
      text += term + " >= " + std::to_string(range.lo);
    else
      text += term + " <= " + std::to_string(range.hi);
  }
  return text.empty() ? "any trip counts" : text;
}

/// The violation at a launch that shows it: a run of real trip counts is the judge.
Verdict atSomeLaunch(const Program &program, const Arch &arch, const Launch &given,
                     const Context &context, const TripProof &proof) {
  int64_t events = proof.events;
  std::vector<Launch> launches;
  for (const int part : {4, 0, 2, 1, 3}) // of the ranges that are left open
    for (const Launch &otherwise : {uniformLaunch(program, 1), given})
      launches.push_back(launchFor(program, context.terms, proof.decided, otherwise, part));
  for (const Launch &launch : launches) {
    Verdict verdict = check(program, arch, launch, {context.strict});
    events += verdict.events;
    if (verdict.kind != Verdict::violated)
      continue;
    verdict.events = events;
    verdict.tripCounts = "refused at " + launchText(program, launch);
    verdict.witness = launch;
    return verdict;
  }
  Verdict verdict;
  verdict.kind = Verdict::unsupported;
  verdict.tripCounts = "none";
  verdict.events = events;
  verdict.notes.push_back("with " + decidedText(context, proof) +
                          " it may break a rule, but no launch was found that does so. " +
                          proof.violation->rule + ": " + proof.violation->message);
  return verdict;
}

} // namespace

Verdict prove(const Program &program, const Arch &arch, const Launch &launch,
              const CheckOptions &options) {
  if (!checkStructure(program, arch).empty())
    return check(program, arch, launch);
  Context context(program, nullptr);
  context.strict = options.strict;
  const TripProof proof = proveTripCounts(context);
  if (proof.violation)
    return atSomeLaunch(program, arch, launch, context, proof);
  Verdict verdict = check(program, arch, launch, options);
  verdict.events += proof.events;
  verdict.states = proof.states;
  if (verdict.kind != Verdict::proven)
    return verdict;
  if (proof.unsupported) {
    verdict.kind = Verdict::unsupported;
    verdict.notes.insert(verdict.notes.begin(), "every trip count: " + proof.unsupported->message);
    return verdict;
  }
  verdict.tripCounts = "all";
  for (const std::string &a : context.assumptions)
    if (std::find(verdict.assumptions.begin(), verdict.assumptions.end(), a) ==
        verdict.assumptions.end())
      verdict.assumptions.push_back(a);
  for (const std::string &note : context.observed.notes(program))
    verdict.notes.push_back(note);
  return verdict;
}

} // namespace sluice

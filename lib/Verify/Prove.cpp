// The verdict for every trip count: structure, the graph of states, and a launch for each
// violation.
#include "Verify/Verify.h"

#include "Verify/Guard.h"
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

/// A proof for every launch of a program.
struct Attempt {
  Attempt(const Program &program, const CheckOptions &options) : context(program, nullptr) {
    context.strict = options.strict;
    proof = proveTripCounts(context);
  }
  bool closed() const { return !proof.violation && !proof.unsupported; }

  Context context;
  TripProof proof;
};

/// The violation at a launch that shows it: a run of real trip counts is the judge.
Verdict atSomeLaunch(const Program &program, const Arch &arch, const Launch &given,
                     const Attempt &attempt, const std::optional<Guard> &guard) {
  const auto &[context, proof] = attempt;
  int64_t events = proof.events;
  std::vector<Launch> launches;
  for (const int part : {4, 0, 2, 1, 3}) // of the ranges that are left open
    for (const Launch &otherwise : {uniformLaunch(program, 1), given}) {
      const Launch start = guard ? guard->inUnits(otherwise) : otherwise;
      launches.push_back(launchFor(context.program, context.terms, proof.decided, start, part));
    }
  for (Launch &launch : launches) {
    if (guard)
      launch = guard->outOfUnits(launch);
    setDenseStrides(program, launch);
    if (brokenAssumption(program, launch))
      continue;
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

/// Whether a warp of a kernel that does nothing else comes to its only operation.
bool someLaunchKeeps(const Program &program, std::vector<Assumption> assumptions) {
  Program p;
  p.tensors = program.tensors;
  p.arguments = program.arguments;
  p.assumptions = std::move(assumptions);
  p.warps = 1;
  p.body.stmts.push_back({WarpSync{}, Exec::threads, Pipe::none, {}});
  const std::optional<Guard> guard = guarded(p);
  if (!guard)
    return true;
  Context context(guard->program, nullptr);
  return proveTripCounts(context).events > 0;
}

} // namespace

std::optional<Error> impossibleAssumption(const Program &program) {
  std::vector<Assumption> before;
  for (const Assumption &a : program.assumptions) {
    const bool alone = !someLaunchKeeps(program, {a});
    before.push_back(a);
    if (alone || !someLaunchKeeps(program, before))
      return inputError("kernel " + program.name + " assumes \"" + a.text +
                            "\", which no launch keeps" +
                            (alone ? "" : " beside what it assumes before"),
                        a.loc);
  }
  return std::nullopt;
}

Verdict prove(const Program &program, const Arch &arch, const Launch &launch,
              const CheckOptions &options) {
  if (!checkStructure(program, arch).empty())
    return check(program, arch, launch);
  const Attempt all(program, options);
  const std::optional<Guard> guard = all.closed() ? std::nullopt : guarded(program);
  std::optional<Attempt> kept; // launches that keep what the author assumes
  if (guard)
    kept.emplace(guard->program, options);
  const Attempt &attempt = kept ? *kept : all;
  const TripProof &proof = attempt.proof;
  if (proof.violation)
    return atSomeLaunch(program, arch, launch, attempt, guard);
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
  for (const std::string &a : attempt.context.assumptions)
    if (std::find(verdict.assumptions.begin(), verdict.assumptions.end(), a) ==
        verdict.assumptions.end())
      verdict.assumptions.push_back(a);
  if (guard)
    verdict.assumptions.insert(verdict.assumptions.end(), guard->texts.begin(), guard->texts.end());
  for (const std::string &note : attempt.context.observed.notes(attempt.context.program))
    verdict.notes.push_back(note);
  return verdict;
}

} // namespace sluice

// The verdict for every trip count: structure, the graph of states, and a launch for each
// violation.
#include "Verify/Verify.h"

#include "Verify/Guard.h"
#include "Verify/LaunchFor.h"
#include "Verify/TripCounts.h"

#include <algorithm>
#include <memory>

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

/// A proof for every launch of a program. `numbered`: Terms::numbered.
struct Attempt {
  Attempt(const Program &program, const CheckOptions &options, int64_t numbered)
      : context(program, nullptr) {
    context.strict = options.strict;
    context.terms.numbered = numbered;
    proof = proveTripCounts(context);
  }
  bool closed() const { return !proof.violation && !proof.unsupported; }

  Context context;
  TripProof proof;
};

/// The proof for every launch, or for those that keep what the author assumes where it takes that.
struct Proof {
  Proof(const Program &program, const CheckOptions &options, int64_t numbered)
      : attempt_(std::make_unique<Attempt>(program, options, numbered)) {
    if (!attempt_->closed())
      guard = guarded(program);
    if (guard)
      attempt_ = std::make_unique<Attempt>(guard->program, options, numbered);
  }
  Proof(const Proof &) = delete; // the attempt is one of the guarded program here

  const Context &context() const { return attempt_->context; }
  const TripProof &result() const { return attempt_->proof; }

  std::optional<Guard> guard;

private:
  std::unique_ptr<Attempt> attempt_;
};

/// The violation at a launch that shows it: a run of real trip counts is the judge. Nothing where
/// none does.
std::optional<Verdict> atSomeLaunch(const Program &program, const Arch &arch, const Launch &given,
                                    const Proof &of) {
  const Context &context = of.context();
  const TripProof &proof = of.result();
  const std::optional<Guard> &guard = of.guard;
  int64_t events = proof.events;
  std::vector<Launch> launches;
  auto decided = proof.decided;
  for (int order = 0; order < 2; ++order) { // the last of several about one unknown holds
    for (const int part : {4, 0, 2, 1, 3})  // of the ranges that are left open
      for (const Launch &otherwise : {uniformLaunch(program, 1), given}) {
        const Launch start = guard ? guard->inUnits(otherwise) : otherwise;
        launches.push_back(launchFor(context.program, context.terms, decided, start, part));
      }
    std::reverse(decided.begin(), decided.end());
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
  return {};
}

Verdict shownByNoLaunch(const Context &context, const TripProof &proof) {
  Verdict verdict;
  verdict.kind = Verdict::unsupported;
  verdict.tripCounts = "none";
  verdict.events = proof.events;
  verdict.notes.push_back("with " + decidedText(context, proof) +
                          " it may break a rule, but no launch was found that does so. " +
                          proof.violation->rule + ": " + proof.violation->message);
  return verdict;
}

/// A launch like it, of at most 2 K elements in a dimension: what is longer keeps its remainder.
Launch smaller(const Program &program, Launch launch) {
  for (size_t t = 0; t < program.tensors.size(); ++t) {
    const std::vector<int64_t> &fixed = program.tensors[t].extents;
    std::vector<int64_t> &extents = launch.tensors[t].extents;
    for (size_t d = 0; d < extents.size(); ++d)
      if (extents[d] > 2048 && (d >= fixed.size() || fixed[d] < 0))
        extents[d] = 1024 + extents[d] % 1024;
  }
  setDenseStrides(program, launch);
  return launch;
}

/// What a run shows beside the proof of every launch: CTAs of one grid against each other. So it
/// may be one of a smaller launch.
Verdict besideProof(const Program &program, const Arch &arch, const Launch &launch,
                    CheckOptions options) {
  const CheckOptions whole = options;
  options.maxEvents = 2'000'000; // 2 s
  Verdict verdict = check(program, arch, launch, options);
  if (!verdict.tooLong)
    return verdict;
  const Launch instead = smaller(program, launch);
  if (!brokenAssumption(program, instead))
    verdict = check(program, arch, instead, options);
  if (verdict.kind != Verdict::proven)
    return check(program, arch, launch, whole);
  verdict.notes.push_back("the run at the extents asked for is long; what CTAs do to each other's "
                          "tensors was looked at with " +
                          launchText(program, instead));
  return verdict;
}

/// The verdict of a proof without a violation.
Verdict closed(const Program &program, const Arch &arch, const Launch &launch,
               const CheckOptions &options, const Proof &of) {
  const TripProof &proof = of.result();
  Verdict verdict = proof.unsupported ? check(program, arch, launch, options)
                                      : besideProof(program, arch, launch, options);
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
  for (const std::string &a : of.context().assumptions)
    if (std::find(verdict.assumptions.begin(), verdict.assumptions.end(), a) ==
        verdict.assumptions.end())
      verdict.assumptions.push_back(a);
  if (of.guard)
    verdict.assumptions.insert(verdict.assumptions.end(), of.guard->texts.begin(),
                               of.guard->texts.end());
  for (const std::string &note : of.context().observed.notes(of.context().program))
    verdict.notes.push_back(note);
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
  Verdict verdict;
  // What no launch shows may come of comparisons that were let go either way.
  for (const int64_t numbered : {0, 64}) {
    const Proof proof(program, options, numbered);
    if (!proof.result().violation)
      return closed(program, arch, launch, options, proof);
    if (const auto shown = atSomeLaunch(program, arch, launch, proof))
      return *shown;
    verdict = shownByNoLaunch(proof.context(), proof.result());
  }
  return verdict;
}

} // namespace sluice

// The verdict for every launch, and where there is none a launch that shows why.
#include "Diagnose/Check.h"

#include "Diagnose/LaunchFor.h"
#include "Diagnose/NearbyLaunches.h"
#include "Diagnose/PartClusters.h"
#include "Program/Assumption.h"
#include "Program/CoreMeeting.h"
#include "Program/Extent.h"
#include "Program/OperationFacts.h"
#include "Verify/AccessSites.h"
#include "Verify/EveryLaunch.h"
#include "Verify/Names.h"
#include "Verify/Sources.h"
#include "Verify/Structure.h"
#include "Verify/WholeClusters.h"

#include <algorithm>
#include <chrono>
#include <functional>

namespace sluice {
namespace {

/// For runs that look for a launch that shows a violation.
constexpr std::chrono::seconds witnessTime{5};
/// Of an attempt in the first look at a program, and of the search for a launch that shows a
/// violation behind it, which spares long ones.
constexpr double shortProof = 1;

ThreadClock::duration processorTime(double seconds) {
  return std::chrono::duration_cast<ThreadClock::duration>(std::chrono::duration<double>(seconds));
}

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

/// Whether a launcher takes numbers of this size.
bool isTaken(const Program &program, const Launch &launch) {
  const auto isExtent = [](int64_t n) { return n >= 0 && n <= mostExtent; };
  const auto fits32 = [](int64_t n) { return n == static_cast<int32_t>(n); };
  for (size_t i = 0; i < launch.arguments.size(); ++i)
    if (program.arguments[i].type != DType::f32 && !fits32(launch.arguments[i]))
      return false;
  return std::ranges::all_of(launch.tensors, [&](const Launch::Shape &shape) {
    return std::ranges::all_of(shape.extents, isExtent) &&
           std::ranges::all_of(shape.integers, fits32);
  });
}

/// What a run at the launch shows, where it is a violation.
std::optional<Verdict> refusedAt(const Program &program, const Arch &arch, const Launch &launch,
                                 const CheckOptions &options, int64_t &events) {
  if (!isTaken(program, launch) || brokenAssumption(program, launch) ||
      ThreadClock::now() > options.until)
    return {};
  Verdict verdict = check(program, arch, launch, options);
  events += verdict.events;
  if (verdict.kind != Verdict::violated || lacksCounters(program, verdict.violations.front()))
    return {};
  verdict.events = events;
  verdict.tripCounts = "refused at " + launchText(program, launch);
  verdict.coverage.launches = launchText(program, launch);
  verdict.witness = launch;
  return verdict;
}

/// The violation at a launch that shows it: a run of real trip counts is the judge. Nothing where
/// none does.
std::optional<Verdict> atSomeLaunch(const Program &program, const Arch &arch, const Launch &given,
                                    const EveryLaunch &of) {
  const Context &context = of.context();
  const TripProof &proof = of.result();
  const std::optional<Guard> &guard = of.guard();
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
  CheckOptions options;
  options.strict = context.strict;
  options.violationsAlone = true;
  options.until = ThreadClock::now() + witnessTime;
  for (Launch &launch : launches) {
    if (guard)
      launch = guard->outOfUnits(launch);
    setDenseStrides(program, launch);
    if (auto refused = refusedAt(program, arch, launch, options, events))
      return refused;
  }
  return {};
}

/// Violations that a launch shows and that count for nothing.
using Ignored = std::function<bool(const Violation &)>;

/// Whether numbers of tensors place what meets in a race. A proof that has come to an end would
/// assume that they keep it apart (tiles-apart).
bool isPlacedByData(const Program &program, const Violation &v) {
  if (v.rule != "R26" && v.rule != "R27")
    return false;
  const Sources sources(program, {});
  const auto ofData = [&](const Index &i) { return !i.isConstant() && sources.isOfData(i.value); };
  return std::ranges::any_of(accessSites(program), [&](const AccessSite &site) {
    return program.tensors[site.view->object].name == v.barrier &&
           (std::ranges::any_of(site.view->offset, ofData) ||
            std::ranges::any_of(site.view->clips, ofData, &Clip::end));
  });
}

/// Whether a verdict assumes that what meets in a race does not.
bool isAssumedApart(const Verdict &verdict, const Violation &v) {
  return (v.rule == "R26" || v.rule == "R27") &&
         std::ranges::any_of(verdict.assumptions, [&v](const std::string &a) {
           return a.find("-apart: parts of " + v.barrier + " ") != std::string::npos;
         });
}

/// A violation at one of the launches around the constants of the program.
std::optional<Verdict> atNearbyLaunch(const Program &program, const Arch &arch, const Launch &given,
                                      CheckOptions options, const Ignored &ignored,
                                      ThreadClock::duration time = witnessTime) {
  constexpr size_t most = 300;
  options.until = ThreadClock::now() + time;
  options.allCtas = false;
  options.violationsAlone = true;
  options.maxEvents = 200'000;
  int64_t events = 0;
  for (const Launch &launch : nearbyLaunches(program, given, most)) {
    auto refused = refusedAt(program, arch, launch, options, events);
    if (refused && refused->violations.front().rule != "R12" && // of grids WholeClusters.h tells
        !ignored(refused->violations.front()))
      return refused;
  }
  return {};
}

/// The same beside a proof that has not come to an end.
std::optional<Verdict> atNearbyLaunch(const Program &program, const Arch &arch, const Launch &given,
                                      const CheckOptions &options,
                                      ThreadClock::duration time = witnessTime) {
  return atNearbyLaunch(
      program, arch, given, options,
      [&program](const Violation &v) { return isPlacedByData(program, v); }, time);
}

Verdict shownByNoLaunch(const Context &context, const TripProof &proof) {
  Verdict verdict;
  verdict.kind = Verdict::unsupported;
  verdict.tripCounts = "no launch shows what may be wrong";
  verdict.events = proof.events;
  verdict.notes.push_back("with " + decidedText(context, proof) +
                          " it may break a rule, but no launch was found that does so. " +
                          proof.violation->rule + ": " + proof.violation->message);
  return verdict;
}

Verdict refusedAt(const Launch &launch, const Program &program, const Arch &arch,
                  const CheckOptions &options) {
  Verdict verdict = check(program, arch, launch, options);
  verdict.tripCounts = "refused at " + launchText(program, launch);
  verdict.coverage.launches = launchText(program, launch);
  verdict.witness = launch;
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

/// A run of a few CTAs, where one passes: they may name counters that so small a launch has not.
Verdict ofSmallGrid(const Program &program, const Arch &arch, const CheckOptions &options,
                    const Verdict &otherwise) {
  for (const int64_t extent : {4, 2, 1}) {
    const Launch small = uniformLaunch(program, extent);
    if (brokenAssumption(program, small))
      continue;
    Verdict verdict = check(program, arch, small, options);
    if (verdict.kind == Verdict::proven)
      return verdict;
  }
  return otherwise;
}

/// A run beside the proof of every launch, which the verdict does not rest on: of the launch asked
/// for, or where that is long of a smaller one.
Verdict besideProof(const Program &program, const Arch &arch, const Launch &launch,
                    CheckOptions options) {
  options.allCtas = false; // the proof has them
  options.violationsAlone = true;
  const CheckOptions whole = options;
  options.maxEvents = options.maxEventsOfCtas = 2'000'000; // 2 s
  Verdict verdict = check(program, arch, launch, options);
  if (!verdict.tooLong)
    return verdict;
  const Launch instead = smaller(program, launch);
  if (!brokenAssumption(program, instead))
    verdict = check(program, arch, instead, options);
  if (verdict.tooLong)
    verdict = ofSmallGrid(program, arch, options, verdict);
  return verdict.kind == Verdict::proven ? verdict : check(program, arch, launch, whole);
}

// ---- Accesses that no run sets against each other ----------------------------------------------

std::string overlapText(const Program &program, const Overlap &o) {
  const auto does = [](const Stmt &s, bool writes) {
    return operationName(s.op) + place(s.loc) + (writes ? " writes" : " reads");
  };
  const char *where = o.kind == Overlap::groups       ? "another CTA"
                      : o.kind == Overlap::iterations ? "another iteration"
                                                      : "the same iteration";
  return does(*o.first, o.firstWrites) + " elements of " + program.tensors[o.tensor].name +
         " that " + does(*o.second, o.secondWrites) + " in " + where +
         ", as far as their places tell, and nothing orders the two";
}

/// Of accesses that may meet a launch that shows it, or else what is told of the launch asked for.
Verdict mayMeet(const Program &program, const Arch &arch, const Launch &launch,
                const CheckOptions &options, const EveryLaunch &of,
                const std::vector<Overlap> &open, int64_t events) {
  CheckOptions shown = options;
  shown.until = ThreadClock::now() + witnessTime;
  shown.allCtas = false;
  shown.violationsAlone = true;
  for (const Overlap &o : open) {
    if (!o.launch)
      continue;
    Launch shows = of.guard() ? of.guard()->outOfUnits(*o.launch) : *o.launch;
    setDenseStrides(program, shows);
    if (auto refused = refusedAt(program, arch, shows, shown, events))
      return *refused;
  }
  if (auto refused = atNearbyLaunch(program, arch, launch, options))
    return *refused;
  Verdict verdict = check(program, arch, launch, options);
  verdict.events += events;
  verdict.notes.insert(verdict.notes.begin(),
                       "every launch: " + overlapText(of.context().program, open.front()));
  return verdict;
}

/// The verdict where the graph has not closed, and no violation says why.
Verdict notClosed(const Program &program, const Arch &arch, const Launch &launch,
                  const CheckOptions &options, const TripProof &proof) {
  Verdict verdict = check(program, arch, launch, options);
  verdict.events += proof.events;
  verdict.states = proof.states;
  if (verdict.kind == Verdict::violated)
    return verdict;
  if (auto shown = atNearbyLaunch(program, arch, launch, options))
    return *shown;
  if (verdict.kind == Verdict::proven || coreMeetingOf(program)) // whose launches rest on it too
    verdict.notes.insert(verdict.notes.begin(), "every launch: " + proof.unsupported->message);
  return verdict;
}

/// The verdict of a proof whose graph has closed.
Verdict closed(const Program &program, const Arch &arch, const Launch &launch,
               const CheckOptions &options, EveryLaunch &of) {
  Verdict verdict = besideProof(program, arch, launch, options);
  verdict.events += of.result().events;
  verdict.states = of.result().states;
  if (!of.holdsBeside(verdict))
    return verdict;
  if (const std::vector<Overlap> &open = of.open(launch); !open.empty())
    return mayMeet(program, arch, launch, options, of, open, verdict.events);
  verdict = of.proven(program, verdict);
  const bool inStep = std::ranges::any_of(
      verdict.assumptions, [](const std::string &a) { return a.starts_with("tiles-in-step"); });
  if (inStep) // what is assumed may break at a launch nearby
    if (auto shown = atNearbyLaunch(program, arch, launch, options, [&verdict](const Violation &v) {
          return isAssumedApart(verdict, v);
        }))
      return *shown;
  for (const std::string &note : of.context().observed.notes(of.context().program))
    verdict.notes.push_back(note);
  return verdict;
}

} // namespace

Verdict prove(const Program &program, const Arch &arch, const Launch &launch,
              const CheckOptions &asked) {
  CheckOptions options = asked;
  if (!checkStructure(program, arch).empty() || beyondTensorMemory(program))
    return check(program, arch, launch);
  if (!isAscend(program.target) && !assumedWholeClusters(program).empty())
    if (const auto part = launchOfPartClusters(program, launch))
      return refusedAt(*part, program, arch, options);
  for (options.seconds = std::min(shortProof, asked.seconds);; options.seconds = asked.seconds) {
    const ThreadClock::time_point begin = ThreadClock::now();
    options.proofUntil = begin + processorTime(2 * options.seconds);
    EveryLaunch proof(program, options);
    const bool ranOut = ThreadClock::now() - begin >= processorTime(options.seconds);
    const bool last = !ranOut || options.seconds == asked.seconds;
    if (proof.closed())
      return closed(program, arch, launch, options, proof);
    if (!proof.result().violation && last)
      return notClosed(program, arch, launch, options, proof.result());
    if (proof.result().violation)
      if (const auto shown = atSomeLaunch(program, arch, launch, proof))
        return *shown;
    const auto time = last ? ThreadClock::duration(witnessTime) : processorTime(options.seconds);
    if (auto shown = atNearbyLaunch(program, arch, launch, options, time))
      return *shown;
    if (last)
      return shownByNoLaunch(proof.context(), proof.result());
  }
}

} // namespace sluice

// The verdict for every trip count: structure, the graph of states, and a launch for each
// violation.
#include "Verify/Verify.h"

#include "Program/OperationFacts.h"
#include "Verify/AccessPairs.h"
#include "Verify/FlatNumbers.h"
#include "Verify/Guard.h"
#include "Verify/JoinedLoops.h"
#include "Verify/LaunchFor.h"
#include "Verify/Names.h"
#include "Verify/NearbyLaunches.h"
#include "Verify/NestedLoops.h"
#include "Verify/PlainRemainders.h"
#include "Verify/SplitLoops.h"
#include "Verify/TileRounds.h"
#include "Verify/TripCounts.h"
#include "Verify/UnitSteps.h"
#include "Verify/ValueBranches.h"
#include "Verify/WholeClusters.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <set>

namespace sluice {
namespace {

using Clock = ThreadClock;

/// For runs that look for a launch that shows a violation.
constexpr std::chrono::seconds witnessTime{5};
/// Of an attempt in the first look at a program: a launch that shows a violation spares long ones.
constexpr double shortProof = 1;

Clock::duration processorTime(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
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

/// A proof for every launch of a program.
struct Attempt {
  Attempt(const Program &program, const CheckOptions &options, TripLimits limits = {},
          std::set<StmtPair> asked = {}, std::set<StmtPair> ofOneAgent = {})
      : context(program, nullptr) {
    context.asked = std::move(asked);
    context.ofOneAgent = std::move(ofOneAgent);
    context.strict = options.strict;
    limits.seconds = options.seconds;
    limits.until = options.proofUntil;
    proof = proveTripCounts(context, limits);
  }
  bool closed() const { return !proof.violation && !proof.unsupported; }

  Context context;
  TripProof proof;
};

/// The proof for every launch, or for those that keep what the author assumes where it takes that.
struct Proof {
  Proof(const Program &written, const CheckOptions &options)
      : values_(withoutValueBranches(written)) {
    if (values_)
      prove(*values_, options);
    if (!values_ || !attempt_->closed()) // arms that the first takes may never be taken
      prove(written, options);
  }
  Proof(const Proof &) = delete; // the attempt is one of the guarded program here

  const Context &context() const { return attempt_->context; }
  const TripProof &result() const { return attempt_->proof; }

  std::optional<Guard> guard;

private:
  void prove(const Program &written, const CheckOptions &options) {
    attempt_.reset(); // it is of what follows
    guard.reset();
    plain_ = withPlainRemainders(written);
    const Program &program = plain_ ? *plain_ : written;
    attempt_ = std::make_unique<Attempt>(program, options);
    if (!attempt_->closed())
      guard = guarded(program);
    if (guard)
      attempt_ = std::make_unique<Attempt>(guard->program, options);
    if (attempt_->closed())
      return;
    const Program &asked = attempt_->context.program;
    if (proveRewritten(asked, options))
      return;
    if (const auto split = withSplitLoops(asked))
      closes(*split, options) || proveRewritten(*split, options);
  }

  /// By programs that do the same in every launch: each rewriting alone, then all of them.
  bool proveRewritten(const Program &program, const CheckOptions &options) {
    Program all = program;
    int count = 0;
    for (const auto rewritten : {withJoinedLoops, withTileRounds, withNestedLoops, withFlatNumbers,
                                 withTailsFromZero, withUnitSteps, withBranches}) {
      auto other = rewritten(program);
      if (other && closes(std::move(*other), options))
        return true;
      if (auto more = rewritten(all)) {
        all = std::move(*more);
        ++count;
      }
    }
    return count > 1 && closes(std::move(all), options);
  }

  bool closes(Program program, const CheckOptions &options) {
    if (Clock::now() > options.proofUntil)
      return false;
    others_.push_back(std::make_unique<Program>(std::move(program)));
    auto attempt = std::make_unique<Attempt>(*others_.back(), options);
    if (attempt->closed()) // else what is told is of the program as it is written
      attempt_ = std::move(attempt);
    return attempt_->closed();
  }

  std::optional<Program> values_;                // withoutValueBranches
  std::optional<Program> plain_;                 // withPlainRemainders
  std::vector<std::unique_ptr<Program>> others_; // that do the same in every launch
  std::unique_ptr<Attempt> attempt_;
};

/// The first of each stays.
void withoutDoubles(std::vector<std::string> &texts) {
  std::vector<std::string> once;
  for (std::string &text : texts)
    if (std::find(once.begin(), once.end(), text) == once.end())
      once.push_back(std::move(text));
  texts = std::move(once);
}

/// What a run at the launch shows, where it is a violation.
std::optional<Verdict> refusedAt(const Program &program, const Arch &arch, const Launch &launch,
                                 const CheckOptions &options, int64_t &events) {
  if (brokenAssumption(program, launch) || Clock::now() > options.until)
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
  CheckOptions options;
  options.strict = context.strict;
  options.until = Clock::now() + witnessTime;
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
                                      CheckOptions options, const Ignored &ignored) {
  constexpr size_t most = 300;
  options.until = Clock::now() + witnessTime;
  options.allCtas = false;
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
                                      const CheckOptions &options) {
  return atNearbyLaunch(program, arch, given, options,
                        [&program](const Violation &v) { return isPlacedByData(program, v); });
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

/// Without those of which something orders every access of one with every access of the other,
/// wherever they are: a barrier between two passes, a wait in each iteration.
std::vector<Overlap> withoutOrdered(const Proof &of, const CheckOptions &options,
                                    std::vector<Overlap> found) {
  std::set<StmtPair> asked, ofOneAgent;
  bool ofData = true; // all: the verdict can do without
  for (const Overlap &o : found)
    if (o.kind != Overlap::groups) {
      asked.insert({o.first, o.second});
      ofData &= o.ofData;
    }
  if (asked.empty())
    return found;
  ofOneAgent = asked;
  for (const Overlap &o : found)
    if (o.kind != Overlap::groups && !o.ofOneAgent)
      ofOneAgent.erase({o.first, o.second});
  TripLimits limits;
  if (ofData)
    limits.maxStates = of.result().states + 1000;
  CheckOptions anew = options;
  anew.proofUntil = Clock::time_point::max();
  const Attempt again(of.context().program, anew, limits, asked, ofOneAgent);
  if (again.closed())
    std::erase_if(found, [&](const Overlap &o) {
      return o.kind != Overlap::groups && !again.context.unordered.count({o.first, o.second});
    });
  return found;
}

/// Pairs whose places come from tensors are what the verdict assumes; of the others a launch that
/// shows one of them, or nothing is told.
void addOverlaps(const Program &program, const Arch &arch, const Launch &launch,
                 const CheckOptions &options, const Proof &of, Verdict &verdict) {
  AccessForms::Units units;
  if (of.guard)
    for (const auto &[unknown, size] : of.guard->units)
      if (unknown.op == ScalarOp::dim)
        units[{unknown.object, static_cast<int>(unknown.imm)}] = size;
  const Program &proven = of.context().program;
  const Launch start = of.guard ? of.guard->inUnits(launch) : launch;
  const std::vector<Overlap> found =
      withoutOrdered(of, options,
                     overlaps(proven, units, start, of.context().movesWith, of.context().uncompared,
                              of.context().terms.met, of.context().counters));
  CheckOptions shown = options;
  shown.until = Clock::now() + witnessTime;
  shown.allCtas = false;
  const Overlap *open = nullptr;
  for (const Overlap &o : found) {
    if (o.ofData) {
      verdict.assumptions.push_back(std::string(o.kind == Overlap::places ? "offsets" : "tiles") +
                                    "-apart: parts of " + proven.tensors[o.tensor].name +
                                    " that numbers of tensors place do not overlap");
      continue;
    }
    open = open ? open : &o;
    if (!o.launch)
      continue;
    Launch shows = of.guard ? of.guard->outOfUnits(*o.launch) : *o.launch;
    setDenseStrides(program, shows);
    if (auto refused = refusedAt(program, arch, shows, shown, verdict.events)) {
      verdict = *refused;
      return;
    }
  }
  if (!open)
    return;
  if (auto shown = atNearbyLaunch(program, arch, launch, options)) {
    verdict = *shown;
    return;
  }
  const int64_t events = verdict.events;
  verdict = check(program, arch, launch, options);
  verdict.events += events;
  verdict.notes.insert(verdict.notes.begin(), "every launch: " + overlapText(proven, *open));
}

/// What the proof leaves to a look at the launch. All that the author assumes: checks of single
/// operations, and orders of loops, rest on it too.
std::vector<std::string> ofLaunches(const Program &program) {
  std::set<std::string> texts;
  for (const Assumption &a : program.assumptions)
    texts.insert((a.needed ? "needed: " : "stated: ") + a.text + " (" + placeText(a) +
                 ", checked at launch)");
  std::vector<std::string> all = assumedWholeClusters(program);
  all.insert(all.end(), texts.begin(), texts.end());
  return all;
}

/// The verdict of a proof without a violation.
Verdict closed(const Program &program, const Arch &arch, const Launch &launch,
               const CheckOptions &options, const Proof &of) {
  const TripProof &proof = of.result();
  Verdict verdict = proof.unsupported ? check(program, arch, launch, options)
                                      : besideProof(program, arch, launch, options);
  verdict.events += proof.events;
  verdict.states = proof.states;
  if (verdict.kind == Verdict::violated)
    return verdict;
  if (proof.unsupported)
    if (auto shown = atNearbyLaunch(program, arch, launch, options))
      return *shown;
  if (verdict.kind != Verdict::proven)
    return verdict;
  if (proof.unsupported) {
    verdict.notes.insert(verdict.notes.begin(), "every launch: " + proof.unsupported->message);
    return verdict;
  }
  verdict.coverage = Coverage::everyLaunch();
  addOverlaps(program, arch, launch, options, of, verdict);
  if (!verdict.provenForEveryLaunch())
    return verdict;
  verdict.tripCounts = "all";
  std::erase_if(verdict.assumptions, // of the run beside
                [](const std::string &a) { return a.starts_with("integers: "); });
  for (const std::vector<std::string> &texts :
       {std::vector<std::string>(of.context().assumptions.begin(), of.context().assumptions.end()),
        ofLaunches(program)})
    verdict.assumptions.insert(verdict.assumptions.end(), texts.begin(), texts.end());
  withoutDoubles(verdict.assumptions);
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
              const CheckOptions &asked) {
  CheckOptions options = asked;
  if (!checkStructure(program, arch).empty())
    return check(program, arch, launch);
  if (!isAscend(program.target) && !assumedWholeClusters(program).empty())
    if (const auto part = launchOfPartClusters(program, launch))
      return refusedAt(*part, program, arch, options);
  for (options.seconds = std::min(shortProof, asked.seconds);; options.seconds = asked.seconds) {
    const Clock::time_point begin = Clock::now();
    options.proofUntil = begin + processorTime(2 * options.seconds);
    const Proof proof(program, options);
    const bool ranOut = Clock::now() - begin >= processorTime(options.seconds);
    const bool last = !ranOut || options.seconds == asked.seconds;
    if (!proof.result().violation && (last || !proof.result().unsupported))
      return closed(program, arch, launch, options, proof);
    if (proof.result().violation)
      if (const auto shown = atSomeLaunch(program, arch, launch, proof))
        return *shown;
    if (auto shown = atNearbyLaunch(program, arch, launch, options))
      return *shown;
    if (last)
      return shownByNoLaunch(proof.context(), proof.result());
  }
}

} // namespace sluice

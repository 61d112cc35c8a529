#include "Verify/EveryLaunch.h"

#include "Verify/FlatNumbers.h"
#include "Verify/JoinedLoops.h"
#include "Verify/NestedLoops.h"
#include "Verify/PlainRemainders.h"
#include "Verify/SplitLoops.h"
#include "Verify/TileRounds.h"
#include "Verify/UnitSteps.h"
#include "Verify/ValueBranches.h"
#include "Verify/WholeClusters.h"

#include <algorithm>

namespace sluice {
namespace {

/// Whether some minimum or maximum is of two unknowns.
bool hasExtremes(const Program &program) {
  const CountedValues values(program);
  bool found = false;
  walk(program.body, [&](const Stmt &s) {
    auto *scalar = std::get_if<Scalar>(&s.op);
    found |= scalar && isExtreme(scalar->op) && !values.constant(scalar->operands[0]) &&
             !values.constant(scalar->operands[1]);
  });
  return found;
}

} // namespace

EveryLaunch::Attempt::Attempt(const Program &program, const CheckOptions &options,
                              TripLimits limits, std::set<StmtPair> asked,
                              std::set<StmtPair> ofOneAgent, std::set<StmtPair> ofOneCta,
                              bool wholeExtremes)
    : context(program, nullptr) {
  context.terms.wholeExtremes = wholeExtremes;
  context.asked = std::move(asked);
  context.ofOneAgent = std::move(ofOneAgent);
  context.ofOneCta = std::move(ofOneCta);
  context.strict = options.strict;
  limits.seconds = options.seconds;
  limits.until = options.proofUntil;
  proof = proveTripCounts(context, limits);
}

EveryLaunch::EveryLaunch(const Program &program, const CheckOptions &options)
    : options_(options), counted_(withCountedWhiles(program)) {
  if (counted_) {
    proveForms(counted_->program);
    if (closed()) {
      assumed_ = counted_->assumptions;
      return;
    }
  }
  proveForms(program);
  counted_.reset();
}

void EveryLaunch::proveForms(const Program &program) {
  attempt_.reset(); // it is of what follows
  values_ = withoutValueBranches(program);
  if (values_)
    prove(*values_);
  if (!values_ || !closed()) // arms that the first takes may never be taken
    prove(program);
}

void EveryLaunch::prove(const Program &written) {
  attempt_.reset(); // it is of what follows
  guard_.reset();
  plain_ = withPlainRemainders(written);
  const Program &program = plain_ ? *plain_ : written;
  attempt_ = std::make_unique<Attempt>(program, options_);
  if (!closed())
    guard_ = guarded(program);
  if (guard_)
    attempt_ = std::make_unique<Attempt>(guard_->program, options_);
  if (closed())
    return;
  const Program &asked = attempt_->context.program;
  if (proveRewritten(asked))
    return;
  if (const auto split = withSplitLoops(asked); split && (closes(*split) || proveRewritten(*split)))
    return;
  if (const auto counted = withTailsFromZero(asked); hasExtremes(asked))
    closes(counted ? *counted : asked, true);
}

/// By programs that do the same in every launch: each rewriting alone, then all of them.
bool EveryLaunch::proveRewritten(const Program &program) {
  Program all = program;
  int count = 0;
  for (const auto rewritten : {withJoinedLoops, withTileRounds, withNestedLoops, withFlatNumbers,
                               withTailsFromZero, withUnitSteps, withBranches}) {
    auto other = rewritten(program);
    if (other && closes(std::move(*other)))
      return true;
    if (auto more = rewritten(all)) {
      all = std::move(*more);
      ++count;
    }
  }
  return count > 1 && closes(std::move(all));
}

bool EveryLaunch::closes(Program program, bool wholeExtremes) {
  if (ThreadClock::now() > options_.proofUntil)
    return false;
  others_.push_back(std::make_unique<Program>(std::move(program)));
  auto attempt =
      std::make_unique<Attempt>(*others_.back(), options_, TripLimits{}, std::set<StmtPair>{},
                                std::set<StmtPair>{}, std::set<StmtPair>{}, wholeExtremes);
  if (attempt->closed()) // else what is told is of the program as it is written
    attempt_ = std::move(attempt);
  return closed();
}

/// Without those of which something orders every access of one with every access of the other,
/// wherever they are: a barrier between two passes, a wait in each iteration.
std::vector<Overlap> EveryLaunch::withoutOrdered(std::vector<Overlap> found) {
  std::set<StmtPair> asked, ofOneAgent, ofOneCta;
  bool ofData = true; // all: the verdict can do without
  for (const Overlap &o : found)
    if (o.kind != Overlap::groups) {
      asked.insert({o.first, o.second});
      ofData &= o.ofData;
    }
  if (asked.empty())
    return found;
  ofOneAgent = ofOneCta = asked;
  for (const Overlap &o : found) {
    if (o.kind != Overlap::groups && !o.ofOneAgent)
      ofOneAgent.erase({o.first, o.second});
    if (o.kind != Overlap::groups && !o.ofOneCta)
      ofOneCta.erase({o.first, o.second});
  }
  TripLimits limits;
  if (ofData)
    limits.maxStates = result().states + 1000;
  CheckOptions anew = options_; // the graph closes: the first look's short time is not for this
  anew.proofUntil = ThreadClock::time_point::max();
  anew.seconds = std::max(options_.seconds, options_.secondsOfRun);
  const Attempt again(context().program, anew, limits, asked, ofOneAgent, ofOneCta,
                      context().terms.wholeExtremes);
  if (again.closed()) {
    std::erase_if(found, [&](const Overlap &o) {
      return o.kind != Overlap::groups && !again.context.unordered.count({o.first, o.second});
    });
    assumed_.insert(assumed_.end(), again.context.assumptions.begin(),
                    again.context.assumptions.end());
  }
  return found;
}

const std::vector<Overlap> &EveryLaunch::open(const Launch &given) {
  if (open_)
    return *open_;
  AccessForms::Units units;
  if (guard_)
    for (const auto &[unknown, size] : guard_->units)
      if (unknown.op == ScalarOp::dim)
        units[{unknown.object, static_cast<int>(unknown.imm)}] = size;
  const Launch start = guard_ ? guard_->inUnits(given) : given;
  std::vector<Overlap> found =
      withoutOrdered(overlaps(context().program, units, start, context().movesWith,
                              context().uncompared, context().terms.met, context().counters));
  for (const Overlap &o : found)
    if (o.ofData)
      assumed_.push_back(std::string(o.kind == Overlap::places ? "offsets" : "tiles") +
                         "-apart: parts of " + context().program.tensors[o.tensor].name +
                         " that numbers of tensors place do not overlap");
  std::erase_if(found, [](const Overlap &o) { return o.ofData; });
  return open_.emplace(std::move(found));
}

namespace {

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

} // namespace

Verdict EveryLaunch::proven(const Program &program, const Verdict &atLaunch) const {
  Verdict verdict = atLaunch;
  if (!holdsBeside(atLaunch) || !closed() || !open_ || !open_->empty())
    return verdict;
  verdict.kind = Verdict::proven;
  verdict.coverage = Coverage::everyLaunch();
  verdict.tripCounts = "all";
  verdict.states = result().states;
  std::vector<std::string> all;
  const auto add = [&all](const std::string &text) {
    if (std::ranges::find(all, text) == all.end())
      all.push_back(text);
  };
  for (const std::string &text : atLaunch.assumptions)
    if (!text.starts_with("integers: ") &&
        !text.starts_with("draws-in-turn: ")) // of the run beside
      add(text);
  std::ranges::for_each(assumed_, add);
  std::ranges::for_each(context().assumptions, add);
  std::ranges::for_each(ofLaunches(program), add);
  verdict.assumptions = std::move(all);
  return verdict;
}

} // namespace sluice

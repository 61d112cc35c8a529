#include "Campaign/Trial.h"

#include "Campaign/Chaos.h"
#include "Campaign/Differential.h"
#include "Campaign/Launches.h"
#include "Campaign/RandomLaunches.h"
#include "Diagnose/LaunchFor.h"
#include "Explore/Explore.h"
#include "Program/Agent.h"
#include "Program/CoreMeeting.h"
#include "Program/Watchers.h"

#include <algorithm>

namespace sluice {
namespace {

// Most faults show at once: looked for before the long search.
constexpr int64_t fewStates = 20'000, fewEvents = 2'000;
constexpr int fewRuns = 8, mostWalks = 200, mostRunsDrawn = 4;

bool fits(const Mutation &mutation, const std::string &rule) {
  const std::vector<std::string> &rules = rulesOf(mutation.purpose);
  return std::find(rules.begin(), rules.end(), rule) != rules.end();
}

bool assumesPlaces(const Verdict &verdict) {
  return std::ranges::any_of(verdict.assumptions, [](const std::string &a) {
    return a.starts_with("tiles-apart") || a.starts_with("offsets-apart");
  });
}

std::string textOf(const Exploration &e) {
  return "the explorer finds " + e.rule + ": " + e.fault;
}

} // namespace

Trial::Trial(const Program &program, const Arch &arch, const Launch &launch,
             const CampaignOptions &options)
    : program_(program), arch_(arch), given_(launch), options_(options),
      launches_(launchesOf(program, launch)) {
  keepClean();
}

/// A proof may assume of the extents that parts of tensors lie apart: launches for which they do
/// not are left out.
void Trial::keepClean() {
  bool allTrips = false;
  const Verdict verdict = verdictOn(program_, allTrips);
  if (verdict.kind != Verdict::proven) {
    fault_ = verdict.violations.empty()
                 ? "it is not proven"
                 : verdict.violations.front().rule + ": " + verdict.violations.front().message;
    return;
  }
  const bool assumes = assumesPlaces(verdict);
  std::erase_if(launches_, [&](const Launch &launch) {
    const Verdict at = check(program_, arch_, launch);
    if (at.kind == Verdict::violated && !assumes)
      fault_ = "proven for every trip count, but a launch gives " + at.violations.front().rule +
               ": " + at.violations.front().message;
    return at.kind != Verdict::proven;
  });
  if (launches_.empty())
    launches_.push_back(given_);
}

std::optional<std::string> Trial::programFault() {
  if (fault_)
    return fault_;
  MutantVerdict v;
  judgeProven(program_, v);
  return v.outcome == MutantVerdict::disagreement ? std::optional(v.detail) : std::nullopt;
}

/// For every trip count; where that cannot be decided, at every launch.
Verdict Trial::verdictOn(const Program &mutant, bool &allTrips) const {
  Verdict verdict = prove(mutant, arch_, given_);
  allTrips = verdict.kind == Verdict::violated || verdict.provenForEveryLaunch();
  if (allTrips)
    return verdict;
  for (const Launch &launch : launches_) {
    Verdict at = check(mutant, arch_, launch);
    if (at.kind == Verdict::violated)
      at.witness = launch;
    if (at.kind != Verdict::proven)
      return at;
    verdict = std::move(at);
  }
  return verdict;
}

MutantVerdict Trial::judge(const Mutation &mutation) {
  Program mutant = mutated(program_, mutation);
  findWatchers(mutant);
  MutantVerdict v;
  v.mutation = mutation;
  const Verdict verdict = verdictOn(mutant, v.allTrips);
  if (verdict.kind == Verdict::proven) {
    judgeProven(mutant, v);
    holdAgainstLaunches(mutant, verdict, v);
  } else if (verdict.kind == Verdict::unsupported) {
    v.outcome = MutantVerdict::unsupported;
    v.detail = verdict.notes.empty() ? "" : verdict.notes.front();
  } else {
    judgeRefused(mutant, verdict, v);
  }
  return v;
}

bool Trial::isLarge(size_t launch) {
  const auto [at, isNew] = large_.try_emplace(launch, false);
  if (isNew)
    at->second = explore(program_, launches_[launch], {options_.maxStates, {0, 0, 0}, true}).kind ==
                 Exploration::bounded;
  return at->second;
}

void Trial::judgeProven(const Program &mutant, MutantVerdict &v) {
  size_t launch = 0;
  std::string covered;
  Finding found = exploreUpTo(mutant, launch, covered);
  if (found.text.empty())
    found = delay(mutant, restFrom(launch), v.otherResult);
  v.evidence = found.by;
  v.outcome = found.text.empty() ? MutantVerdict::harmless : MutantVerdict::disagreement;
  v.detail = found.text.empty() ? covered : found.text;
  if (v.evidence == MutantVerdict::chaos && found.text.empty())
    v.detail += ", " + std::to_string(options_.chaosRuns) + " runs with random delays";
}

/// Launches drawn at random, also where the explorer has seen every interleaving of small ones.
/// Above its reach more of them, with all the delays that the options allow, and also of a mutant
/// that is not proven for every launch: it is at these.
void Trial::holdAgainstLaunches(const Program &mutant, const Verdict &verdict, MutantVerdict &v) {
  const bool above = v.evidence == MutantVerdict::chaos, every = verdict.provenForEveryLaunch();
  if (v.outcome == MutantVerdict::disagreement || (!above && !every))
    return;
  RandomLaunches launches(mutant, given_, options_.seed);
  Differential against(mutant, arch_, verdict);
  const int runs = above ? options_.chaosRuns : std::min(options_.chaosRuns, mostRunsDrawn);
  int64_t explored = 0;
  for (int i = 0; i < (above ? options_.drawnAbove : options_.drawnLaunches); ++i) {
    const auto launch = launches.draw();
    if (!launch)
      continue;
    const Verdict at = check(mutant, arch_, *launch);
    if (!every && at.kind != Verdict::proven)
      continue;
    auto fault = against.disagreementAt(*launch, runs);
    if (!fault && at.kind == Verdict::proven && !assumesPlaces(verdict))
      fault = exploreDrawn(mutant, *launch, at.events, explored);
    if (fault) {
      v.outcome = MutantVerdict::disagreement;
      v.evidence = MutantVerdict::drawn;
      v.detail = *fault;
      return;
    }
  }
  v.detail += ", " + std::to_string(against.counts().launches) + " launches drawn";
  if (explored > 0)
    v.detail += ", " + std::to_string(explored) + " of them explored";
  if (above)
    v.detail += ", " + std::to_string(against.counts().machineRuns) + " runs there";
}

/// Every interleaving of the first cluster, where it is short.
std::optional<std::string> Trial::exploreDrawn(const Program &mutant, const Launch &launch,
                                               int64_t events, int64_t &explored) const {
  if (events > fewEvents || usesCounters(mutant) ||
      coreMeetingOf(mutant)) // they join all CTAs of a grid
    return {};
  const Exploration e =
      explore(mutant, launch, {std::min(fewStates, options_.maxStates), {0, 0, 0}, true});
  explored += e.kind == Exploration::clean;
  if (e.kind != Exploration::faulty)
    return {};
  return "at " + launchText(mutant, launch) + " " + textOf(e);
}

/// Every interleaving at the launches before `end`: there the states become too many.
Trial::Finding Trial::exploreUpTo(const Program &mutant, size_t &end, std::string &covered) {
  int64_t states = 0;
  for (; end < launches_.size() && !isLarge(end); ++end) {
    const Exploration e = explore(mutant, launches_[end], {options_.maxStates, {0, 0, 0}, true});
    states += e.states;
    if (e.kind == Exploration::faulty)
      return {textOf(e), MutantVerdict::explorer};
    if (e.kind == Exploration::bounded)
      break;
  }
  covered = std::to_string(states) + " states at " + std::to_string(end) + " of " +
            std::to_string(launches_.size()) + " launches";
  return {};
}

/// The launches with too many states: the first, one in the middle and the last.
std::vector<size_t> Trial::restFrom(size_t launch) const {
  std::vector<size_t> rest;
  for (const size_t at : {launch, (launch + launches_.size()) / 2, launches_.size() - 1})
    if (at >= launch && at < launches_.size() && (rest.empty() || rest.back() != at))
      rest.push_back(at);
  return rest;
}

/// Random delays at these launches; one run at the last one where there are none.
Trial::Finding Trial::delay(const Program &mutant, const std::vector<size_t> &launches,
                            bool &otherResult) {
  const bool explored = launches.empty();
  const std::vector<size_t> at = explored ? std::vector{launches_.size() - 1} : launches;
  int left = explored ? 1 : options_.chaosRuns;
  for (const size_t launch : at) {
    const int runs = launch == at.back() ? left : left / 2; // more where they are short
    left -= runs;
    if (!explored)
      if (const Exploration e =
              explore(mutant, launches_[launch], {fewStates, {0, 0, 0}, true, runs / 8});
          e.kind == Exploration::faulty)
        return {textOf(e), MutantVerdict::explorer};
    Chaos chaos(mutant, arch_, launches_[launch], options_.chaos,
                onlyCtaOf(mutant, launches_[launch], {0, 0, 0}));
    for (int run = 0; run < runs; ++run)
      if (const auto fault = chaos.run())
        return {*fault, MutantVerdict::chaos};
    otherResult = otherResult || givesOtherResult(launch, chaos.result());
  }
  return {"", explored ? MutantVerdict::explorer : MutantVerdict::chaos};
}

bool Trial::givesOtherResult(size_t launch, const std::vector<HostTensor> &result) {
  const auto [at, isNew] = results_.try_emplace(launch);
  if (isNew) {
    Chaos once(program_, arch_, launches_[launch], 0,
               onlyCtaOf(program_, launches_[launch], {0, 0, 0}));
    if (!once.run())
      at->second = once.result();
  }
  bool other = at->second.size() != result.size();
  for (size_t i = 0; i < result.size() && !other; ++i)
    other = result[i].bytes != at->second[i].bytes;
  return other;
}

void Trial::judgeRefused(const Program &mutant, const Verdict &verdict, MutantVerdict &v) const {
  const Violation &first = verdict.violations.front();
  v.rule = first.rule;
  v.detail = first.message;
  v.outcome = fits(v.mutation, v.rule) ? MutantVerdict::refused : MutantVerdict::refusedOddly;
  if (!checkStructure(mutant, arch_).empty()) {
    v.evidence = MutantVerdict::structure;
    return;
  }
  Launch shown = verdict.witness ? *verdict.witness : given_;
  if (!isLegal(mutant, shown))
    takeLegalStrides(mutant, shown);
  const std::array<int64_t, 3> group =
      verdict.group ? verdict.group->first : std::array<int64_t, 3>{};
  Finding found = faultAt(mutant, shown, group, fewStates, fewRuns);
  for (size_t i = 0; i < launches_.size() && found.text.empty(); ++i)
    found = faultAt(mutant, launches_[i], {0, 0, 0}, fewStates, fewRuns);
  if (found.text.empty())
    found = faultAt(mutant, shown, group, options_.maxStates, options_.chaosRuns);
  for (const size_t at : restFrom(0))
    if (found.text.empty())
      found = faultAt(mutant, launches_[at], {0, 0, 0}, fewStates, options_.chaosRuns);
  v.evidence = found.by;
}

Trial::Finding Trial::faultAt(const Program &mutant, const Launch &launch,
                              std::array<int64_t, 3> group, int64_t states, int runs) const {
  const Exploration e =
      explore(mutant, launch,
              {std::min(states, options_.maxStates), group, true, std::min(runs, mostWalks)});
  if (e.kind == Exploration::faulty)
    return {textOf(e), MutantVerdict::explorer};
  if (e.kind == Exploration::clean && runs > fewRuns)
    runs = fewRuns; // every interleaving has been seen
  Chaos chaos(mutant, arch_, launch, options_.chaos, onlyCtaOf(mutant, launch, group));
  for (int run = 0; run < std::min(runs, options_.chaosRuns); ++run)
    if (auto fault = chaos.run())
      return {*fault, MutantVerdict::chaos};
  return {};
}

} // namespace sluice

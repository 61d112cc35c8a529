#include "Verify/Verify.h"

#include "Program/Apart.h"
#include "Program/Assumption.h"
#include "Program/GridLimits.h"
#include "Program/OperationFacts.h"
#include "Program/OperationText.h"
#include "Program/Ranges.h"
#include "Program/Strides.h"
#include "Verify/Names.h"
#include "Verify/Run.h"
#include "Verify/Sources.h"
#include "Verify/Structure.h"
#include "Verify/WholeGrid.h"

#include <algorithm>
#include <set>

namespace sluice {
namespace {

constexpr int64_t cheapEvents = 400'000; // a whole grid is run up to this many

/// One CTA's (or core's, cluster's) use of a tensor, for the check between groups.
struct GroupAccess {
  Box box;
  bool write, reducing;
  std::string who; // "TMA store of store warp 3 of CTA (0,0) at f:1:2"
  Location loc;
  int64_t group;
  const Stmt *stmt;
};

/// Waits for counters join the CTAs of a grid in one run.
bool joinsRuns(const Program &program) {
  const std::vector<bool> awaited = awaitedCounters(program);
  return std::find(awaited.begin(), awaited.end(), true) != awaited.end();
}

/// Barriers of an array of which others are used.
void noteUnused(Context &context) {
  for (size_t i = 0; i < context.used.size(); ++i) {
    const std::vector<bool> &used = context.used[i];
    if (std::find(used.begin(), used.end(), true) == used.end())
      continue;
    std::string idle;
    for (size_t slot = 0; slot < used.size(); ++slot)
      if (!used[slot])
        idle += (idle.empty() ? "" : ", ") +
                barrierName(context.program.mbarriers[i], static_cast<int64_t>(slot));
    if (!idle.empty())
      context.notes.insert("never used in this run: " + idle);
  }
}

void noteUnwritten(Context &context) {
  std::set<int> touched;
  walk(context.program.body, [&](const Stmt &s) {
    for (const View *v : viewsOf(s.op))
      if (v->kind == View::tensor)
        touched.insert(v->object);
  });
  for (size_t t = 0; t < context.program.tensors.size(); ++t) {
    const Tensor &tensor = context.program.tensors[t];
    if (tensor.output && !tensor.input && !touched.count(static_cast<int>(t)))
      context.notes.insert("output " + tensor.name + " is never written");
  }
}

std::string launchFault(const Program &p, const Launch &launch) {
  if (launch.tensors.size() != p.tensors.size())
    return "the launch gives " + std::to_string(launch.tensors.size()) +
           " tensors, the kernel has " + std::to_string(p.tensors.size());
  if (launch.arguments.size() != p.arguments.size())
    return "the launch gives " + std::to_string(launch.arguments.size()) +
           " scalar arguments, the kernel has " + std::to_string(p.arguments.size());
  for (size_t i = 0; i < p.tensors.size(); ++i)
    if (launch.tensors[i].extents.size() != static_cast<size_t>(p.tensors[i].rank))
      return "the launch gives tensor " + p.tensors[i].name + " rank " +
             std::to_string(launch.tensors[i].extents.size()) + ", it has rank " +
             std::to_string(p.tensors[i].rank);
  if (const auto broken = brokenAssumption(p, launch))
    return broken->message + place(broken->location);
  return "";
}

/// The grid in groups: clusters of CTAs, or cores.
struct Groups {
  Coordinates count{1, 1, 1}, size{1, 1, 1};

  int64_t total() const { return count[0] * count[1] * count[2]; }
  Coordinates first(int64_t number) const {
    return {number % count[0] * size[0], number / count[0] % count[1] * size[1],
            number / count[0] / count[1] * size[2]};
  }
  int64_t number(int64_t x, int64_t y, int64_t z) const {
    return (z * count[1] + y) * count[0] + x;
  }
  /// Corners and the middle: every kind of ragged edge.
  std::vector<int64_t> sample() const {
    std::vector<int64_t> chosen{number(count[0] / 2, count[1] / 2, count[2] / 2)};
    for (int64_t z : {int64_t{0}, count[2] - 1})
      for (int64_t y : {int64_t{0}, count[1] - 1})
        for (int64_t x : {int64_t{0}, count[0] - 1})
          chosen.push_back(number(x, y, z));
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
  }
};

class Checker {
public:
  Checker(const Program &program, const Launch &launch, const CheckOptions &options)
      : program_(program), launch_(launch), options_(options), context_(program, &launch) {
    context_.strict = options.strict;
    context_.maxEvents = options.maxEvents;
    const std::chrono::duration<double> most(options.secondsOfRun);
    context_.deadline =
        std::min(options.until,
                 ThreadClock::now() + std::chrono::duration_cast<ThreadClock::duration>(most));
  }

  Verdict run(const Groups &groups) {
    groups_ = groups;
    if (!isAscend(program_.target))
      context_.group = groups.size;
    const int64_t total = groups.total();
    if (total > 0 && cancelsLaunches(program_) && !runAlone())
      return finish(total);
    if (total > 0 && !runGroup(0))
      return finish(total);
    std::vector<int64_t> chosen = groups.sample();
    if (verdict_.events * total <= cheapEvents) {
      chosen.resize(total);
      for (int64_t i = 0; i < total; ++i)
        chosen[i] = i;
    }
    for (int64_t number : chosen)
      if (number != 0 && number < total && !runGroup(number))
        return finish(total);
    checkBetweenGroups();
    return finish(total);
  }

private:
  /// The first cluster in the place of those behind it. Beside it all clusters are launched, and
  /// none is left for who asks.
  bool runAlone() {
    context_.mostGiven = RunLaunches::mostGiven;
    const bool goesOn = runGroup(0);
    if (goesOn) { // else it is the last
      context_.mostGiven = 0;
      accesses_.clear();
      done_.clear();
    }
    return goesOn;
  }

  bool runGroup(int64_t number) {
    CanonicalRun run(context_, groups_.first(number));
    const Result<std::optional<Violation>> result = run.run();
    verdict_.events += run.events();
    done_.push_back(number);
    least_ = std::min(least_, run.iterations());
    most_ = std::max(most_, run.iterations());
    if (!result) {
      verdict_.kind = Verdict::unsupported;
      verdict_.tooLong = run.events() > context_.maxEvents;
      verdict_.notes.push_back(result.error().message + place(result.error().location));
      return false;
    }
    if (*result) {
      verdict_.kind = Verdict::violated;
      verdict_.violations.push_back(**result);
      verdict_.group = {groups_.first(number), context_.group, context_.mostGiven};
      return false;
    }
    collect(run, number);
    return true;
  }

  void collect(const CanonicalRun &run, int64_t number) {
    accesses_.resize(program_.tensors.size());
    for (size_t t = 0; t < run.tensors().size(); ++t)
      for (const BoxHistory &h : run.tensors()[t].boxes()) {
        auto add = [&](const Access &a, bool write) {
          accesses_[t].push_back({h.box, write, write && h.reducing,
                                  operationName(a.stmt->op) + " of " +
                                      run.nameOf(a.actor, *a.stmt) + place(a.stmt->loc),
                                  a.stmt->loc, number, a.stmt});
        };
        if (h.write.stmt)
          add(h.write, true);
        if (!h.reads.empty())
          add(h.reads.front(), false);
      }
  }

  /// CTAs of different clusters are not ordered: what one writes no other may touch.
  void checkBetweenGroups() {
    for (size_t t = 0; t < accesses_.size(); ++t) {
      std::vector<GroupAccess> &list = accesses_[t];
      std::sort(list.begin(), list.end(),
                [](auto &a, auto &b) { return a.box.lo[0] < b.box.lo[0]; });
      for (size_t i = 0; i < list.size(); ++i)
        for (size_t j = i + 1; j < list.size() && list[j].box.lo[0] < list[i].box.hi[0]; ++j)
          if (conflict(list[i], list[j]) && !arriveInOrder(list[i], list[j])) {
            report(t, list[i], list[j]);
            return;
          }
    }
  }

  static bool conflict(const GroupAccess &a, const GroupAccess &b) {
    return a.group != b.group && (a.write || b.write) && !(a.reducing && b.reducing) &&
           a.box.overlaps(b.box);
  }

  /// Whether the two come before an arrival at one counter, and behind that of the last CTA; or
  /// before and behind the meeting of all cores.
  bool arriveInOrder(const GroupAccess &a, const GroupAccess &b) {
    const auto element = [this](int counter, const GroupAccess &of) {
      return context_.counters.arrived.find({counter, groups_.first(of.group)});
    };
    for (const auto &[counter, protocol] : context_.counters.protocols) {
      const auto one = element(counter, a), other = element(counter, b);
      const bool atOne = one != context_.counters.arrived.end() &&
                         other != context_.counters.arrived.end() && one->second == other->second;
      if (!atOne && counter != ofAllCores)
        continue;
      const auto first = siteOf(a), second = siteOf(b);
      if (first && second && context_.counters.orders(counter, *first, *second))
        return true;
    }
    return false;
  }

  std::optional<AccessSite> siteOf(const GroupAccess &access) {
    if (sites_.empty())
      sites_ = accessSites(program_);
    for (const AccessSite &site : sites_)
      if (site.stmt == access.stmt && site.write == access.write)
        return site;
    return std::nullopt;
  }

  /// An add in a loop that acquires with what it gives: who is last there is not followed.
  const Stmt *arrivalInLoop() const {
    const std::vector<bool> awaited = awaitedCounters(program_);
    for (const AccessSite &site : counterSites(program_))
      if (auto *add = std::get_if<CounterAdd>(&site.stmt->op);
          add && acquires(*add) && !awaited[site.view->object] && !site.loops.empty())
        return site.stmt;
    return nullptr;
  }

  bool isDecidedByData(const GroupAccess &access) {
    const auto site = siteOf(access);
    const Sources sources(program_, {});
    return site && std::ranges::any_of(site->branches, [&sources](const Taken &taken) {
             return sources.isOfData(taken.branch->condition);
           });
  }

  void report(size_t tensor, const GroupAccess &a, const GroupAccess &b) {
    const std::string &name = program_.tensors[tensor].name;
    if (const Stmt *add = arrivalInLoop(); add && (isDecidedByData(a) || isDecidedByData(b))) {
      verdict_.kind = Verdict::unsupported;
      verdict_.notes.push_back(a.who + " and " + b.who + " meet at elements of " + name +
                               "; which CTA is the last to add" + place(add->loc) +
                               " is followed for adds in no loop");
      return;
    }
    verdict_.kind = Verdict::violated;
    verdict_.violations.push_back(
        {"R27",
         a.who + (a.write ? " writes" : " reads") + " elements of " + name + " that " + b.who +
             (b.write ? " writes" : " reads") +
             ": nothing orders two CTAs. Give every CTA its own tile of " + name +
             ", or use a reducing store",
         a.loc,
         name,
         {}});
  }

  Verdict finish(int64_t total) {
    const bool some = static_cast<int64_t>(done_.size()) < total;
    const bool meets = context_.meeting && total > 1 && !options_.violationsAlone;
    const bool asked = meets || (some && options_.allCtas);
    const bool all = asked && verdict_.kind == Verdict::proven && proveOthers();
    if (meets && !all && verdict_.kind == Verdict::proven)
      leaveOpen();
    const std::string trips = iterations(),
                      ctas = some && !all ? "these " + namedCtas(total) : allCtas(total);
    verdict_.tripCounts =
        done_.empty() ? "this launch: the grid is empty" : "this launch: " + trips + "; " + ctas;
    if (verdict_.kind != Verdict::unsupported)
      verdict_.coverage = {trips, some && !all ? ctas : "all", "this launch"};
    verdict_.assumptions.assign(context_.assumptions.begin(), context_.assumptions.end());
    assumeOfTensors();
    const Ranges ranges(program_);
    for (const Assumption &limit : ranges.limits())
      verdict_.assumptions.push_back("limit: " + limit.text + " (checked at launch)");
    for (const Location &place : ranges.overflows())
      verdict_.assumptions.push_back("wide: what is computed at " + place.str() + " fits 64 bits");
    noteUnused(context_);
    noteUnwritten(context_);
    verdict_.notes.insert(verdict_.notes.end(), context_.notes.begin(), context_.notes.end());
    return std::move(verdict_);
  }

  /// Runs of single cores keep of each box the last accesses alone, and a meeting may order those
  /// and not the ones before.
  void leaveOpen() {
    verdict_.kind = Verdict::unsupported;
    verdict_.notes.push_back("all cores meet" + place(context_.meeting->set->loc) +
                             ", and accesses of different cores are not found to be apart, or in "
                             "order by it");
  }

  /// CTAs that were not run.
  bool proveOthers() {
    const auto assumed = provenForWholeGrid(program_, launch_, options_);
    if (!assumed)
      return false;
    context_.assumptions.insert(assumed->begin(), assumed->end());
    if (static_cast<int64_t>(done_.size()) < groups_.total())
      context_.notes.insert(namedCtas(groups_.total()) +
                            " were run; the others are proven with their coordinates unknown");
    return true;
  }

  std::string iterations() const {
    if (done_.empty())
      return "0 iterations";
    return (least_ == most_ ? std::to_string(most_)
                            : std::to_string(least_) + " to " + std::to_string(most_)) +
           (most_ == 1 ? " iteration" : " iterations");
  }

  bool ofSingleCtas() const { return groups_.size == Coordinates{1, 1, 1}; }

  std::string allCtas(int64_t total) const {
    const bool ascend = isAscend(program_.target);
    if (total == 1)
      return joinsRuns(program_) ? "the whole grid"
             : ascend            ? "the only block"
             : ofSingleCtas()    ? "the only CTA"
                                 : "the only cluster";
    return "all " + std::to_string(total) +
           (ascend           ? " blocks"
            : ofSingleCtas() ? " CTAs"
                             : " groups of CTAs");
  }

  /// Of which there were runs.
  std::string namedCtas(int64_t total) const {
    std::string text = isAscend(program_.target) ? "blocks"
                       : ofSingleCtas()          ? "CTAs"
                                                 : "clusters from CTAs";
    for (size_t i = 0; i < done_.size(); ++i)
      text += (i ? ", " : " ") + coordinates(program_, groups_.first(done_[i]));
    return text + " of " + std::to_string(total);
  }

  void assumeOfTensors() {
    std::vector<std::string> &assumed = verdict_.assumptions;
    for (const Tensor &t : program_.tensors)
      if (t.align > 1)
        assumed.push_back("aligned: the base and strides of " + t.name + " are multiples of " +
                          std::to_string(t.align) + " bytes (checked at launch)");
    for (const Tensor &t : program_.tensors)
      if (isPacked(t.type))
        assumed.push_back("whole-lines: lines of " + t.name + " have a multiple of " +
                          std::to_string(packedLine) + " numbers (checked at launch)");
    for (const Tensor *t : storedInPieces(program_))
      assumed.push_back("whole-pieces: lines of " + t->name +
                        " are multiples of 16 bytes (checked at launch)");
    for (const std::string &text : apartTexts(program_.tensors))
      assumed.push_back(text);
    for (const UnknownRest &rest : program_.unknownRests)
      assumed.push_back("rest-unused: what the load" + place(rest.loc) + " leaves of " +
                        program_.buffers[rest.buffer].name + " outside of " +
                        program_.tensors[rest.tensor].name + " reaches no tensor");
    const std::vector<bool> scalars = scalarTensors(program_);
    for (size_t t = 0; t < scalars.size(); ++t)
      if (scalars[t]) {
        const std::string &name = program_.tensors[t].name;
        assumed.push_back("in-range: scalar loads of " + name + " name elements that it has");
        assumed.push_back("divisors: nothing is divided by a number computed from " + name +
                          " that is 0");
        if (launch_.tensors[t].integers.empty())
          assumed.push_back("integers: all numbers of " + name + " are 1, as none are given");
      }
  }

  const Program &program_;
  const Launch &launch_;
  const CheckOptions &options_;
  Context context_;
  Groups groups_;
  Verdict verdict_;
  std::vector<int64_t> done_;
  int64_t least_ = INT64_MAX, most_ = 0;
  std::vector<std::vector<GroupAccess>> accesses_;
  std::vector<AccessSite> sites_; // where counters are looked at
};

} // namespace

namespace {

Verdict unsupported(const Error &why) {
  Verdict verdict;
  verdict.kind = Verdict::unsupported;
  verdict.tripCounts = "nothing was run";
  verdict.notes.push_back(why.message + place(why.location));
  return verdict;
}

} // namespace

Verdict checkLaunch(const Program &program, const Arch &arch, const Launch &launch,
                    const CheckOptions &asked) {
  CheckOptions options = asked;
  Verdict verdict;
  verdict.violations = checkStructure(program, arch);
  if (!verdict.violations.empty()) {
    verdict.kind = Verdict::violated;
    verdict.coverage = Coverage::everyLaunch();
    verdict.tripCounts = "every launch: refused before any run";
    return verdict;
  }
  if (const auto beyond = beyondTensorMemory(program))
    return unsupported(*beyond);
  std::string fault = launchFault(program, launch);
  const std::vector<int64_t> extents =
      fault.empty() ? gridExtents(program, launch) : std::vector<int64_t>();
  if (fault.empty())
    fault = gridFault(program, extents);
  if (!fault.empty()) {
    verdict.kind = Verdict::unsupported;
    verdict.tripCounts = "nothing was run";
    verdict.notes.push_back(fault);
    return verdict;
  }
  Groups groups;
  for (size_t d = 0; d < extents.size() && d < 3; ++d)
    groups.count[d] = extents[d];
  for (int d = 0; d < 3 && !isAscend(program.target); ++d) {
    groups.size[d] = program.cluster[d];
    if (groups.count[d] % groups.size[d] != 0) {
      verdict.kind = Verdict::violated;
      verdict.coverage = {"all", "all", "this launch"};
      verdict.tripCounts = "this launch: refused before any run";
      verdict.violations.push_back(
          {"R12",
           "the grid has " + std::to_string(groups.count[d]) + " CTAs in dimension " +
               std::to_string(d) + ", the cluster " + std::to_string(groups.size[d]) +
               ": the grid must be a multiple of the cluster. Pad the grid",
           program.loc,
           "cluster",
           {}});
      return verdict;
    }
    groups.count[d] /= groups.size[d];
  }
  if (joinsRuns(program)) {
    const Coordinates grid{groups.count[0] * groups.size[0], groups.count[1] * groups.size[1],
                           groups.count[2] * groups.size[2]};
    const Result<Coordinates> group = joinedGroup(program, grid);
    if (!group) {
      verdict = unsupported(group.error());
      const int64_t *c = program.cluster; // a launch of one is followed
      verdict.tooLong = grid[0] * grid[1] * grid[2] > maxJoinedCtas || c[0] * c[1] * c[2] > 1;
      return verdict;
    }
    groups = {{1, 1, 1}, *group};
    const int64_t ctas = grid[0] * grid[1] * grid[2];
    if (ctas == 0)
      groups.count = {0, 0, 0};
    else
      options.maxEvents = std::min(options.maxEvents, options.maxEventsOfCtas / ctas);
  }
  return Checker(program, launch, options).run(groups);
}

} // namespace sluice

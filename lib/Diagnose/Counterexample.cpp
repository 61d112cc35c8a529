#include "Diagnose/Counterexample.h"

#include "Diagnose/Causes.h"
#include "Diagnose/FailingOrder.h"
#include "Diagnose/LaunchFor.h"
#include "Diagnose/Rules.h"
#include "Diagnose/ToldRun.h"
#include "Program/Strides.h"

#include <algorithm>

namespace sluice {
namespace {

/// Steps with columns: as early as all that a step follows allows.
class Steps {
public:
  Steps(const std::vector<JournalEntry> &entries, const FailingOrder &order)
      : entries_(entries), order_(order) {}

  std::vector<ScheduleStep> run() {
    for (const int32_t e : order_.entries)
      add(e);
    return std::move(steps_);
  }

private:
  void add(int32_t number) {
    const JournalEntry &e = entries_[number];
    ScheduleStep s;
    s.id = e.id;
    s.agent = e.agent;
    s.operation = e.operation;
    s.loc = e.stmt->loc;
    s.barrier = e.barrier;
    if (e.object && states_[*e.object].valid())
      s.before = states_[*e.object].str();
    if (number != order_.late)
      for (const BarrierEffect &effect : e.effects)
        apply(effect);
    if (e.object && states_[*e.object].valid())
      s.after = states_[*e.object].str();
    const bool waits = e.object && e.parity >= 0 && states_[*e.object].valid() &&
                       !states_[*e.object].passes(e.parity);
    if (e.blocked || number == order_.stuck || waits)
      s.state = ScheduleStep::blocked;
    else if (number == order_.late)
      s.state = ScheduleStep::late;
    if (number == order_.first)
      s.mark = ScheduleStep::first;
    else if (number == order_.second)
      s.mark = ScheduleStep::second;
    if (const auto own = last_.find(e.actor); own != last_.end())
      s.column = steps_[own->second].column + 1;
    if (const auto second = at_.find(order_.second); number == order_.first && second != at_.end())
      s.column = std::max(s.column, steps_[second->second].column + 1);
    int32_t newest = -1;
    for (const int32_t other : e.comesAfter) {
      const auto at = at_.find(other);
      if (at == at_.end() || entries_[other].actor == e.actor)
        continue;
      s.column = std::max(s.column, steps_[at->second].column + 1);
      newest = std::max(newest, other);
    }
    if (newest >= 0)
      s.follows = at_[newest];
    const auto here = static_cast<int>(steps_.size());
    steps_.push_back(std::move(s));
    last_[e.actor] = at_[number] = here;
    if (e.rendezvous >= 0)
      align(meetings_[e.rendezvous], here);
    if (number == order_.second)
      alignMarks();
  }

  void apply(const BarrierEffect &effect) {
    MbarrierState &state = states_[effect.object];
    switch (effect.kind) {
    case BarrierEffect::init:
      state = {};
      state.init(effect.amount);
      break;
    case BarrierEffect::arrive:
      state.arrive(effect.amount);
      break;
    case BarrierEffect::expect:
      state.expectTx(effect.amount);
      break;
    case BarrierEffect::complete:
      state.completeTx(effect.amount);
      break;
    }
  }

  void align(std::vector<int> &group, int newest) {
    group.push_back(newest);
    int column = 0;
    for (const int i : group)
      column = std::max(column, steps_[i].column);
    for (const int i : group)
      if (last_[actorOf(i)] == i)
        steps_[i].column = column;
  }
  int32_t actorOf(int step) const { return entries_[order_.entries[step]].actor; }

  /// Two overlapping accesses stand in one column, what comes too late in a later one.
  void alignMarks() {
    const auto first = at_.find(order_.first);
    if (first == at_.end() || order_.late != order_.first)
      return;
    ScheduleStep &a = steps_[first->second], &b = steps_.back();
    if (last_[actorOf(first->second)] == first->second)
      a.column = b.column = std::max(a.column, b.column);
    else
      b.column = std::max(b.column, a.column);
  }

  const std::vector<JournalEntry> &entries_;
  const FailingOrder &order_;
  std::vector<ScheduleStep> steps_;
  std::map<int32_t, int> at_, last_; // entry -> step; actor -> its newest step
  std::map<int32_t, std::vector<int>> meetings_;
  std::map<JournalObject, MbarrierState> states_; // as they are in this order of steps
};

/// Strides that are multiples of what the kernel assumes, where that is a matter of the extents.
Launch rounded(const Program &program, Launch launch) {
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const Tensor &t = program.tensors[i];
    const bool fixed = static_cast<size_t>(t.minor) < t.extents.size() && t.extents[t.minor] >= 0;
    if (fixed || t.rank < 2)
      continue;
    const int64_t step = elementsApart(t);
    int64_t &extent = launch.tensors[i].extents[t.minor];
    extent = (extent + step - 1) / step * step;
  }
  setDenseStrides(program, launch);
  return launch;
}

bool showsIt(const Verdict &verdict, const std::string &rule) {
  return verdict.kind == Verdict::violated && verdict.violations.front().rule == rule;
}

} // namespace

Result<Schedule> failingSchedule(const Program &program, const Arch &arch, const Launch &launch,
                                 const Verdict &verdict) {
  if (verdict.violations.empty())
    return inputError("there is no violation, so there is no failing schedule");
  const std::string rule = verdict.violations.front().rule;
  const bool strict = rule == "R39";
  Launch at = verdict.witness.value_or(launch);
  std::optional<RunGroup> group = verdict.group;
  if (verdict.witness) // what runs may be a little larger, so that it can be launched
    if (const Launch nicer = rounded(program, at); true)
      if (const Verdict again = checkLaunch(program, arch, nicer, {strict}); showsIt(again, rule)) {
        at = nicer;
        group = again.group;
      }
  const Error none = inputError(rule + " of " + program.name +
                                " has no failing schedule: it is refused before any run, or lies "
                                "between CTAs that nothing orders");
  if (!group)
    return none;
  Context context(program, &at);
  context.group = group->size;
  context.mostGiven = group->given;
  context.strict = strict;
  Journal journal;
  ToldRun run(context, group->first);
  run.record(journal);
  const auto result = run.run();
  if (!result || !*result || (*result)->rule != rule)
    return none;
  Violation named = **result;
  nameCause(named, program, journal, run.offence());
  const FailingOrder order = failingOrder(journal, run.offence());
  Schedule s;
  s.kernel = program.name;
  s.rule = rule;
  s.title = findRule(rule) ? findRule(rule)->title : "";
  s.message = named.message;
  s.launch = launchText(program, at);
  s.missing = order.missing;
  for (size_t i = 0; i < program.tensors.size(); ++i)
    s.extents[program.tensors[i].name] = at.tensors[i].extents;
  for (size_t i = 0; i < program.arguments.size(); ++i)
    s.arguments[program.arguments[i].name] = at.arguments[i];
  s.first = group->first;
  s.steps = Steps(journal.entries(), order).run();
  return s;
}

} // namespace sluice

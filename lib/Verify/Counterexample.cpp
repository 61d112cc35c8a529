#include "Verify/Counterexample.h"

#include "Verify/Names.h"
#include "Verify/Rules.h"
#include "Verify/Run.h"

#include <algorithm>
#include <numeric>

namespace sluice {
namespace {

/// A set of entries that contains with each entry all that it comes after.
class Cut {
public:
  explicit Cut(const std::vector<JournalEntry> &entries)
      : entries_(entries), in_(entries.size(), false), before_(entries.size(), -1) {
    std::map<int32_t, int32_t> last;
    for (size_t i = 0; i < entries.size(); ++i) {
      const auto [at, isNew] = last.try_emplace(entries[i].actor, static_cast<int32_t>(i));
      before_[i] = isNew ? -1 : std::exchange(at->second, static_cast<int32_t>(i));
    }
  }

  bool has(int32_t entry) const { return entry >= 0 && in_[entry]; }
  void include(int32_t entry) {
    for (std::vector<int32_t> open{entry}; !open.empty();) {
      const int32_t e = open.back();
      open.pop_back();
      if (e < 0 || in_[e])
        continue;
      in_[e] = true;
      addPast(e, open);
    }
  }
  void includePast(int32_t entry) {
    std::vector<int32_t> past;
    if (entry >= 0)
      addPast(entry, past);
    for (const int32_t e : past)
      include(e);
  }
  /// The members, in the order of the run.
  std::vector<int32_t> members() const {
    std::vector<int32_t> all;
    for (size_t i = 0; i < in_.size(); ++i)
      if (in_[i])
        all.push_back(static_cast<int32_t>(i));
    return all;
  }

private:
  void addPast(int32_t entry, std::vector<int32_t> &to) const {
    to.push_back(before_[entry]);
    const std::vector<int32_t> &others = entries_[entry].comesAfter;
    to.insert(to.end(), others.begin(), others.end());
  }

  const std::vector<JournalEntry> &entries_;
  std::vector<bool> in_;
  std::vector<int32_t> before_; // of the same agent
};

/// Which entries, in which order.
struct Order {
  std::vector<int32_t> entries;
  int32_t first = -1, second = -1; // the marked ones
  int32_t late = -1;               // does not end
  int32_t stuck = -1;              // is not got past
  std::string missing;
};

class Ordering {
public:
  Ordering(const Journal &journal, const Offence &offence)
      : journal_(journal), entries_(journal.entries()), offence_(offence), cut_(entries_) {
    order_.first = offence.other.stmt ? journal.find(offence.other) : -1;
    order_.second = offence.second ? journal.find(*offence.second) : size() - 1;
  }

  Order run() {
    switch (offence_.kind) {
    case Offence::stuck:
    case Offence::atExit:
      order_.entries.resize(entries_.size());
      std::iota(order_.entries.begin(), order_.entries.end(), 0);
      order_.second = -1;
      if (offence_.kind == Offence::atExit)
        order_.late = startedBy(order_.first) ? order_.first : -1;
      else
        order_.first = newestOf(offence_.actor);
      break;
    case Offence::misread:
      misread();
      break;
    case Offence::overlap:
      overlap();
      break;
    case Offence::overtaken:
      overtaken();
      break;
    case Offence::plain:
    case Offence::tooEarly:
      tooEarly();
      break;
    }
    return std::move(order_);
  }

private:
  int32_t size() const { return static_cast<int32_t>(entries_.size()); }

  /// What counted for the phase of the offending operation without needing `but`.
  void includePhase(int32_t but) {
    for (const int32_t c : contributions()) {
      Cut own(entries_);
      own.include(c);
      if (!own.has(but) && c != order_.second)
        cut_.include(c);
    }
  }

  std::vector<int32_t> contributions() const { return journal_.sharedWith(order_.second); }

  void tooEarly() {
    if (offence_.wholePhase)
      includePhase(order_.first);
    cut_.includePast(order_.second);
    order_.entries = cut_.members();
    order_.entries.push_back(order_.second);
    if (order_.first < 0)
      return;
    if (cut_.has(order_.first)) {
      if (offence_.kind == Offence::tooEarly && startedBy(order_.first)) {
        order_.late = order_.first;
        order_.missing = "nothing makes it end first";
      }
      return;
    }
    addTail();
    order_.missing = "nothing makes it come first";
  }

  /// The first event after all, with what it needs.
  void addTail() {
    Cut more(entries_);
    more.include(order_.first);
    for (const int32_t e : more.members())
      if (!cut_.has(e) && e != order_.second)
        order_.entries.push_back(e);
  }

  /// A wait that was to see phase g - 2 has come so late that it sees g; or one that was to see g
  /// comes so early that it takes g - 2 for it.
  void misread() {
    const JournalEntry &wait = entries_[order_.second];
    const int64_t seen = wait.phase - 1;
    cut_.includePast(order_.second);
    if (seen > expectedBy(wait)) {
      for (const int32_t c : journal_.contributors(*wait.object, seen))
        cut_.include(c);
      std::swap(order_.first, order_.second);
      order_.entries = cut_.members();
      order_.entries.push_back(order_.first);
      order_.missing = "nothing makes it look first";
      return;
    }
    for (const int32_t c : journal_.contributors(*wait.object, seen - 2))
      cut_.include(c);
    order_.entries = cut_.members();
    order_.entries.push_back(order_.second);
    if (cut_.has(order_.first))
      order_.late = order_.first;
    else
      addTail();
    order_.missing = "nothing makes it come first";
  }

  /// The next phase of that parity after the one that the agent has last waited for. Phases count
  /// from 0, and a barrier that nobody has used passes for parity 1.
  int64_t expectedBy(const JournalEntry &wait) const {
    const int64_t seen = wait.phase - 1;
    for (size_t i = entries_.size() - 1; i-- > 0;) {
      const JournalEntry &e = entries_[i];
      if (e.actor == wait.actor && e.object == wait.object && e.stmt &&
          std::holds_alternative<MbarrierWait>(e.stmt->op))
        return e.phase + ((e.phase ^ seen) & 1);
    }
    return seen % 2 == 0 ? 0 : -1;
  }

  bool startedBy(int32_t entry) const {
    const Stamp s = offence_.other.stamp;
    return entry >= 0 && s.component != entries_[entry].lanes &&
           s.component != entries_[entry].elected;
  }

  int32_t newestOf(int32_t actor) const {
    for (int32_t i = size() - 1; i >= 0; --i)
      if (entries_[i].actor == actor)
        return i;
    return -1;
  }

  void overtaken() {
    includePhase(order_.first);
    cut_.includePast(order_.second);
    cut_.includePast(order_.first);
    order_.entries = cut_.members();
    order_.entries.push_back(order_.second);
    order_.entries.push_back(order_.first);
    order_.stuck = order_.first;
    order_.missing = "nothing makes it look first";
  }

  void overlap() {
    cut_.includePast(order_.first);
    cut_.includePast(order_.second);
    order_.entries = cut_.members();
    if (!cut_.has(order_.first))
      order_.entries.push_back(order_.first);
    order_.entries.push_back(order_.second);
    order_.late = order_.first;
    order_.missing = "nothing makes it end first";
  }

  const Journal &journal_;
  const std::vector<JournalEntry> &entries_;
  const Offence &offence_;
  Cut cut_;
  Order order_;
};

/// Steps with columns: as early as all that a step follows allows.
class Steps {
public:
  Steps(const std::vector<JournalEntry> &entries, const Order &order)
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
  const Order &order_;
  std::vector<ScheduleStep> steps_;
  std::map<int32_t, int> at_, last_; // entry -> step; actor -> its newest step
  std::map<int32_t, std::vector<int>> meetings_;
  std::map<JournalObject, MbarrierState> states_; // as they are in this order of steps
};

/// Strides that are multiples of what the kernel assumes, where that is a matter of the extents.
Launch rounded(const Program &program, Launch launch) {
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const Tensor &t = program.tensors[i];
    Launch::Shape &shape = launch.tensors[i];
    const bool fixed = static_cast<size_t>(t.minor) < t.extents.size() && t.extents[t.minor] >= 0;
    const int64_t step = std::max<int64_t>(1, t.align / byteSize(t.type));
    if (fixed || t.rank < 2)
      continue;
    shape.extents[t.minor] = (shape.extents[t.minor] + step - 1) / step * step;
    int64_t next = std::max<int64_t>(shape.extents[t.minor], 1);
    for (int d = t.rank; d-- > 0;)
      if (d != t.minor) {
        shape.strides[d] = next;
        next *= std::max<int64_t>(shape.extents[d], 1);
      }
  }
  return launch;
}

bool showsIt(const Verdict &verdict, const std::string &rule) {
  return verdict.kind == Verdict::violated && verdict.violations.front().rule == rule;
}

std::string launchText(const Program &program, const Launch &launch) {
  std::string text;
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    text += (text.empty() ? "" : " ") + program.tensors[i].name + "[";
    for (size_t d = 0; d < launch.tensors[i].extents.size(); ++d)
      text += (d ? "," : "") + std::to_string(launch.tensors[i].extents[d]);
    text += "]";
  }
  for (size_t i = 0; i < program.arguments.size(); ++i)
    text += (text.empty() ? "" : " ") + program.arguments[i].name + "=" +
            std::to_string(launch.arguments[i]);
  return text;
}

} // namespace

Result<Schedule> failingSchedule(const Program &program, const Arch &arch, const Launch &launch,
                                 const Verdict &verdict) {
  if (verdict.violations.empty())
    return inputError("there is no violation, so there is no failing schedule");
  const std::string rule = verdict.violations.front().rule;
  const bool strict = rule == "R40";
  Launch at = verdict.witness.value_or(launch);
  std::array<int64_t, 3> group = verdict.group;
  if (verdict.witness) // what runs may be a little larger, so that it can be launched
    if (const Launch nicer = rounded(program, at); true)
      if (const Verdict again = check(program, arch, nicer, {strict}); showsIt(again, rule)) {
        at = nicer;
        group = again.group;
      }
  Context context(program, &at);
  context.strict = strict;
  Journal journal;
  CanonicalRun run(context, group);
  run.record(journal);
  const auto result = run.run();
  if (!result || !*result || (*result)->rule != rule)
    return inputError(rule + " of " + program.name +
                      " has no failing schedule: it is refused before any run, or lies between "
                      "CTAs that nothing orders");
  const Order order = Ordering(journal, run.offence()).run();
  Schedule s;
  s.kernel = program.name;
  s.rule = rule;
  s.title = findRule(rule) ? findRule(rule)->title : "";
  s.message = (*result)->message;
  s.launch = launchText(program, at);
  s.missing = order.missing;
  for (size_t i = 0; i < program.tensors.size(); ++i)
    s.extents[program.tensors[i].name] = at.tensors[i].extents;
  for (size_t i = 0; i < program.arguments.size(); ++i)
    s.arguments[program.arguments[i].name] = at.arguments[i];
  s.first = group;
  s.steps = Steps(journal.entries(), order).run();
  return s;
}

} // namespace sluice

// Counters in global memory, and the kernel before.
#include "Program/IntegerRange.h"
#include "Verify/Conditions.h"
#include "Verify/Names.h"
#include "Verify/Run.h"

#include <algorithm>

namespace sluice {

namespace {

/// Whether a release and an acquire of these scopes join two agents.
bool joins(Scope release, Scope acquire, bool sameCta, bool sameCluster) {
  const Scope narrower = std::min(release, acquire);
  return sameCta || narrower == Scope::gpu || (narrower == Scope::cluster && sameCluster);
}

} // namespace

/// A tensor, or one in whose place it may be, that the kernel before writes.
bool RunPart::mayTouch(const Actor &a, const Stmt &s, int tensor) {
  if (a.previousEnded || !conditions().kernelBefore)
    return true;
  const std::string &name = program_.tensors[tensor].name;
  for (size_t t = 0; t < program_.tensors.size(); ++t) {
    if (!program_.tensors[t].previous || context_.memory[t] != context_.memory[tensor])
      continue;
    const std::string &before = program_.tensors[t].name;
    refuse("R37",
           what(a, s) + " touches " + name +
               (before == name ? "" : ", which may be the memory of " + before) +
               ", which the kernel before may still be writing. Put griddepcontrol.wait before "
               "it, in this role",
           s, name);
    return false;
  }
  context_.assumeNoneBefore(tensor);
  return true;
}

std::string RunCounters::counterName(const CounterKey &key) const {
  std::string text = program_.tensors[key.first].name + "[";
  for (size_t d = 0; d < key.second.size(); ++d)
    text += (d ? "," : "") + std::to_string(key.second[d]);
  return text + "]";
}

RunCounters::CounterKey RunCounters::counterKey(const ProofAgent &agent, const View &counter) {
  CounterKey key{counter.object, {}};
  for (const Index &i : counter.offset)
    key.second.push_back(agent.value(i));
  return key;
}

std::optional<RunCounters::CounterKey> RunCounters::counterAt(Actor &a, const Stmt &s,
                                                              const View &counter) {
  const Tensor &t = program_.tensors[counter.object];
  if (!mayTouch(a, s, counter.object))
    return {};
  const CounterKey key = counterKey(a.agent, counter);
  const std::vector<int64_t> &extents = context_.launch->tensors[counter.object].extents;
  for (size_t d = 0; d < key.second.size(); ++d)
    if (key.second[d] < 0 || key.second[d] >= extents[d]) {
      refuse("R24",
             what(a, s) + " uses " + counterName(key) + "; dimension " + std::to_string(d) +
                 " of " + t.name + " has " + std::to_string(extents[d]) + " counters",
             s, t.name);
      return {};
    }
  context_.assumptions.insert(zeroAtLaunch(t));
  return key;
}

RunCounters::Step RunCounters::counterAdd(Actor &a, const Stmt &s, const CounterAdd &op) {
  if (!context_.awaited[op.counter.object])
    return draw(a, s, op);
  if (op.old != kNone) {
    error_.emplace(unsupportedError("the proof follows either waits for a counter or the old "
                                    "values of its adds; use two counters",
                                    s.loc));
    return Step::stop;
  }
  if (!context_.launch)
    return parts_.brackets.addForOthers(a, s, op);
  const std::optional<CounterKey> key = counterAt(a, s, op.counter);
  if (!key)
    return Step::stop;
  TrackedCounter &counter = counters_[*key];
  const Strands who = strands(a, s);
  const int64_t single = a.agent.value(op.value);
  const int64_t value = single * (s.exec == Exec::threads ? 32 : 1);
  const int64_t least = counter.value() + value, most = counter.highest() + value;
  if (!IntegerRange{least, std::max(least, most)}.fits32())
    return leaves32Bits(a, s, counterName(*key), least);
  const BarrierEvent e = event(a, s);
  for (const TrackedCounter::Wait &w : counter.waits()) {
    if (who.know(w.event.stamp))
      continue;
    if (conditions().counters && value <= 0)
      return refuse("R38",
                    what(a, s) + " lowers counter " + counterName(*key) + " although " +
                        what(w.event) +
                        " may not have looked yet: it would then miss its value and block. Let "
                        "the add follow that wait",
                    s, counterName(*key));
    for (const BarrierEvent &needed : w.needed)
      if (!who.know(needed.stamp))
        return notFollowed(a, s, *key, needed);
  }
  for (const TrackedCounter::Add &earlier : counter.adds())
    if (value <= 0 && !who.know(earlier.event.stamp))
      return notFollowed(a, s, *key, earlier.event);
  TrackedCounter::Add add{e, a.cta, value, single, {}, who.shared(), {}, op.scope, !op.relaxed};
  who.each([&](const Knowledge &k) {
    add.order.join(k.order);
    add.sight.join(k.sight);
  });
  counter.add(std::move(add));
  wake(counter.blocked);
  return Step::done;
}

/// The memory wraps, and a wait for what comes then would block or pass.
RunCounters::Step RunCounters::leaves32Bits(Actor &a, const Stmt &s, const std::string &counter,
                                            int64_t value) {
  error_ = unsupportedError(what(a, s) + " brings counter " + counter + " to " +
                                std::to_string(value) + ", or past that; it has 32 bits",
                            s.loc);
  return Step::stop;
}

RunCounters::Step RunCounters::notFollowed(Actor &a, const Stmt &s, const CounterKey &key,
                                           const BarrierEvent &other) {
  error_ = unsupportedError("the proof follows adds to a counter that are ordered, or that are all "
                            "waited for; " +
                            what(other) + " and " + what(a, s) + " add to " + counterName(key) +
                            " in either order, and a wait for a part of their sum cannot tell "
                            "which has come");
  return Step::stop;
}

RunCounters::Step RunCounters::waitsForOthers(Actor &a, const Stmt &s, const CounterKey &key,
                                              const TrackedCounter &counter) {
  const auto foreign = std::find_if(counter.adds().begin(), counter.adds().end(),
                                    [&](const auto &add) { return add.cta != a.cta; });
  const BarrierEvent &other = foreign == counter.adds().end() ? *counter.lowered() : foreign->event;
  return refuse("R38",
                what(a, s) + " waits for " + what(other) +
                    " of another CTA, which the hardware need not have started. Say "
                    "`co_resident` where the grid is small enough to run at once",
                s, counterName(key));
}

RunCounters::Step RunCounters::counterWait(Actor &a, const Stmt &s, const CounterWait &op) {
  if (!context_.launch)
    return parts_.brackets.awaitOthers(a, s, op);
  const std::optional<CounterKey> key = counterAt(a, s, op.counter);
  if (!key)
    return Step::stop;
  TrackedCounter &counter = counters_[*key];
  const Strands who = strands(a, s);
  const int64_t least = a.agent.value(op.value);
  if (conditions().counters && counter.lowered() && counter.highest() >= least &&
      !who.know(counter.lowered()->stamp))
    return refuse("R38",
                  what(a, s) + " for counter " + counterName(*key) + " >= " +
                      std::to_string(least) + " may pass before " + what(*counter.lowered()) +
                      " lowers it: the counter was at " + std::to_string(counter.highest()) +
                      " then. Let the wait follow that add, or count on without lowering",
                  s, counterName(*key));
  if (counter.value() < least) {
    counter.blocked.push_back(a.index);
    return Step::blocked;
  }
  if (s.exec == Exec::threads)
    context_.assumptions.insert(
        "warps-converge: the lanes of a warp come to and leave a wait together");
  const BarrierEvent e{{a.electedComponent, ++a.steps}, a.index, &s};
  who.learn(e.stamp);
  TrackedCounter::Wait passed{e, {}};
  if (counter.sumOf(a.cta) < least) {
    if (conditions().counters && !op.coResident)
      return waitsForOthers(a, s, *key, counter);
    context_.assumptions.insert("co-resident: the CTAs that add to " +
                                program_.tensors[key->first].name + " run at the same time");
  }
  for (const TrackedCounter::Add *add : counter.neededFor(least)) {
    passed.needed.push_back(add->event);
    const bool sameCta = add->cta == a.cta;
    if (!add->releases)
      continue;
    const bool visible = joins(add->scope, op.scope, sameCta, !joinedGrid());
    who.each([&](Knowledge &k) {
      k.order.join(add->order);
      if (visible)
        k.sight.join(add->sight);
    });
    if (visible && s.exec == Exec::threads)
      tellLanes(a, {add->order, {}, {}, add->sight});
  }
  counter.passed(std::move(passed));
  return Step::done;
}

} // namespace sluice

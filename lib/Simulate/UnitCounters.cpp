// Counters in global memory.
#include "Simulate/Unit.h"

namespace sluice {

std::optional<Counters::Key> UnitCounters::counterKey(const Actor &a, const Stmt &s,
                                                      const View &counter) {
  Counters::Key key{counter.object, {}};
  const std::vector<int64_t> &extents = world_.launch.tensors[counter.object].extents;
  for (size_t d = 0; d < counter.offset.size(); ++d) {
    key.second.push_back(a.agent.value(counter.offset[d]));
    if (key.second[d] < 0 || key.second[d] >= extents[d]) {
      fail("R24",
           agentName(a) + " uses element " + std::to_string(key.second[d]) + " of dimension " +
               std::to_string(d) + " of the counters " + program_.tensors[counter.object].name +
               ", which has " + std::to_string(extents[d]),
           s.loc, program_.tensors[counter.object].name);
      return std::nullopt;
    }
  }
  return key;
}

/// The warp goes on when the old value has come back.
UnitCounters::Step UnitCounters::draw(Actor &a, const Stmt &s, const CounterAdd &op) {
  if (a.released) {
    a.released = false;
    a.time += world_.arch.issueCycles;
    return Step::done;
  }
  const auto key = counterKey(a, s, op.counter);
  if (!key)
    return Step::done;
  const int64_t value = a.agent.value(op.value);
  const double back = world_.arch.loadLatency / 2;
  const int index = a.index;
  const ValueId old = op.old;
  schedule(a.time + back, noCta, [this, key, value, back, index, old] {
    actors_[index].agent.set(old, counters_.value(*key));
    for (const Counters::Waiter &w : counters_.add(*key, value, now_))
      w.unit->goOn(w.actor, now_ + back);
    release(actors_[index], now_ + back);
  });
  return block(a);
}

/// A sum reaches the others after a trip to L2 and back.
UnitCounters::Step UnitCounters::counterAdd(Actor &a, const Stmt &s, const CounterAdd &op) {
  if (op.old != kNone)
    return draw(a, s, op);
  const auto key = counterKey(a, s, op.counter);
  if (!key)
    return Step::done;
  const int64_t value = a.agent.value(op.value) * threadsOfWarp(s.exec);
  schedule(a.time + world_.arch.loadLatency / 2, noCta, [this, key, value] {
    for (const Counters::Waiter &w : counters_.add(*key, value, now_))
      w.unit->goOn(w.actor, now_ + world_.arch.loadLatency / 2);
  });
  a.time += world_.arch.issueCycles;
  return Step::done;
}

UnitCounters::Step UnitCounters::counterWait(Actor &a, const Stmt &s, const CounterWait &op) {
  if (!a.released) {
    const auto key = counterKey(a, s, op.counter);
    if (!key)
      return Step::done;
    const int64_t least = a.agent.value(op.value);
    if (counters_.value(*key) < least) {
      counters_.wait(*key, {&unit_, a.index, least});
      return block(a);
    }
    a.time = std::max(a.time, counters_.changedAt(*key)) + world_.arch.loadLatency;
  }
  a.released = false;
  a.time += world_.arch.issueCycles;
  return Step::done;
}

} // namespace sluice

#include "Simulate/UnitMutexes.h"

#include "Program/OperationText.h"
#include "Simulate/Unit.h"

#include <algorithm>

namespace sluice {

UnitMutexes::State &UnitMutexes::stateOf(const Actor &a, const Mutex &op) {
  return mutexes_[{a.cta, a.agent.value(op.id)}];
}

void UnitMutexes::count(const Actor &a, const Mutex &op) {
  stateOf(a, op).passed[a.index] += op.kind == Mutex::unlock;
}

UnitMutexes::Step UnitMutexes::take(Actor &a, const Stmt &s, const Mutex &op) {
  State &m = stateOf(a, op);
  return op.kind == Mutex::lock ? lock(a, s, op, m) : unlock(a, s, op, m);
}

UnitMutexes::Step UnitMutexes::lock(Actor &a, const Stmt &s, const Mutex &op, State &m) {
  const int64_t before = m.passed[a.index];
  if (std::exchange(a.released, false)) {
    m.holder = op.pipe;
    return Step::done;
  }
  if (m.unlocked < before) {
    m.waiters.push_back({a.index, before});
    return block(a);
  }
  if (m.holder != Pipe::none) {
    const std::string name = mutexName(a.agent.value(op.id));
    fail("R49",
         agentName(a) + " locks " + name + ", which pipe " + std::string(sluice::name(m.holder)) +
             " has locked and not unlocked",
         s.loc, name);
    return Step::done;
  }
  m.holder = op.pipe;
  if (m.unlocked > 0)
    a.time = std::max(a.time, m.unlockedAt + world_.arch.flagLatency);
  return Step::done;
}

UnitMutexes::Step UnitMutexes::unlock(Actor &a, const Stmt &s, const Mutex &op, State &m) {
  if (m.holder != op.pipe) {
    const std::string name = mutexName(a.agent.value(op.id));
    fail("R49", agentName(a) + " unlocks " + name + ", which it has not locked", s.loc, name);
    return Step::done;
  }
  m.holder = Pipe::none;
  m.unlockedAt = now_;
  ++m.unlocked;
  ++m.passed[a.index];
  std::vector<Waiter> stay;
  for (const Waiter &w : m.waiters)
    if (w.unlocks <= m.unlocked)
      release(actors_[w.actor], now_ + world_.arch.flagLatency);
    else
      stay.push_back(w);
  m.waiters = std::move(stay);
  return Step::done;
}

void UnitMutexes::exitChecks() {
  for (const auto &[key, m] : mutexes_)
    if (m.holder != Pipe::none && !violation_)
      fail("R49",
           mutexName(key.second) + " of " + ctas_[key.first].core +
               " is left locked at the end by pipe " + std::string(name(m.holder)),
           program_.loc, mutexName(key.second));
}

} // namespace sluice

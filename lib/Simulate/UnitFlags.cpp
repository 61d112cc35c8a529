// Ascend: event flags between the pipes of a core, flags between cores.
#include "Program/CoreMeeting.h"
#include "Simulate/Unit.h"

#include <algorithm>

namespace sluice {

UnitFlags::Step UnitFlags::setFlag(Actor &a, const Stmt &s, const SetFlag &op) {
  int64_t id = a.agent.value(op.id);
  FlagSlot &flag = flags_[{a.cta, op.source, op.destination, id}];
  if (!flag.state.set()) {
    std::string text = "flag " + std::string(name(op.source)) + "->" +
                       std::string(name(op.destination)) + " id " + std::to_string(id);
    fail("R32", agentName(a) + " sets " + text + ", which is set already", s.loc, text);
    return Step::done;
  }
  flag.setAt = now_;
  if (flag.waiter >= 0) {
    flag.state.take();
    release(actors_[std::exchange(flag.waiter, -1)], now_ + world_.arch.flagLatency);
  }
  return Step::done;
}

UnitFlags::Step UnitFlags::waitFlag(Actor &a, const WaitFlag &op) {
  if (a.released) {
    a.released = false;
    return Step::done;
  }
  FlagSlot &flag = flags_[{a.cta, op.source, op.destination, a.agent.value(op.id)}];
  if (!flag.state.passes()) {
    flag.waiter = a.index;
    return block(a);
  }
  flag.state.take();
  a.time = std::max(a.time, flag.setAt + world_.arch.flagLatency);
  return Step::done;
}

/// Mode 2: a set by the AIC counts for either AIV; an AIV counts on its own side, the AIC needs
/// both.
UnitFlags::Step UnitFlags::crossSet(Actor &a, const Stmt &s, const CrossSet &op) {
  if (op.mode == allCores)
    return setForAll(a, op);
  bool fromCube = ctas_[a.cta].core == "aic";
  int64_t id = a.agent.value(op.id);
  CrossSlot &slot = cross_[{fromCube ? 0 : 1, id}];
  bool second = ctas_[a.cta].core == "aiv1", ok = true;
  if (fromCube || !second)
    ok = slot.state[0].set() && ok;
  if (fromCube || second)
    ok = slot.state[1].set() && ok;
  if (!ok) {
    fail("R34",
         agentName(a) + " sets cross-core flag " + std::to_string(id) +
             " a 16th time without a wait",
         s.loc, "cross " + std::to_string(id));
    return Step::done;
  }
  slot.setAt = now_;
  std::vector<int> stay;
  for (int w : slot.waiters) {
    if (!crossPasses(actors_[w], slot)) {
      stay.push_back(w);
      continue;
    }
    crossTake(actors_[w], slot);
    release(actors_[w], now_ + world_.arch.flagLatency);
  }
  slot.waiters = std::move(stay);
  return Step::done;
}

bool UnitFlags::crossPasses(const Actor &a, const CrossSlot &slot) const {
  const std::string &core = ctas_[a.cta].core;
  if (core == "aic")
    return slot.state[0].passes() && slot.state[1].passes();
  return slot.state[core == "aiv1"].passes();
}

void UnitFlags::crossTake(const Actor &a, CrossSlot &slot) {
  const std::string &core = ctas_[a.cta].core;
  if (core == "aic" || core == "aiv0")
    slot.state[0].take();
  if (core == "aic" || core == "aiv1")
    slot.state[1].take();
}

UnitFlags::Step UnitFlags::crossWait(Actor &a, const CrossWait &op) {
  if (a.released) {
    a.released = false;
    return Step::done;
  }
  bool atCube = ctas_[a.cta].core == "aic";
  if (const int64_t id = a.agent.value(op.id); isForAll(a, id))
    return waitForAll(a, id);
  CrossSlot &slot = cross_[{atCube ? 1 : 0, a.agent.value(op.id)}];
  if (!crossPasses(a, slot)) {
    slot.waiters.push_back(a.index);
    return block(a);
  }
  crossTake(a, slot);
  a.time = std::max(a.time, slot.setAt + world_.arch.flagLatency);
  return Step::done;
}

bool UnitFlags::isForAll(const Actor &a, int64_t id) const {
  const std::optional<CoreMeeting> &meeting = world_.meeting;
  return meeting && meeting->id == id && isOnVector(a) == (meeting->kind == "aiv");
}

int64_t UnitFlags::coreNumber(const Actor &a) const {
  const Cta &cta = ctas_[a.cta];
  const int64_t block = cta.at[0] + world_.grid[0] * (cta.at[1] + world_.grid[1] * cta.at[2]);
  return isOnVector(a) ? 2 * block + (cta.core == "aiv1") : block;
}

UnitFlags::Step UnitFlags::setForAll(Actor &a, const CrossSet &op) {
  const auto passing = allCores_.set({isOnVector(a), a.agent.value(op.id)}, coreNumber(a), now_);
  for (const AllCores::Waiter &w : passing)
    w.unit->goOn(w.actor, now_ + world_.arch.flagLatency);
  return Step::done;
}

UnitFlags::Step UnitFlags::waitForAll(Actor &a, int64_t id) {
  const AllCores::Key key{isOnVector(a), id};
  const int64_t core = coreNumber(a);
  if (!allCores_.passes(key, core)) {
    allCores_.wait(key, {&unit_, a.index, core});
    return block(a);
  }
  allCores_.take(key, core);
  a.time = std::max(a.time, allCores_.metAt(key) + world_.arch.flagLatency);
  return Step::done;
}

std::string UnitFlags::crossCounts(const Actor &a, int64_t id) {
  if (isForAll(a, id))
    return allCores_.text({isOnVector(a), id});
  const CrossSlot &slot = cross_[{ctas_[a.cta].core == "aic" ? 1 : 0, id}];
  return "counts " + std::to_string(slot.state[0].count()) + " and " +
         std::to_string(slot.state[1].count());
}

void UnitFlags::exitChecks() {
  for (auto &[key, flag] : flags_)
    if (flag.state.passes() && !violation_) {
      auto [cta, source, destination, id] = key;
      std::string text = "flag " + std::string(name(source)) + "->" +
                         std::string(name(destination)) + " id " + std::to_string(id);
      fail("R35",
           text + " of " + ctas_[cta].core +
               " is still set at the end: the next kernel would find it; add the wait that takes "
               "it",
           program_.loc, text);
    }
  for (auto &[key, slot] : cross_)
    if (!violation_ && (slot.state[0].count() || slot.state[1].count()))
      fail("R35",
           "cross-core flag " + std::to_string(key.second) + " is not back to zero at the end",
           program_.loc, "cross " + std::to_string(key.second));
}

} // namespace sluice

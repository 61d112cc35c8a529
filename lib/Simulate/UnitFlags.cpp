// Ascend: event flags between the pipes of a core, pipe barriers, flags between cores.
#include "Simulate/Unit.h"

#include <algorithm>

namespace sluice {

Unit::Step Unit::setFlag(Actor &a, const Stmt &s, const SetFlag &op) {
  int64_t id = a.agent.value(op.id);
  FlagSlot &flag = ctas_[a.cta].flags[{op.source, op.destination, id}];
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

Unit::Step Unit::waitFlag(Actor &a, const WaitFlag &op) {
  if (a.released) {
    a.released = false;
    return Step::done;
  }
  FlagSlot &flag = ctas_[a.cta].flags[{op.source, op.destination, a.agent.value(op.id)}];
  if (!flag.state.passes()) {
    flag.waiter = a.index;
    return block(a);
  }
  flag.state.take();
  a.time = std::max(a.time, flag.setAt + world_.arch.flagLatency);
  return Step::done;
}

Unit::Step Unit::pipeBarrier(Actor &a, const PipeBarrier &op) {
  if (op.pipe != Pipe::all || a.released) { // a pipe is in order and one operation deep here
    a.released = false;
    return Step::done;
  }
  ctas_[a.cta].pipes.waiters.push_back(a.index);
  Step blocked = block(a);
  tryPipes(ctas_[a.cta]);
  return blocked;
}

void Unit::tryPipes(Cta &cta) {
  if (cta.pipes.waiters.empty() || static_cast<int>(cta.pipes.waiters.size()) < cta.live)
    return;
  for (int w : std::exchange(cta.pipes.waiters, {}))
    release(actors_[w], now_);
}

/// Mode 2: a set by the AIC counts for either AIV; an AIV counts on its own side, the AIC needs
/// both.
Unit::Step Unit::crossSet(Actor &a, const Stmt &s, const CrossSet &op) {
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

bool Unit::crossPasses(const Actor &a, const CrossSlot &slot) const {
  const std::string &core = ctas_[a.cta].core;
  if (core == "aic")
    return slot.state[0].passes() && slot.state[1].passes();
  return slot.state[core == "aiv1"].passes();
}

void Unit::crossTake(const Actor &a, CrossSlot &slot) {
  const std::string &core = ctas_[a.cta].core;
  if (core == "aic" || core == "aiv0")
    slot.state[0].take();
  if (core == "aic" || core == "aiv1")
    slot.state[1].take();
}

Unit::Step Unit::crossWait(Actor &a, const CrossWait &op) {
  if (a.released) {
    a.released = false;
    return Step::done;
  }
  bool atCube = ctas_[a.cta].core == "aic";
  CrossSlot &slot = cross_[{atCube ? 1 : 0, a.agent.value(op.id)}];
  if (!crossPasses(a, slot)) {
    slot.waiters.push_back(a.index);
    return block(a);
  }
  crossTake(a, slot);
  a.time = std::max(a.time, slot.setAt + world_.arch.flagLatency);
  return Step::done;
}

} // namespace sluice

// mbarriers: who initialises them, arrives, waits and tests.
#include "Simulate/Unit.h"

#include <algorithm>

namespace sluice {

UnitBarriers::UnitBarriers(const UnitLinks &links) : UnitPart(links), mbarriers_(ctas_.size()) {
  for (auto &ofCta : mbarriers_)
    for (const Mbarrier &b : program_.mbarriers)
      ofCta.emplace_back(b.slots);
}

UnitBarriers::BarrierPlace UnitBarriers::place(Actor &a, const Stmt &s, const MbarrierRef &ref) {
  BarrierPlace p;
  p.cta = a.cta;
  p.object = ref.object;
  p.index = a.agent.value(ref.slot);
  const Mbarrier &array = program_.mbarriers[ref.object];
  if (p.index < 0 || p.index >= array.slots) {
    fail("R24",
         agentName(a) + " uses " + array.name + "[" + std::to_string(p.index) +
             "], the array has " + std::to_string(array.slots),
         s.loc, array.name);
    return p;
  }
  if (ref.remote)
    p.cta = static_cast<int>(a.agent.value(*ref.remote));
  if (p.cta < 0 || p.cta >= static_cast<int>(ctas_.size())) {
    fail("R24",
         agentName(a) + " signals CTA " + std::to_string(p.cta) + " of a cluster of " +
             std::to_string(ctas_.size()),
         s.loc, array.name);
    return p;
  }
  if (ctas_[p.cta].live == 0) {
    fail("R10", agentName(a) + " signals a CTA of the cluster that has ended", s.loc, array.name);
    return p;
  }
  return placeAt(p.cta, p);
}

UnitBarriers::BarrierPlace UnitBarriers::placeAt(int cta, const BarrierPlace &like) {
  BarrierPlace p = like;
  p.cta = cta;
  p.slot = &mbarriers_[cta][p.object][p.index];
  return p;
}

std::string UnitBarriers::nameOf(const BarrierPlace &p) const {
  return slotName(program_.mbarriers[p.object], p.index);
}

void UnitBarriers::settle(const BarrierPlace &p, MbarrierState::Outcome outcome, const Stmt &s) {
  using Outcome = MbarrierState::Outcome;
  if (outcome == Outcome::ok)
    return;
  if (outcome != Outcome::completed) {
    const char *rule = outcome == Outcome::overArrival      ? "R7"
                       : outcome == Outcome::txRange        ? "R8"
                       : outcome == Outcome::notInitialised ? "R1"
                                                            : "R3";
    return fail(rule, nameOf(p) + ": " + describe(outcome) + " (" + p.slot->state.str() + ")",
                s.loc, nameOf(p));
  }
  p.slot->completedAt = now_;
  std::vector<int> stay;
  for (int w : p.slot->waiters) {
    Actor &a = actors_[w];
    auto &op = std::get<MbarrierWait>(a.agent.current()->op);
    if (p.slot->state.passes(a.agent.value(op.parity)))
      release(a, now_ + world_.arch.barrierLatency);
    else
      stay.push_back(w);
  }
  p.slot->waiters = std::move(stay);
}

/// What the barrier shows now; random delays keep a completion from it for a while.
UnitBarriers::Step UnitBarriers::test(Actor &a, const Stmt &s, const MbarrierTest &op) {
  const BarrierPlace p = place(a, s, op.barrier);
  if (!p.slot)
    return Step::done;
  if (!p.slot->state.valid()) {
    settle(p, MbarrierState::Outcome::notInitialised, s);
    return Step::done;
  }
  const double shown =
      p.slot->state.phase() > 0 ? p.slot->completedAt + world_.arch.barrierLatency + delay() : 0;
  const bool isShown = follows() || shown <= a.time;
  a.agent.set(op.result, isShown && p.slot->state.passes(a.agent.value(op.parity)));
  a.time += world_.arch.waitCycles;
  return Step::done;
}

UnitBarriers::Step UnitBarriers::wait(Actor &a, const Stmt &s, const MbarrierWait &op) {
  if (op.token != kNone && a.agent.value({op.token, 0}) != 0) {
    a.time += world_.arch.issueCycles;
    return Step::done;
  }
  if (!a.released) {
    BarrierPlace p = place(a, s, op.barrier);
    if (!p.slot)
      return Step::done;
    if (!p.slot->state.valid()) {
      settle(p, MbarrierState::Outcome::notInitialised, s);
      return Step::done;
    }
    if (!p.slot->state.passes(a.agent.value(op.parity))) {
      p.slot->waiters.push_back(a.index);
      return block(a);
    }
    a.time += world_.arch.waitCycles;
    if (p.slot->state.phase() > 0)
      a.time = std::max(a.time, p.slot->completedAt + world_.arch.barrierLatency);
  }
  a.released = false;
  return Step::done;
}

UnitBarriers::Step UnitBarriers::initialise(Actor &a, const Stmt &s, const MbarrierInit &op) {
  BarrierPlace p = place(a, s, op.barrier);
  int64_t slots = op.wholeArray ? program_.mbarriers[op.barrier.object].slots : 1;
  for (int64_t i = 0; i < slots && p.slot && !violation_; ++i) {
    p.index = op.wholeArray ? i : p.index;
    p = placeAt(p.cta, p);
    settle(p, p.slot->state.init(op.count), s);
    a.time += world_.arch.issueCycles;
  }
  return Step::done;
}

UnitBarriers::Step UnitBarriers::invalidate(Actor &a, const Stmt &s, const MbarrierInval &op) {
  BarrierPlace p = place(a, s, op.barrier);
  int64_t slots = op.wholeArray ? program_.mbarriers[op.barrier.object].slots : 1;
  for (int64_t i = 0; i < slots && p.slot && !violation_; ++i) {
    p.index = op.wholeArray ? i : p.index;
    p = placeAt(p.cta, p);
    settle(p, p.slot->state.inval(), s);
  }
  a.time += world_.arch.issueCycles;
  return Step::done;
}

UnitBarriers::Step UnitBarriers::arrive(Actor &a, const Stmt &s, const MbarrierArrive &op) {
  const int64_t count = op.count * threadsOfWarp(s.exec);
  const Stmt *at = &s;
  if (BarrierPlace p = place(a, s, op.barrier); p.slot && p.cta != a.cta) {
    const double lands = a.time + world_.arch.remoteArriveLatency + delay();
    a.arrivalsLand = std::max(a.arrivalsLand, lands);
    schedule(lands, p.cta, [=, this] { settle(p, p.slot->state.arrive(count), *at); });
  } else if (p.slot)
    settle(p, p.slot->state.arrive(count), s);
  a.time += world_.arch.arriveCycles;
  return Step::done;
}

UnitBarriers::Step UnitBarriers::arriveExpectTx(Actor &a, const Stmt &s,
                                                const MbarrierArriveExpectTx &op) {
  BarrierPlace p = place(a, s, op.barrier);
  for (int64_t lane = 0; lane < threadsOfWarp(s.exec) && p.slot && !violation_; ++lane)
    settle(p, p.slot->state.arriveExpectTx(a.agent.value(op.bytes)), s);
  a.time += world_.arch.arriveCycles;
  return Step::done;
}

UnitBarriers::Step UnitBarriers::expectTx(Actor &a, const Stmt &s, const MbarrierExpectTx &op) {
  if (BarrierPlace p = place(a, s, op.barrier); p.slot)
    settle(p,
           p.slot->state.expectTx(
               MbarrierState::announcedBy(threadsOfWarp(s.exec), a.agent.value(op.bytes))),
           s);
  a.time += world_.arch.arriveCycles;
  return Step::done;
}

UnitBarriers::Step UnitBarriers::arriveAfterCopies(Actor &a, const Stmt &s,
                                                   const CpAsyncArrive &op) {
  BarrierPlace p = place(a, s, op.barrier);
  if (!p.slot)
    return Step::done;
  // Without .noinc the pending count goes up by one first: net zero (PTX ISA).
  int64_t arrivals = op.noinc ? threadsOfWarp(s.exec) : 0;
  const Stmt *at = &s;
  schedule(std::max(a.time, a.lastCopyEnd), a.cta, [this, p, arrivals, at] {
    if (arrivals)
      settle(p, p.slot->state.arrive(arrivals), *at);
  });
  a.copies.handOver();
  a.time += world_.arch.issueCycles;
  return Step::done;
}

} // namespace sluice

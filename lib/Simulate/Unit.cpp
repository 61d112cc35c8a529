#include "Simulate/Unit.h"

#include "Program/AscendCores.h"

#include <algorithm>

namespace sluice {
Unit::Unit(const World &world, EventQueue &events, Counters &counters,
           std::vector<SmEngines> &engines, Coordinates first, Recorder *recorder, int traced)
    : world_(world), program_(world.program), queue_(events), counters_(counters),
      engines_(engines), recorder_(recorder), traced_(traced),
      traffic_(world.program.tensors.size(), 0),
      random_((world.options.seed * 1000003 + first[0]) * 1000003 + first[1] * 1009 + first[2]) {
  if (isAscend(program_.target))
    createPipes(first);
  else
    createWarps(first);
  live_ = static_cast<int>(actors_.size());
}

void Unit::start(double time) {
  end_ = time;
  if (recorder_)
    busyAtStart_ = engines_[traced_].sharedMemory.busy;
  for (Actor &a : actors_) {
    a.time = time;
    if (!replay_)
      push(time, a.index);
  }
}

void Unit::createWarps(Coordinates first) {
  const int64_t *c = program_.cluster;
  for (int64_t rank = 0; rank < world_.clusterSize(); ++rank) {
    Cta cta(world_);
    cta.at = {first[0] + rank % c[0], first[1] + rank / c[0] % c[1], first[2] + rank / c[0] / c[1]};
    for (const Mbarrier &b : program_.mbarriers)
      cta.mbarriers.emplace_back(b.slots);
    ctas_.push_back(std::move(cta));
    for (int warp = 0; warp < program_.warps; ++warp) {
      AgentId id;
      id.cta = ctas_.back().at;
      id.warp = warp;
      addActor(id, static_cast<int>(rank));
    }
  }
}

void Unit::createPipes(Coordinates first) {
  for (AgentId id : ascendPipes(program_)) {
    if (ctas_.empty() || ctas_.back().core != id.core) {
      Cta cta(world_);
      cta.at = first;
      cta.core = id.core;
      ctas_.push_back(std::move(cta));
    }
    id.cta = first;
    addActor(std::move(id), static_cast<int>(ctas_.size()) - 1);
  }
}

void Unit::addActor(AgentId id, int cta) {
  actors_.emplace_back(Agent(program_, world_.launch, std::move(id)),
                       static_cast<int>(actors_.size()), cta);
  ++ctas_[cta].live;
}

int64_t Unit::iterations() const {
  int64_t most = 0;
  for (const Actor &a : actors_)
    most = std::max(most, a.agent.pipelinedIterations());
  return most;
}

void Unit::push(double time, int actor) {
  queue_.push(time, this, actor, -1);
}

void Unit::schedule(double time, int cta, std::function<void()> action) {
  int number = static_cast<int>(completions_.size());
  if (!freeCompletions_.empty()) {
    number = freeCompletions_.back();
    freeCompletions_.pop_back();
  } else {
    completions_.emplace_back();
  }
  ++inFlight_;
  if (cta != noCta)
    ++ctas_[cta].inFlight;
  completions_[number] = [this, cta, action = std::move(action)] {
    --inFlight_;
    if (cta != noCta)
      --ctas_[cta].inFlight;
    action();
  };
  if (!follows())
    queue_.push(time, this, -1, number);
  else if (replay_->late)
    replay_->held.push_back(number);
  else
    queue_.push(now_, this, -1, number);
}

void Unit::handle(const Event &event) {
  if (violation_)
    return;
  now_ = event.time;
  if (event.actor >= 0)
    return resume(actors_[event.actor]);
  auto action = std::move(completions_[event.completion]);
  freeCompletions_.push_back(event.completion);
  action();
  end_ = std::max(end_, now_);
  tryEpoch();
}

/// Three of four operations go undelayed: long delays next to none bring out more orders than equal
/// ones. Knuth's linear congruential generator.
double Unit::delay() {
  if (world_.options.chaos <= 0)
    return 0;
  random_ = random_ * 6364136223846793005u + 1442695040888963407u;
  double x = static_cast<double>(random_ >> 40) * 0x1p-24;
  return std::max(0.0, x - 0.75) * 4 * world_.options.chaos;
}

std::optional<Violation> Unit::exitChecks() {
  for (size_t c = 0; c < ctas_.size() && !violation_; ++c)
    for (auto &[key, flag] : ctas_[c].flags)
      if (flag.state.passes() && !violation_) {
        auto [source, destination, id] = key;
        std::string text = "flag " + std::string(name(source)) + "->" +
                           std::string(name(destination)) + " id " + std::to_string(id);
        fail("R35",
             text + " of " + ctas_[c].core +
                 " is still set at the end: the next kernel would find it; add the wait that takes "
                 "it",
             program_.loc, text);
      }
  for (auto &[key, slot] : cross_)
    if (!violation_ && (slot.state[0].count() || slot.state[1].count()))
      fail("R35",
           "cross-core flag " + std::to_string(key.second) + " is not back to zero at the end",
           program_.loc, "cross " + std::to_string(key.second));
  return violation_;
}

void Unit::resume(Actor &a) {
  a.time = std::max(a.time, now_);
  while (!violation_) {
    now_ = a.time;
    if (a.state == Actor::finishing) {
      finish(a, *a.agent.current());
      a.state = Actor::running;
      a.agent.advance();
    }
    if (const Scalar *load = a.agent.scalars().outside())
      return failOutside(a, *load);
    const Stmt *s = a.agent.current();
    if (const Stmt *loop = a.agent.endless())
      return fail("R9",
                  agentName(a) + " goes round a loop for ever, with no operation of its own in it. "
                                 "Let what ends the loop change in it",
                  loop->loc);
    if (!s)
      return leave(a);
    a.state = Actor::running;
    const bool followed = follows(); // it was blocked, and goes no further than its operation
    switch (execute(a, *s)) {
    case Step::blocked:
      return;
    case Step::finishing:
      if (world_.options.executed)
        world_.options.executed(a.agent, *s);
      a.time += delay();
      a.state = Actor::finishing;
      ++events_;
      break;
    case Step::done:
      if (world_.options.executed)
        world_.options.executed(a.agent, *s);
      if (world_.options.awaited && world_.values())
        showSlots(a, *s);
      a.time += delay();
      ++events_;
      a.agent.advance();
    }
    if (followed)
      return;
    if (queue_.due(a.time))
      return push(a.time, a.index);
  }
}

void Unit::showSlots(Actor &a, const Stmt &s) {
  if (!std::holds_alternative<MbarrierWait>(s.op))
    return;
  world_.options.awaited(a.agent, s, [&](int buffer, int64_t slot) {
    return std::span<const std::byte>(ctas_[a.cta].memory.slot(buffer, slot, a.agent.warpInRole()),
                                      static_cast<size_t>(world_.maps[buffer]->bytes()));
  });
}

Unit::Step Unit::block(Actor &a) {
  a.state = Actor::blocked;
  a.blockedAt = a.time;
  return Step::blocked;
}

void Unit::release(Actor &a, double time) {
  a.released = true;
  a.time = std::max(a.time, time);
  recordWait(a, a.time);
  push(a.time, a.index);
}

void Unit::leave(Actor &a) {
  takeReads(a, [](const LateRead &) { return true; });
  a.state = Actor::done;
  end_ = std::max(end_, a.time);
  --live_;
  Cta &cta = ctas_[a.cta];
  --cta.live;
  int64_t stores = a.bulk.unwaited(), products = a.wgmmas.unwaited(), copies = a.copies.unwaited();
  auto left = [&](int64_t n, const char *what, const char *fix) {
    if (n > 0)
      fail("R10",
           agentName(a) + " ends while nobody waited for " + std::to_string(n) + " " + what +
               "; add " + fix,
           program_.loc);
  };
  left(stores, "bulk stores that read shared memory", "cp.async.bulk.wait_group.read 0");
  left(products, "wgmma operations", "wgmma.wait_group 0");
  left(copies, "cp.async operations", "cp.async.wait_group 0");
  left(a.products.unwaited(), "tcgen05.mma operations", "tcgen05.commit, and wait for its barrier");
  left(a.tensorLoads.unwaited(), "tcgen05.ld operations", "tcgen05.wait::ld");
  if (cta.live == 0 && cta.tensorMemory.columns > 0 && !cta.tensorMemory.freed)
    fail("R42",
         "the CTA of " + agentName(a) +
             " ends with tensor memory allocated; add "
             "tcgen05.dealloc",
         program_.loc);
  if (cta.live == 0 && cta.inFlight > 0 && !isAscend(program_.target)) {
    int64_t storing = 0;
    for (const Actor &other : actors_)
      storing += other.cta == a.cta ? other.bulk.unfinished() : 0;
    if (storing < cta.inFlight)
      fail("R10",
           "the CTA of " + agentName(a) + " ends while a load or an arrival is on its way to it",
           program_.loc);
  }
  tryEpoch();
  tryCluster();
  if (isAscend(program_.target))
    tryPipes(cta);
}

void Unit::failOutside(const Actor &a, const Scalar &load) {
  const std::string &name = program_.tensors[load.object].name;
  std::string index;
  for (const ValueId v : load.operands)
    index += (index.empty() ? "" : ",") + std::to_string(a.agent.value(v));
  Location loc;
  walk(program_.body, [&](const Stmt &s) {
    if (std::get_if<Scalar>(&s.op) == &load)
      loc = s.loc;
  });
  fail("R24",
       "scalar load of " + agentName(a) + " reads " + name + "[" + index +
           "], which is outside of the tensor. Pass data whose indices stay inside",
       loc, name);
}

void Unit::fail(std::string rule, std::string message, const Location &loc, std::string barrier) {
  if (!violation_)
    violation_ = Violation{std::move(rule), std::move(message), loc, std::move(barrier), {}};
}

Unit::Step Unit::execute(Actor &a, const Stmt &s) {
  takeReadsBefore(a, s);
  const double issue = world_.arch.issueCycles;
  auto instant = [&] {
    a.time += issue;
    return Step::done;
  };
  auto arrived = [&] {
    a.time += world_.arch.arriveCycles;
    return Step::done;
  };
  const Operation &op = s.op;
  if (auto *o = std::get_if<MbarrierWait>(&op))
    return wait(a, s, *o);
  if (auto *o = std::get_if<MbarrierTest>(&op))
    return test(a, s, *o);
  if (auto *o = std::get_if<MbarrierInit>(&op))
    return initialise(a, s, *o);
  if (auto *o = std::get_if<MbarrierInval>(&op))
    return invalidate(a, s, *o);
  if (auto *o = std::get_if<CpAsyncArrive>(&op))
    return arriveAfterCopies(a, s, *o);
  if (auto *o = std::get_if<NamedBarrier>(&op))
    return namedBarrier(a, s, *o);
  if (auto *o = std::get_if<ClusterBarrier>(&op))
    return clusterBarrier(a, *o);
  if (auto *o = std::get_if<CounterAdd>(&op))
    return counterAdd(a, s, *o);
  if (auto *o = std::get_if<CounterWait>(&op))
    return counterWait(a, s, *o);
  if (std::holds_alternative<Epoch>(op))
    return epoch(a);
  if (auto *o = std::get_if<SetFlag>(&op))
    return setFlag(a, s, *o);
  if (auto *o = std::get_if<WaitFlag>(&op))
    return waitFlag(a, *o);
  if (auto *o = std::get_if<PipeBarrier>(&op))
    return pipeBarrier(a, *o);
  if (auto *o = std::get_if<CrossSet>(&op))
    return crossSet(a, s, *o);
  if (auto *o = std::get_if<CrossWait>(&op))
    return crossWait(a, *o);
  if (auto *o = std::get_if<TmaLoad>(&op))
    return tmaLoad(a, s, *o);
  if (auto *o = std::get_if<RemoteCopy>(&op))
    return remoteCopy(a, s, *o);
  if (auto *o = std::get_if<ScalarRead>(&op))
    return scalarRead(a, s, *o);
  if (auto *o = std::get_if<ScalarWrite>(&op))
    return scalarWrite(a, s, *o);
  if (auto *o = std::get_if<TmaStore>(&op))
    return tmaStore(a, s, *o);
  if (auto *o = std::get_if<Wgmma>(&op))
    return wgmma(a, s, *o);
  if (auto *o = std::get_if<Copy>(&op); o && o->async)
    return cpAsync(a, s, *o);
  if (const auto done = executeTensorMemory(a, s))
    return *done;
  if (auto *o = std::get_if<BulkWait>(&op))
    return waitGroups(a, a.bulk, o->pending, o->read);
  if (auto *o = std::get_if<WgmmaWait>(&op))
    return waitGroups(a, a.wgmmas, o->pending, false);
  if (auto *o = std::get_if<CpAsyncWait>(&op))
    return waitGroups(a, a.copies, o->pending, false);
  if (auto *o = std::get_if<MbarrierArrive>(&op)) {
    const int64_t count = o->count * threadsOfWarp(s.exec);
    const Stmt *at = &s;
    if (BarrierPlace p = place(a, s, o->barrier); p.slot && p.cta != a.cta) {
      const double lands = a.time + world_.arch.remoteArriveLatency + delay();
      a.arrivalsLand = std::max(a.arrivalsLand, lands);
      schedule(lands, p.cta, [=, this] { settle(p, p.slot->state.arrive(count), *at); });
    } else if (p.slot)
      settle(p, p.slot->state.arrive(count), s);
    return arrived();
  }
  if (auto *o = std::get_if<MbarrierArriveExpectTx>(&op)) {
    BarrierPlace p = place(a, s, o->barrier);
    for (int64_t lane = 0; lane < threadsOfWarp(s.exec) && p.slot && !violation_; ++lane)
      settle(p, p.slot->state.arriveExpectTx(a.agent.value(o->bytes)), s);
    return arrived();
  }
  if (auto *o = std::get_if<MbarrierExpectTx>(&op)) {
    if (BarrierPlace p = place(a, s, o->barrier); p.slot)
      settle(p, p.slot->state.expectTx(a.agent.value(o->bytes) * threadsOfWarp(s.exec)), s);
    return arrived();
  }
  if (std::holds_alternative<BulkCommit>(op))
    return a.bulk.commit(), instant();
  if (std::holds_alternative<WgmmaCommit>(op))
    return a.wgmmas.commit(), instant();
  if (std::holds_alternative<CpAsyncCommit>(op))
    return a.copies.commit(), instant();
  if (std::holds_alternative<WarpSync>(op) || std::holds_alternative<Fence>(op) ||
      std::holds_alternative<WgmmaFence>(op) || std::holds_alternative<GridDependency>(op))
    return instant();
  return begin(a, s);
}

} // namespace sluice

#include "Simulate/Unit.h"

#include "Program/OperationFacts.h"
#include "Program/Watchers.h"

#include <algorithm>

namespace sluice {
UnitParts::UnitParts(const UnitLinks &links, Counters &theCounters, Launches &theLaunches,
                     Recorder *recorder, int traced)
    : barriers(links), meetings(links), flags(links, theCounters.allCores), mutexes(links),
      tiles(links), counters(links, theCounters), numbers(links), launches(links, theLaunches),
      tensorMemory(links), async(links), data(links), reads(links), traffic(links),
      report(links, recorder, traced) {}

Unit::Unit(const World &world, EventQueue &events, Counters &counters, Launches &launches,
           std::vector<SmEngines> &engines, Coordinates first, Recorder *recorder, int traced)
    : UnitState(world, events, engines, first), UnitPart({*this, owned_, *this}),
      owned_({*this, owned_, *this}, counters, launches, recorder, traced) {}

void Unit::start(double time) {
  UnitState::end = time;
  parts_.report.start();
  for (Actor &a : actors_) {
    a.time = time;
    if (!replay_)
      push(time, a.index);
  }
}

int64_t Unit::iterations() const {
  int64_t most = 0;
  for (const Actor &a : actors_)
    most = std::max(most, a.agent.pipelinedIterations());
  return most;
}

void Unit::handle(const Event &event) {
  if (violation_)
    return;
  now_ = event.time;
  if (event.actor >= 0)
    return resume(actors_[event.actor]);
  completions.take(event.completion)();
  UnitState::end = std::max(end(), now_);
  parts_.meetings.tryEpoch();
}

std::optional<Violation> Unit::exitChecks() {
  parts_.flags.exitChecks();
  parts_.mutexes.exitChecks();
  parts_.tiles.exitChecks();
  return violation_;
}

void Unit::resume(Actor &a) {
  a.time = std::max(a.time, now_);
  while (!violation_) {
    now_ = a.time;
    if (a.state == Actor::finishing) {
      parts_.data.finish(a, *a.agent.current());
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
    if (onlyWatches(*s, a.agent.id().pipe)) {
      if (auto *mutex = std::get_if<Mutex>(&s->op))
        parts_.mutexes.count(a, *mutex);
      a.agent.advance();
      continue;
    }
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
    if (queue.due(a.time))
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

void Unit::leave(Actor &a) {
  parts_.reads.takeReads(a, [](const LateRead &) { return true; });
  a.state = Actor::done;
  UnitState::end = std::max(end(), a.time);
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
  left(a.tensorStores.unwaited(), "tcgen05.st operations", "tcgen05.wait::st");
  if (cta.live == 0 && parts_.tensorMemory.leftAllocated(a.cta))
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
  parts_.meetings.tryEpoch();
  parts_.meetings.tryCluster();
  if (isAscend(program_.target))
    parts_.meetings.tryPipes(a.cta);
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

Unit::Step Unit::execute(Actor &a, const Stmt &s) {
  parts_.reads.takeReadsBefore(a, s);
  const double issue = world_.arch.issueCycles;
  auto instant = [&] {
    a.time += issue;
    return Step::done;
  };
  const Operation &op = s.op;
  if (auto *o = std::get_if<MbarrierWait>(&op))
    return parts_.barriers.wait(a, s, *o);
  if (auto *o = std::get_if<MbarrierTest>(&op))
    return parts_.barriers.test(a, s, *o);
  if (auto *o = std::get_if<MbarrierInit>(&op))
    return parts_.barriers.initialise(a, s, *o);
  if (auto *o = std::get_if<MbarrierInval>(&op))
    return parts_.barriers.invalidate(a, s, *o);
  if (auto *o = std::get_if<CpAsyncArrive>(&op))
    return parts_.barriers.arriveAfterCopies(a, s, *o);
  if (auto *o = std::get_if<NamedBarrier>(&op))
    return parts_.meetings.namedBarrier(a, s, *o);
  if (auto *o = std::get_if<ClusterBarrier>(&op))
    return parts_.meetings.clusterBarrier(a, *o);
  if (auto *o = std::get_if<CounterAdd>(&op))
    return parts_.counters.counterAdd(a, s, *o);
  if (auto *o = std::get_if<CounterWait>(&op))
    return parts_.counters.counterWait(a, s, *o);
  if (std::holds_alternative<Epoch>(op))
    return parts_.meetings.epoch(a);
  if (auto *o = std::get_if<SetFlag>(&op))
    return parts_.flags.setFlag(a, s, *o);
  if (auto *o = std::get_if<WaitFlag>(&op))
    return parts_.flags.waitFlag(a, *o);
  if (auto *o = std::get_if<PipeBarrier>(&op))
    return parts_.meetings.pipeBarrier(a, *o);
  if (auto *o = std::get_if<Mutex>(&op))
    return parts_.mutexes.take(a, s, *o);
  if (auto *o = std::get_if<CrossSet>(&op))
    return parts_.flags.crossSet(a, s, *o);
  if (auto *o = std::get_if<CrossWait>(&op))
    return parts_.flags.crossWait(a, *o);
  if (auto *o = std::get_if<TmaLoad>(&op))
    return parts_.async.tmaLoad(a, s, *o);
  if (auto *o = std::get_if<RemoteCopy>(&op))
    return parts_.async.remoteCopy(a, s, *o);
  if (auto *o = std::get_if<ClcTryCancel>(&op))
    return parts_.launches.tryCancel(a, s, *o);
  if (auto *o = std::get_if<ScalarRead>(&op))
    return parts_.numbers.scalarRead(a, s, *o);
  if (auto *o = std::get_if<ScalarWrite>(&op))
    return parts_.numbers.scalarWrite(a, s, *o);
  if (auto *o = std::get_if<TmaStore>(&op))
    return parts_.async.tmaStore(a, s, *o);
  if (auto *o = std::get_if<Wgmma>(&op))
    return parts_.async.wgmma(a, s, *o);
  if (auto *o = std::get_if<Copy>(&op); o && o->async)
    return parts_.async.cpAsync(a, s, *o);
  if (const auto done = parts_.tensorMemory.executeTensorMemory(a, s))
    return *done;
  if (auto *o = std::get_if<MbarrierArrive>(&op))
    return parts_.barriers.arrive(a, s, *o);
  if (auto *o = std::get_if<MbarrierArriveExpectTx>(&op))
    return parts_.barriers.arriveExpectTx(a, s, *o);
  if (auto *o = std::get_if<MbarrierExpectTx>(&op))
    return parts_.barriers.expectTx(a, s, *o);
  const GroupDeed group = groupDeed(op);
  if (group.kind == GroupDeed::waits)
    return parts_.async.waitGroups(a, a.groups(group.queue), group.pending, group.read);
  if (group.kind == GroupDeed::commits)
    return a.groups(group.queue).commit(), instant();
  if (auto *o = std::get_if<Prefetch>(&op))
    return a.time += issue * parts_.traffic.prefetches(a, *o, s.exec), Step::done;
  if (std::holds_alternative<WarpSync>(op) || std::holds_alternative<Fence>(op) ||
      std::holds_alternative<WgmmaFence>(op) || std::holds_alternative<GridDependency>(op))
    return instant();
  return parts_.data.begin(a, s);
}

} // namespace sluice

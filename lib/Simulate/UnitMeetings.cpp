#include "Simulate/Unit.h"

#include <algorithm>

namespace sluice {

UnitMeetings::UnitMeetings(const UnitLinks &links) : UnitPart(links), pipes_(ctas_.size()) {}

UnitMeetings::Step UnitMeetings::namedBarrier(Actor &a, const Stmt &s, const NamedBarrier &op) {
  if (a.released) {
    a.released = false;
    return Step::done;
  }
  const int64_t id = a.agent.value(op.id);
  std::string text = "named barrier " + std::to_string(id);
  if (!NamedBarrier::isId(id)) {
    fail("R11", agentName(a) + " uses " + text + "; a CTA has the ids 0 to 15", s.loc, text);
    return Step::done;
  }
  Rendezvous &r = named_[{a.cta, id}];
  int64_t threads = op.threads ? op.threads : program_.warps * int64_t{32};
  if (r.arrived > 0 && r.threads != threads) {
    fail("R11",
         text + " is used with " + std::to_string(threads) + " and with " +
             std::to_string(r.threads) + " threads in one phase",
         s.loc, text);
    return Step::done;
  }
  r.threads = threads;
  r.arrived += 32;
  if (r.arrived < threads) {
    a.time += op.arriveOnly ? world_.arch.issueCycles : 0;
    if (op.arriveOnly)
      return Step::done;
    r.waiters.push_back(a.index);
    return block(a);
  }
  double at = now_ + world_.arch.namedBarrierLatency;
  for (int w : std::exchange(r.waiters, {}))
    release(actors_[w], at);
  r.arrived = 0;
  a.time = op.arriveOnly ? a.time + world_.arch.issueCycles : at;
  return Step::done;
}

UnitMeetings::Step UnitMeetings::clusterBarrier(Actor &a, const ClusterBarrier &op) {
  using Kind = ClusterBarrier::Kind;
  if (a.released) {
    a.released = false;
    return Step::done;
  }
  if (op.kind != Kind::wait) {
    a.clusterPhase = clusterPhase_;
    if (op.kind != Kind::arriveRelaxed) // a release: what came before is there for who waits
      clusterShows_ = std::max(clusterShows_, a.arrivalsLand);
    ++cluster_.arrived;
    tryCluster();
  }
  a.time += world_.arch.issueCycles;
  if (op.kind == Kind::arrive || op.kind == Kind::arriveRelaxed)
    return Step::done;
  if (clusterPhase_ > a.clusterPhase) {
    a.time = std::max(a.time, clusterShows_);
    return Step::done;
  }
  cluster_.waiters.push_back(a.index);
  return block(a);
}

void UnitMeetings::tryCluster() {
  // Warps that have ended count as arrived (PTX ISA, barrier.cluster: all non-exited threads).
  if (cluster_.arrived == 0 || cluster_.arrived < live_)
    return;
  ++clusterPhase_;
  cluster_.arrived = 0;
  for (int w : std::exchange(cluster_.waiters, {}))
    release(actors_[w], std::max(now_, clusterShows_) + world_.arch.clusterBarrierLatency);
}

UnitMeetings::Step UnitMeetings::epoch(Actor &a) {
  if (a.released) {
    a.released = false;
    return Step::done;
  }
  epoch_.waiters.push_back(a.index);
  Step blocked = block(a);
  tryEpoch();
  return blocked;
}

void UnitMeetings::tryEpoch() {
  if (epoch_.waiters.empty() || static_cast<int>(epoch_.waiters.size()) < live_ ||
      state_.inFlight > 0)
    return;
  parts_.report.epoch(now_);
  for (int w : std::exchange(epoch_.waiters, {}))
    release(actors_[w], now_);
}

UnitMeetings::Step UnitMeetings::pipeBarrier(Actor &a, const PipeBarrier &op) {
  if (op.pipe != Pipe::all || a.released) { // a pipe is in order and one operation deep here
    a.released = false;
    return Step::done;
  }
  pipes_[a.cta].waiters.push_back(a.index);
  Step blocked = block(a);
  tryPipes(a.cta);
  return blocked;
}

void UnitMeetings::tryPipes(int cta) {
  std::vector<int> &waiters = pipes_[cta].waiters;
  if (waiters.empty() || static_cast<int>(waiters.size()) < ctas_[cta].live)
    return;
  for (int w : std::exchange(waiters, {}))
    release(actors_[w], now_);
}

} // namespace sluice

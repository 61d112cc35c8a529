#include "Verify/Conditions.h"
#include "Verify/Names.h"
#include "Verify/Run.h"

namespace sluice {

RunMeetings::Step RunMeetings::namedBarrier(Actor &a, const Stmt &s, const NamedBarrier &op) {
  if (a.arrived && a.released) {
    a.arrived = a.released = false;
    return Step::done;
  }
  const int64_t id = a.agent.value(op.id);
  if (a.agent.unresolved())
    return Step::done; // which step() reports: nothing is to be said of a barrier that is not known
  const std::string name = "named barrier " + std::to_string(id);
  if (!NamedBarrier::isId(id))
    return refuse("R11", what(a, s) + " uses " + name + "; a CTA has the ids 0 to 15", s, name);
  HardwareBarrier &b = named_[{a.cta, id}];
  observeArrival(a, s, b);
  const BarrierEvent e = event(a, s);
  const int64_t threads = op.threads ? op.threads : program_.warps * int64_t{32};
  if (b.arrived == 0)
    b.threads = threads;
  if (conditions().named && b.threads != threads) {
    offence_ = {Offence::plain,
                b.current.front(),
                "names " + std::to_string(b.threads) + " threads",
                "names " + std::to_string(threads) + " threads",
                {}};
    return refuse("R11",
                  what(a, s) + " on " + name + " says " + std::to_string(threads) + " threads, " +
                      what(b.current.front()) + " says " + std::to_string(b.threads) +
                      ". All users of a phase give one count",
                  s, name);
  }
  const Strands who = strands(a, s);
  for (const BarrierEvent &other : b.previous)
    if (conditions().named && !who.know(other.stamp)) {
      offence_ = {Offence::tooEarly, other, "is of the phase before", "", {}};
      return refuse("R11",
                    what(a, s) + " on " + name + " is not ordered after " + what(other) +
                        " of the phase before: more warps use the barrier than its " +
                        std::to_string(threads) +
                        " threads, or a warp arrives twice. Give the count of all warps that "
                        "execute it, or another id",
                    s, name);
    }
  for (const BarrierEvent &other : b.current)
    if (conditions().named && other.actor == a.index)
      return refuse("R11",
                    what(a, s) + " on " + name + " counts a second time in the phase of " +
                        what(other) + ": one warp stands for two. Let it wait once",
                    s, name);
  b.current.push_back(e);
  b.joined.join(a.lanes);
  b.joined.join(a.elected);
  b.arrived += 32;
  if (b.arrived < b.threads) {
    if (op.arriveOnly)
      return Step::done;
    a.arrived = true;
    b.blocked.push_back(a.index);
    return Step::blocked;
  }
  observeCompletion(a, s, b);
  for (int32_t i : b.blocked) {
    actors_[i].released = true;
    actors_[i].lanes.join(b.joined);
    actors_[i].elected.join(b.joined);
    tellLanes(actors_[i], b.joined);
  }
  if (!op.arriveOnly) {
    a.lanes.join(b.joined);
    a.elected.join(b.joined);
    tellLanes(a, b.joined);
  }
  wake(b.blocked);
  b.previous = std::move(b.current);
  b.current.clear();
  b.joined.clear();
  b.arrived = 0;
  return Step::done;
}

RunMeetings::Step RunMeetings::clusterBarrier(Actor &a, const Stmt &s, const ClusterBarrier &op) {
  const bool waits = op.kind == ClusterBarrier::wait || op.kind == ClusterBarrier::sync;
  if (conditions().cluster && op.kind == ClusterBarrier::wait && a.clusterPhase < 0)
    return refuse("R12",
                  what(a, s) + " waits without having arrived: it blocks for ever. Put a cluster "
                               "arrive before it",
                  s, "cluster barrier");
  if (op.kind != ClusterBarrier::wait && !a.arrived) {
    if (conditions().cluster && a.clusterPhase >= 0)
      return refuse("R12", what(a, s) + " arrives twice without a wait between. Wait first", s,
                    "cluster barrier");
    event(a, s);
    cluster_.joined.ends.join(a.shownEnds);
    if (op.kind == ClusterBarrier::arriveRelaxed) {
      parts_.barriers.releaseInitialisations(a, cluster_.joined.knowledge.order);
      cluster_.joined.ends.join(a.lanes.order);
      cluster_.joined.ends.join(a.elected.order);
    } else {
      cluster_.joined.knowledge.join(a.lanes);
      cluster_.joined.knowledge.join(a.elected);
    }
    a.clusterPhase = cluster_.phase;
    ++cluster_.arrived;
    completeCluster();
  }
  if (!waits)
    return Step::done;
  if (a.clusterPhase == cluster_.phase) {
    a.arrived = op.kind == ClusterBarrier::sync;
    cluster_.blocked.push_back(a.index);
    return Step::blocked;
  }
  const Meeting &learnt = cluster_.completed[a.clusterPhase];
  a.lanes.join(learnt.knowledge);
  a.elected.join(learnt.knowledge);
  tellLanes(a, learnt.knowledge);
  a.shownEnds.join(learnt.ends);
  a.clusterPhase = -1;
  a.arrived = false;
  return Step::done;
}

void RunMeetings::completeCluster() {
  size_t live = 0;
  for (const Actor &a : actors_)
    live += !a.done || a.clusterPhase == cluster_.phase;
  if (cluster_.arrived == 0 || cluster_.arrived < live)
    return;
  cluster_.completed[cluster_.phase] = std::move(cluster_.joined);
  cluster_.completed.erase(cluster_.phase - 2); // every waiter has passed: it arrived since
  ++cluster_.phase;
  cluster_.arrived = 0;
  cluster_.joined = {};
  wake(cluster_.blocked);
}

RunMeetings::Step RunMeetings::pipeBarrier(Actor &a, const Stmt &s, const PipeBarrier &op) {
  if (op.pipe != Pipe::all) {
    event(a, s);
    a.drained = a.steps;
    return Step::done;
  }
  if (a.arrived && a.released) {
    a.arrived = a.released = false;
    a.drained = a.steps;
    return Step::done;
  }
  HardwareBarrier &b = pipes_[a.agent.id().core];
  event(a, s);
  b.joined.join(a.lanes);
  a.arrived = true;
  ++b.arrived;
  b.blocked.push_back(a.index);
  int64_t pipes = 0;
  for (const Actor &other : actors_)
    pipes += other.agent.id().core == a.agent.id().core;
  if (b.arrived < pipes)
    return Step::blocked;
  for (int32_t i : b.blocked) {
    actors_[i].released = true;
    actors_[i].lanes.join(b.joined);
  }
  wake(b.blocked);
  b.joined.clear();
  b.arrived = 0;
  return Step::blocked; // it is among those just woken
}

void RunMeetings::observeArrival(const Actor &a, const Stmt &s, HardwareBarrier &b) {
  context_.observed.open(s);
  b.prior.join(a.lanes.order);
  b.prior.join(a.elected.order);
}

/// A barrier matters to whoever learns something that was known to another before they met; one who
/// only arrives matters when somebody learns.
void RunMeetings::observeCompletion(const Actor &a, const Stmt &s, HardwareBarrier &b) {
  bool open = context_.observed.open(s);
  for (const BarrierEvent &e : b.current)
    open |= context_.observed.open(*e.stmt);
  const auto learns = [&](const Actor &x) {
    return !x.lanes.order.covers(b.prior) || !x.elected.order.covers(b.prior);
  };
  bool anybody = open && !std::get<NamedBarrier>(s.op).arriveOnly && learns(a);
  for (size_t i = 0; i < b.blocked.size() && open && !anybody; ++i)
    anybody = learns(actors_[b.blocked[i]]);
  if (anybody)
    for (const BarrierEvent &e : b.current)
      context_.observed.matters(*e.stmt);
  b.prior.clear();
}

bool RunMeetings::leftInPhase() {
  for (const auto &[key, b] : named_)
    if (b.arrived > 0) {
      const std::string name = "named barrier " + std::to_string(key.second);
      refuse("R14",
             name + " is left in the middle of a phase (" + std::to_string(b.arrived) + " of " +
                 std::to_string(b.threads) + " threads); the last to arrive is " +
                 what(b.current.back()) + ". Let somebody wait on it, or leave the arrive out",
             *b.current.back().stmt, name);
      return true;
    }
  return false;
}

} // namespace sluice

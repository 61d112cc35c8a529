// Synchronisation objects as the machine has them.
#include "Explore/Machine.h"

namespace sluice::explorer {

using L = Layout;

namespace {
constexpr int64_t maxCount = (1 << 20) - 1; // PTX ISA: counts and bytes of an mbarrier
} // namespace

std::optional<Fault> Machine::initialise(State &s, const Action &a) const {
  for (int32_t b : a.objects) {
    int32_t *words = &s[layout_.mbarrier(b)];
    if (words[0] & L::valid)
      return Fault{"R3", u_.mbarriers[b] + " is initialised again"};
    if (a.count < 1 || a.count > maxCount)
      return Fault{"R3", u_.mbarriers[b] + " gets a count of " + std::to_string(a.count)};
    words[0] = L::valid;
    words[1] = words[2] = static_cast<int32_t>(a.count);
    words[3] = 0;
    turnPhase(s, b);
    turnPhase(s, b); // nothing has been released through it
  }
  return {};
}

std::optional<Fault> Machine::usable(const State &s, int agent, const Action &a, int32_t barrier,
                                     bool async) const {
  const int32_t flags = s[layout_.mbarrier(barrier)];
  const int cta = ctaOf(barrier);
  const bool remote = cta != u_.scripts[agent].cta;
  const std::string who = nameOf(agent, a) + " uses " + u_.mbarriers[barrier];
  if (!(flags & L::valid))
    return Fault{"R1", who + ", which is not initialised"};
  if ((remote || async) && !(flags & L::fenced))
    return Fault{"R2", who + ", whose initialisation is not fenced"};
  if (remote && exited(s, cta))
    return Fault{"R10", who + ", but that CTA has exited"};
  return {};
}

/// Bytes that are announced without an arrival (bytes > 0) complete no phase.
std::optional<Fault> Machine::contribute(State &s, int32_t barrier, int64_t arrivals,
                                         int64_t bytes) const {
  int32_t *words = &s[layout_.mbarrier(barrier)];
  int32_t &flags = words[0], &pending = words[2], &tx = words[3];
  if (!(flags & L::valid))
    return Fault{"R1", u_.mbarriers[barrier] + " is signalled and not valid"};
  if (tx + bytes > maxCount || tx + bytes < -maxCount)
    return Fault{"R8", "the byte count of " + u_.mbarriers[barrier] + " leaves its range"};
  tx += static_cast<int32_t>(bytes);
  if (arrivals > pending)
    return Fault{"R7", u_.mbarriers[barrier] + " gets more arrivals than it expects"};
  pending -= static_cast<int32_t>(arrivals);
  if (pending == 0 && tx == 0 && (arrivals > 0 || bytes < 0)) {
    flags ^= L::parity;
    pending = words[1];
    turnPhase(s, barrier);
  }
  return {};
}

std::optional<Fault> Machine::arriveNamed(State &s, int agent, const Action &a) const {
  const int32_t object = a.objects[0];
  int32_t &threads = s[layout_.named(object)], &arrived = s[layout_.named(object) + 1];
  if (arrived == 0)
    threads = static_cast<int32_t>(a.count);
  if (threads != a.count)
    return Fault{"R11", nameOf(agent, a) + " gives another count than the warps before it"};
  arrived += 32;
  const int view = layout_.namedView(object);
  for (const bool lanes : {false, true})
    see(s, view, viewOf(agent, lanes));
  if (a.bytes) // does not wait
    advance(s, agent, false);
  else
    s[L::standing(agent)] |= L::inBarrier;
  if (arrived < threads)
    return {};
  threads = arrived = 0;
  for (int i = 0; i < static_cast<int>(u_.scripts.size()); ++i) {
    const Action *here = at(s, i, false);
    if (!(s[L::standing(i)] & L::inBarrier) || here->objects[0] != object)
      continue;
    s[L::standing(i)] &= ~L::inBarrier;
    for (const bool lanes : {false, true})
      see(s, viewOf(i, lanes), view);
    advance(s, i, false);
  }
  forget(s, view);
  return {};
}

std::optional<Fault> Machine::clusterBarrier(State &s, int agent, const Action &a) const {
  int32_t &standing = s[L::standing(agent)];
  constexpr int32_t inPhase = L::clusterArrived | L::clusterComplete;
  const bool leaves = a.act == Act::clusterWait || (standing & L::clusterHere);
  if (leaves) {
    if (!(standing & inPhase))
      return Fault{"R12", nameOf(agent, a) + " waits without having arrived"};
    standing &= ~(inPhase | L::clusterHere);
    for (const bool lanes : {false, true})
      see(s, viewOf(agent, lanes), layout_.clusterView(true));
    advance(s, agent, false);
    return {};
  }
  if (standing & inPhase)
    return Fault{"R12", nameOf(agent, a) + " arrives twice"};
  standing |= L::clusterArrived;
  for (const bool lanes : {false, true})
    if (!a.relaxed)
      see(s, layout_.clusterView(false), viewOf(agent, lanes));
  if (a.act == Act::clusterSync)
    standing |= L::clusterHere;
  else
    advance(s, agent, false);
  completeCluster(s);
  return {};
}

/// Threads that have exited count as arrived (PTX ISA, barrier.cluster).
void Machine::completeCluster(State &s) const {
  bool any = false;
  for (int i = 0; i < static_cast<int>(u_.scripts.size()); ++i) {
    const bool arrived = s[L::standing(i)] & L::clusterArrived;
    any |= arrived;
    if (!arrived && !ended(s, i))
      return;
  }
  if (any) {
    forget(s, layout_.clusterView(true));
    see(s, layout_.clusterView(true), layout_.clusterView(false));
    forget(s, layout_.clusterView(false));
  }
  for (int i = 0; any && i < static_cast<int>(u_.scripts.size()); ++i)
    if (s[L::standing(i)] & L::clusterArrived)
      s[L::standing(i)] ^= L::clusterArrived | L::clusterComplete;
}

std::optional<Fault> Machine::setFlags(State &s, const Action &a) const {
  for (int32_t f : a.objects)
    if (++s[layout_.flag(f)] > u_.flagLimit[f])
      return Fault{u_.flagLimit[f] == 1 ? "R32" : "R34",
                   explorer::describe(*a.stmt) + ": too many sets of " + u_.flags[f]};
  return {};
}

/// Actions of the pipe before `upTo` have ended; a flag is set when all before it have.
std::optional<Fault> Machine::drain(State &s, int agent, int32_t upTo) const {
  std::optional<Fault> fault;
  for (int32_t &i = s[L::ended(agent)]; i < upTo && !fault; ++i)
    if (const Action &a = u_.scripts[agent].actions[i]; a.act == Act::setFlag)
      fault = setFlags(s, a);
  return fault;
}

std::optional<Fault> Machine::rendezvous(State &s, int agent) const {
  s[L::standing(agent)] |= L::inBarrier;
  std::vector<int> pipes;
  for (int i = 0; i < static_cast<int>(u_.scripts.size()); ++i)
    if (u_.scripts[i].cta == u_.scripts[agent].cta) {
      if (!(s[L::standing(i)] & L::inBarrier))
        return {};
      pipes.push_back(i);
    }
  std::optional<Fault> fault;
  for (int i : pipes) {
    fault = fault ? fault : drain(s, i, s[L::elected(i)]);
    s[L::standing(i)] &= ~L::inBarrier;
    advance(s, i, false);
    s[L::ended(i)] = s[L::elected(i)];
  }
  return fault;
}

/// All of a sum take units, from its first product to its store, or none does.
std::optional<Fault> Machine::useUnits(State &s, int agent, const Action &a) const {
  const UnitsUse &use = a.units;
  if (use.tile < 0)
    return {};
  int32_t &tile = s[layout_.tile(use.tile)];
  if (!use.takes)
    return tile == 0 ? std::nullopt
                     : std::optional(Fault{"R48", nameOf(agent, a) + " takes no units of " +
                                                      u_.tiles[use.tile] + ", which have them"});
  if (use.adds && !(tile & L::open))
    return Fault{"R48", nameOf(agent, a) + " adds with units to sums begun without"};
  if (use.handsOver)
    tile = use.byFix ? 0 : L::ofFix;
  else
    tile = L::open;
  return {};
}

std::optional<Fault> Machine::issuePipe(State &s, int agent, int32_t action, const Action &a) {
  if (a.act == Act::allPipes)
    return rendezvous(s, agent);
  std::optional<Fault> fault;
  int32_t &done = s[L::ended(agent)];
  for (int32_t earlier : a.hazards)
    if (earlier >= done)
      return Fault{"R33", nameOf(agent, a) + " overlaps with " +
                              explorer::describe(*u_.scripts[agent].actions[earlier].stmt)};
  if (a.act == Act::data && !(fault = useUnits(s, agent, a)))
    fault = access(s, agent, action, a, false);
  else if (a.act == Act::pipeBarrier)
    fault = drain(s, agent, action);
  else if (a.act == Act::waitFlag)
    for (int32_t f : a.objects)
      --s[layout_.flag(f)];
  advance(s, agent, false);
  if (fault || done < action || a.lingers)
    return fault;
  return drain(s, agent, action + 1);
}

} // namespace sluice::explorer

#include "Explore/Machine.h"

#include <algorithm>

namespace sluice::explorer {

using L = Layout;

Machine::Machine(const Unrolled &u) : u_(u), layout_(u) {
  int32_t next = 2;
  for (const Script &s : u.scripts) {
    firstInstance_.push_back(next);
    next += static_cast<int32_t>(s.actions.size());
    std::vector<int32_t> &arrives = copyArrives_.emplace_back();
    for (size_t i = 0; i < s.actions.size(); ++i) {
      const auto action = static_cast<int32_t>(i);
      if (s.actions[i].act == Act::copyArrive)
        arrives.push_back(action);
      if (s.actions[i].columnsUse == ColumnsUse::allocates)
        allocations_.insert(firstInstance_.back() + action);
    }
  }
  for (const Load &l : u.loads) {
    issues_.push_back({l.byLanes ? L::lanes(l.agent) : L::elected(l.agent), l.action});
    if (l.stored)
      stores_.insert(instance(l.agent, l.action));
  }
  touched_.assign(u.memory.count(), 0);
  written_ = touched_;
}

const Action *Machine::at(const State &s, int agent, bool lanes) const {
  const std::vector<Action> &actions = u_.scripts[agent].actions;
  const auto position = static_cast<size_t>(s[lanes ? L::lanes(agent) : L::elected(agent)]);
  return position < actions.size() ? &actions[position] : nullptr;
}

bool Machine::ended(const State &s, int agent) const {
  const auto size = static_cast<int32_t>(u_.scripts[agent].actions.size());
  return s[L::elected(agent)] == size && s[L::lanes(agent)] == size;
}

bool Machine::exited(const State &s, int cta) const {
  for (size_t i = 0; i < u_.scripts.size(); ++i)
    if (u_.scripts[i].cta == cta && !ended(s, static_cast<int>(i)))
      return false;
  return true;
}

bool Machine::passed(const State &s, int agent, bool lanes) const {
  return lanes ? s[L::elected(agent)] > s[L::lanes(agent)]
               : s[L::lanes(agent)] > s[L::elected(agent)];
}

bool Machine::shows(const State &s, const Action &a) const {
  const int32_t flags = s[layout_.mbarrier(a.objects[0])];
  return (flags & L::parity ? 1 : 0) != a.count;
}

bool Machine::isSpared(const State &s, int agent, const Action &a) {
  return a.act == Act::wait && a.token != never && (s[L::answers(agent)] & L::answer(a.token));
}

std::optional<Fault> Machine::ask(State &s, int agent, const Action &a, bool lanes) const {
  if (auto fault = usable(s, agent, a, a.objects[0], false))
    return fault;
  int32_t &answers = s[L::answers(agent)];
  answers &= ~L::answer(a.token);
  if (!shows(s, a))
    return {};
  answers |= L::answer(a.token);
  acquire(s, agent, a, lanes);
  if (a.lanes)
    acquire(s, agent, a, true);
  return {};
}

bool Machine::mayLand(const State &s, int32_t load) const {
  const std::vector<int32_t> &after = u_.loads[load].after;
  return std::ranges::all_of(after, [&](int32_t l) { return layout_.landed(s, l); });
}

bool Machine::mayStep(const State &s, int agent, const Action &a, bool lanes) const {
  if (a.joint && (lanes || s[L::lanes(agent)] != s[L::elected(agent)]))
    return false;
  if (!hasPeer(s, agent, a) || !hasUnits(s, a))
    return false;
  const int32_t standing = s[L::standing(agent)];
  switch (a.act) {
  case Act::wait: { // the lanes of a warp look together; a fault when there is no barrier
    const int32_t flags = s[layout_.mbarrier(a.objects[0])];
    return isSpared(s, agent, a) || (a.lanes && passed(s, agent, lanes)) || !(flags & L::valid) ||
           shows(s, a);
  }
  case Act::named:
  case Act::allPipes:
    return !(standing & L::inBarrier);
  case Act::counterWait:
    return s[layout_.counter(a.objects[0])] >= a.count;
  case Act::clusterWait:
    return !(standing & L::clusterArrived);
  case Act::clusterSync:
    return !(standing & L::clusterHere) || (standing & L::clusterComplete);
  case Act::lockMutex:
    return s[layout_.flag(a.objects[0])] >= a.count;
  case Act::waitFlag:
    return std::all_of(a.objects.begin(), a.objects.end(),
                       [&](int32_t f) { return s[layout_.flag(f)] > 0; });
  default:
    return true;
  }
}

void Machine::steps(const State &s, std::vector<Step> &out) const {
  out.clear();
  for (int agent = 0; agent < static_cast<int>(u_.scripts.size()); ++agent)
    for (const bool lanes : {false, true}) {
      const Action *a = at(s, agent, lanes);
      if (!a || (lanes && !a->lanes) || !mayStep(s, agent, *a, lanes))
        continue;
      const Step step{lanes ? Step::lanes : Step::elected, agent, 0};
      if (a->quiet || (a->act == Act::wait && a->lanes && passed(s, agent, lanes))) {
        out = {step};
        return;
      }
      out.push_back(step);
    }
  for (int32_t i = 0; i < static_cast<int32_t>(u_.loads.size()); ++i)
    if (underWay(s, i) && mayLand(s, i))
      out.push_back({Step::land, u_.loads[i].agent, i});
  for (int agent = 0; agent < static_cast<int>(u_.scripts.size()); ++agent) {
    if (u_.scripts[agent].id.pipe != Pipe::none) {
      if (s[L::ended(agent)] < s[L::elected(agent)])
        out.push_back({Step::end, agent, 0});
      continue;
    }
    for (const bool lanes : {false, true}) {
      const int32_t position = s[lanes ? L::lanes(agent) : L::elected(agent)];
      const std::vector<int32_t> &arrives = copyArrives_[agent];
      const auto next = std::lower_bound(arrives.begin(), arrives.end(), s[L::ended(agent, lanes)]);
      if (next != arrives.end() && *next < position &&
          (!lanes || u_.scripts[agent].actions[*next].lanes))
        out.push_back({lanes ? Step::arriveLanes : Step::arrive, agent, *next});
    }
  }
}

void Machine::advance(State &s, int agent, bool lanes) const {
  const Script &script = u_.scripts[agent];
  int32_t &position = s[lanes ? L::lanes(agent) : L::elected(agent)];
  const bool joint = script.actions[position].joint;
  position = lanes ? script.nextLanes[position + 1] : position + 1;
  if (joint)
    s[L::lanes(agent)] = script.nextLanes[position];
  if (position == static_cast<int32_t>(script.actions.size()))
    completeCluster(s);
}

std::optional<Fault> Machine::take(State &s, const Step &step) {
  switch (step.kind) {
  case Step::elected:
  case Step::lanes: {
    const bool lanes = step.kind == Step::lanes;
    return act(s, step.agent, *at(s, step.agent, lanes), lanes);
  }
  case Step::land:
    return land(s, u_.loads[step.index], step.index);
  case Step::end: {
    const std::vector<Action> &actions = u_.scripts[step.agent].actions;
    int32_t next = s[L::ended(step.agent)] + 1;
    while (next < s[L::elected(step.agent)] && !actions[next].lingers)
      ++next;
    return drain(s, step.agent, next);
  }
  default:
    break;
  }
  const bool lanes = step.kind == Step::arriveLanes;
  const Action &a = u_.scripts[step.agent].actions[step.index];
  endCopies(s, step.agent, step.index, lanes, never, layout_.phaseView(a.objects[0], L::forCta));
  s[L::ended(step.agent, lanes)] = step.index + 1;
  return contribute(s, a.objects[0], lanes ? 31 : 1, 0);
}

std::optional<Fault> Machine::act(State &s, int agent, const Action &a, bool lanes) {
  const int32_t position = s[lanes ? L::lanes(agent) : L::elected(agent)];
  std::optional<Fault> fault;
  const int64_t times = lanes ? 31 : 1;
  if (u_.scripts[agent].id.pipe != Pipe::none)
    return issuePipe(s, agent, position, a);
  const bool ofColumns = a.columnsUse != ColumnsUse::none || a.act == Act::lanesWait;
  if (a.joint && a.act != Act::wait && a.act != Act::test && a.act != Act::counterWait &&
      a.act != Act::named && !ofColumns)
    meet(s, agent);
  if ((fault = useColumns(s, agent, a)))
    return fault;
  switch (a.act) {
  case Act::named:
    return arriveNamed(s, agent, a);
  case Act::clusterArrive:
  case Act::clusterWait:
  case Act::clusterSync:
    return clusterBarrier(s, agent, a);
  case Act::initialise:
    fault = initialise(s, a);
    break;
  case Act::invalidate:
    for (int32_t b : a.objects) {
      fault = fault ? fault : usable(s, agent, a, b, false);
      s[layout_.mbarrier(b)] &= ~L::valid;
    }
    break;
  case Act::arrive:
    fault = usable(s, agent, a, a.objects[0], false);
    if (fault)
      break;
    release(s, agent, a, lanes);
    fault = contribute(s, a.objects[0], a.count * times, a.bytes * times);
    break;
  case Act::test:
    fault = ask(s, agent, a, lanes);
    break;
  case Act::wait:
    if (isSpared(s, agent, a)) // what it would acquire the test has
      break;
    if (!(a.lanes && passed(s, agent, lanes)))
      fault = usable(s, agent, a, a.objects[0], false);
    acquire(s, agent, a, lanes);
    if (a.joint && a.lanes)
      acquire(s, agent, a, true);
    break;
  case Act::copyArrive:
    fault = usable(s, agent, a, a.objects[0], false);
    s[layout_.mbarrier(a.objects[0]) + 2] += static_cast<int32_t>(a.count * times);
    break;
  case Act::copyWait:
    endCopies(s, agent, position, lanes, position, viewOf(agent, lanes));
    break;
  case Act::bulkWait:
    for (const Action &store : u_.scripts[agent].actions)
      if (store.act == Act::store && store.written == position)
        for (const Touch &t : store.touches)
          seeWrite(s, viewOf(agent, lanes), t.writes[0]);
    break;
  case Act::counterAdd:
    addTo(s, agent, a, lanes);
    break;
  case Act::counterWait:
    fault = lookAt(s, agent, a, lanes);
    if (a.joint && a.lanes)
      fault = fault ? fault : lookAt(s, agent, a, true);
    break;
  case Act::initFence:
    for (int32_t b : a.objects)
      s[layout_.mbarrier(b)] |= L::fenced;
    break;
  case Act::proxyFence:
    publish(s, agent, a, lanes);
    for (int32_t c = 0; c < u_.memory.count(); ++c)
      if (const MemoryId m = u_.memory.memoryOf(c);
          m.kind == MemoryId::onChip && m.owner == u_.scripts[agent].cta)
        s[layout_.cell(c)] &= ~1;
    break;
  case Act::globalFence:
    publish(s, agent, a, lanes);
    break;
  case Act::load:
    for (int32_t l : a.objects) {
      if (u_.loads[l].byLanes != lanes)
        continue;
      if (u_.loads[l].barrier >= 0)
        fault = fault ? fault : usable(s, agent, a, u_.loads[l].barrier, true);
      fault =
          fault ? fault : overwrites(s, u_.loads[l].touches, nameOf(agent, a), u_.loads[l].stored);
      fault = fault ? fault : visible(s, agent, a, lanes, u_.loads[l].touches);
      fault = fault ? fault : behindFences(s, agent, a, lanes, u_.loads[l].touches);
    }
    break;
  case Act::fenceBefore:
  case Act::fenceAfter:
    fenceColumns(s, agent, a, lanes);
    break;
  case Act::lanesWait:
    endLanesLoads(s, agent, position);
    break;
  case Act::data:
  case Act::store:
  case Act::wgmma:
  case Act::copyAsync:
  case Act::lanesMove:
    fault = access(s, agent, position, a, lanes);
    break;
  default:
    break;
  }
  if (!fault)
    advance(s, agent, lanes);
  return fault;
}

std::string Machine::nameOf(int agent, const Action &a) const {
  return explorer::describe(*a.stmt) + " of " + u_.scripts[agent].name;
}

std::string Machine::describe(const Step &step, const State &s) const {
  const Script &script = u_.scripts[step.agent];
  switch (step.kind) {
  case Step::elected: {
    const Action &a = *at(s, step.agent, false);
    return script.name + (a.lanes ? " (elected lane): " : ": ") + explorer::describe(*a.stmt);
  }
  case Step::lanes:
    return script.name + " (other lanes): " + explorer::describe(*at(s, step.agent, true)->stmt);
  case Step::land: {
    const Load &l = u_.loads[step.index];
    return nameOf(l.agent, script.actions[l.action]) + " ends in CTA " + std::to_string(l.cta);
  }
  case Step::end:
    return "the oldest operation of " + script.name + " ends";
  default:
    return "cp.async operations of " + script.name + " end and arrive";
  }
}

} // namespace sluice::explorer

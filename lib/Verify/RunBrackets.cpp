// Counters in runs for every launch. Of the grid a run has one CTA, or cluster: its wait for the
// others passes at once, and says nothing about the agents of the run. What the others did lies in
// no run; which accesses lie behind the wait and before the add is kept (CounterOrder.h), for
// AccessPairs.h to tell what of theirs may meet.
#include "Verify/Names.h"
#include "Verify/Run.h"

#include <algorithm>

namespace sluice {

/// The CTAs take turns at a counter, or all meet there; else they are not followed.
const CounterProtocol *RunBrackets::protocolAt(const Actor &a, const Stmt &s, const View &counter) {
  if (!mayTouch(a, s, counter.object))
    return nullptr;
  const std::string &name = program_.tensors[counter.object].name;
  const CounterProtocol &protocol = context_.counters.protocols.at(counter.object);
  if (protocol.kind == CounterProtocol::none) {
    error_ = unsupportedError("the proof for every launch does not find that CTAs take turns, or "
                              "all meet, at counter " +
                              name + ": that takes " + protocol.missing +
                              "; look at the operation" + place(protocol.at));
    return nullptr;
  }
  context_.assumptions.insert(zeroAtLaunch(program_.tensors[counter.object]));
  context_.assumptions.insert("in-range: adds to " + name + " name counters that it has");
  return &protocol;
}

/// The iteration that an agent is in of the loops around the add.
std::optional<int32_t> RunBrackets::visitOf(const Actor &a, const CounterProtocol &protocol) const {
  const std::vector<LoopLevel> &levels = a.agent.scalars().levels();
  const size_t depth = protocol.loops.size();
  if (levels.size() <= depth)
    return std::nullopt;
  for (size_t i = 0; i < depth; ++i)
    if (levels[i + 1].loop != protocol.loops[i])
      return std::nullopt;
  return depth == 0 ? 0 : levels[depth].path;
}

/// Of a wait or an add.
RunBrackets::Visit *RunBrackets::visitTo(const Actor &a, const Stmt &s, int counter,
                                         const CounterProtocol &protocol) {
  const std::optional<int32_t> at = visitOf(a, protocol);
  if (!at)
    error_ = unsupportedError(what(a, s) + " is in a loop of a constant length", s.loc);
  return at ? &visits_[{a.cta, counter, *at}] : nullptr;
}

RunBrackets::Step RunBrackets::awaitOthers(Actor &a, const Stmt &s, const CounterWait &op) {
  const int counter = op.counter.object;
  const CounterProtocol *protocol = protocolAt(a, s, op.counter);
  if (!protocol)
    return Step::stop;
  Visit *visit = visitTo(a, s, counter, *protocol);
  if (!visit)
    return Step::stop;
  if (visit->added && protocol->kind == CounterProtocol::turns) {
    error_ = unsupportedError(what(a, s) + " may come when its CTA has given its turn away", s.loc);
    return Step::stop;
  }
  if (s.exec == Exec::threads)
    context_.assumptions.insert(
        "warps-converge: the lanes of a warp come to and leave a wait together");
  context_.assumptions.insert("co-resident: the CTAs that add to " +
                              program_.tensors[counter].name + " run at the same time");
  const BarrierEvent e{{a.electedComponent, ++a.steps}, a.index, &s};
  strands(a, s).learn(e.stamp);
  visit->waits.push_back(e);
  return Step::done;
}

RunBrackets::Step RunBrackets::addForOthers(Actor &a, const Stmt &s, const CounterAdd &op) {
  const int counter = op.counter.object;
  const CounterProtocol *protocol = protocolAt(a, s, op.counter);
  if (!protocol)
    return Step::stop;
  const Strands who = strands(a, s);
  event(a, s);
  const auto known = [&](const BarrierEvent &wait) { return who.know(wait.stamp); };
  Visit *visit = visitTo(a, s, counter, *protocol);
  if (!visit)
    return Step::stop;
  for (const auto &[key, its] : visits_)
    if (const int other = std::get<1>(key); other != counter &&
                                            std::ranges::any_of(its.waits, known) &&
                                            !context_.counters.addFollows(other, counter))
      return inACircle(a, s, other);
  for (const int other : left_)
    if (other != counter && !context_.counters.addFollows(other, counter))
      return inACircle(a, s, other);
  const std::vector<BarrierEvent> &waits = visit->waits;
  const bool takesTurns = protocol->kind == CounterProtocol::turns;
  if (takesTurns && (waits.empty() || !std::ranges::all_of(waits, known))) {
    error_ = unsupportedError(what(a, s) + " may come before all warps of its CTA that wait for "
                                           "their turn have looked",
                              s.loc);
    return Step::stop;
  }
  if (!takesTurns && std::ranges::any_of(waits, known))
    return inACircle(a, s, counter);
  visit->added = true;
  closeBrackets(counter, *visit, who);
  return Step::done;
}

/// It ends what comes before it, as an add does, and lets nobody wait.
void RunBrackets::arrive(Actor &a, const Stmt &s, int counter) {
  const Strands who = strands(a, s);
  event(a, s);
  Visit &visit = visits_[{a.cta, counter, 0}];
  visit.added = true;
  closeBrackets(counter, visit, who);
  const BarrierEvent e{{a.electedComponent, ++a.steps}, a.index, &s};
  strands(a, s).learn(e.stamp);
  visit.waits.push_back(e);
}

RunBrackets::Step RunBrackets::inACircle(const Actor &a, const Stmt &s, int waited) {
  error_ = unsupportedError(what(a, s) + " follows a wait for " + program_.tensors[waited].name +
                                ", which other CTAs let pass after they have waited for this add",
                            s.loc);
  return Step::stop;
}

/// Whether an access lies behind the wait of its visit; before the add is told when that comes.
void RunBrackets::bracket(const Actor &a, const Stmt &s, const Access &now, bool writes,
                          const Strands &who) {
  for (const auto &[counter, protocol] : context_.counters.protocols) {
    Bracket &found = context_.counters.brackets[{&s, counter}];
    const std::optional<int32_t> at = visitOf(a, protocol);
    if (!at) { // in none
      found = {false, false, false, false};
      continue;
    }
    Visit &visit = visits_[{visitor(a), counter, *at}];
    const auto after = [&](Clock Sight::*clock) {
      return std::ranges::any_of(visit.waits, [&](const BarrierEvent &wait) {
        return who.know(wait.stamp) && who.see(wait.stamp, clock);
      });
    };
    found.afterWait &= after(&Sight::memory);
    found.fencedAfter &= after(&Sight::global);
    if (visit.added)
      found.beforeAdd = found.fencedBefore = false;
    else
      visit.open[{&s, writes, now.stamp.component, now.electedEnd.component}] = now;
  }
}

/// Whether an add by `who` releases the end of an access.
static bool hasEndedFor(const Strands &who, const Access &access, bool writes) {
  return who.know(access) && (!writes || who.see(access, &Sight::memory));
}

void RunBrackets::setForAll(Actor &a, const Stmt &s, bool last) {
  const Strands who = strands(a, s);
  Visit &visit = visits_[{visitor(a), ofAllCores, 0}];
  std::erase_if(visit.open, [&](const auto &open) {
    return hasEndedFor(who, open.second, std::get<1>(open.first));
  });
  if (!last)
    return;
  visit.added = true;
  closeBrackets(ofAllCores, visit, who);
}

void RunBrackets::waitedForAll(const BarrierEvent &wait) {
  visits_[{0, ofAllCores, 0}].waits.push_back(wait);
}

/// All that a strand did before its last access by a statement ended before that one did.
void RunBrackets::closeBrackets(int counter, Visit &visit, const Strands &who) {
  for (const auto &[key, access] : visit.open) {
    const bool writes = std::get<1>(key);
    Bracket &found = context_.counters.brackets[{std::get<0>(key), counter}];
    found.beforeAdd &= hasEndedFor(who, access, writes);
    found.fencedBefore &= who.see(access, &Sight::global);
  }
  visit.open.clear();
}

bool RunBrackets::hasWaited() const {
  return std::ranges::any_of(visits_, [](const auto &v) { return !v.second.waits.empty(); });
}

} // namespace sluice

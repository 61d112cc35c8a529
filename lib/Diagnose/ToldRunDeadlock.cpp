// Deadlocks: who would have had to signal, and where the chain of waits starts.
#include "Diagnose/ToldRun.h"
#include "Program/OperationFacts.h"
#include "Program/TensorMemory.h"
#include "Program/Watchers.h"
#include "Verify/Names.h"

#include <algorithm>

namespace sluice {

namespace {

/// What is waited on, without the parity or the value waited for.
std::string withoutParity(const std::string &waitsOn) {
  return waitsOn.substr(0, std::min(waitsOn.find(" parity"), waitsOn.find(" >= ")));
}

/// What the operation that an agent is blocked on needs, and whether `s` of `other` gives it.
struct Need {
  OperationFacts of;            // it points into the operation
  const Stmt *ofPair = nullptr; // that the other CTA comes to
  std::vector<int64_t> element; // of the counters
  int64_t slot = 0;
  int cta = 0;
  bool ofAllCores = false; // the meeting: the own core sets, too

  bool givenBy(const ProofAgent &other, int otherCta, const Stmt &s) const {
    const OperationFacts facts = factsOf(s.op);
    if (of.barrier.waits())
      return signals(other, otherCta, facts.barrier);
    if (of.flag.kind == FlagDeed::wait && of.flag.mutex)
      return facts.flag.kind == FlagDeed::set && facts.flag.mutex && otherCta == cta &&
             facts.flag.source == other.id().pipe && other.value(*facts.flag.id) == slot;
    if (of.flag.kind == FlagDeed::wait)
      return sets(facts.flag) && (ofAllCores || (otherCta == cta) != of.flag.cross) &&
             other.value(*facts.flag.id) == slot;
    if (of.units)
      return facts.units.handsOver && facts.units.byFix != of.units.byFix &&
             facts.units.tile->object == of.units.tile->object &&
             other.value(facts.units.tile->slot) == slot;
    if (of.counter.counter)
      return raises(other, facts.counter);
    if (ofPair)
      return otherCta == (cta ^ 1) && &s == ofPair;
    const MeetingDeed &meeting = facts.meeting;
    return meeting.arrives && meeting.kind == of.meeting.kind &&
           (meeting.kind == MeetingDeed::cluster || otherCta == cta) &&
           (!meeting.id || other.value(*meeting.id) == slot);
  }

  bool sets(const FlagDeed &deed) const {
    return deed.kind == FlagDeed::set && !deed.mutex && deed.cross == of.flag.cross &&
           deed.source == of.flag.source && deed.destination == of.flag.destination;
  }

  bool raises(const ProofAgent &other, const CounterDeed &deed) const {
    if (deed.kind != CounterDeed::add || deed.counter->object != of.counter.counter->object ||
        other.value(*deed.value) <= 0)
      return false;
    for (size_t d = 0; d < element.size(); ++d)
      if (other.value(deed.counter->offset[d]) != element[d])
        return false;
    return true;
  }

  bool names(const ProofAgent &other, int otherCta, const MbarrierRef &ref, int64_t mask) const {
    const int target = ref.remote ? static_cast<int>(other.value(*ref.remote)) : otherCta;
    return ref.object == of.barrier.barrier->object && other.value(ref.slot) == slot &&
           (mask ? (mask >> cta & 1) != 0 : target == cta);
  }

  bool signals(const ProofAgent &other, int otherCta, const BarrierDeed &deed) const {
    const bool announcesAlone = deed.announces && deed.count == 0;
    return deed.signals() && !announcesAlone &&
           names(other, otherCta, *deed.barrier, deed.multicast);
  }
};

} // namespace

/// The pipe whose wait the scalar unit stands at.
ToldRun::Signaller ToldRun::passesFor(const Actor &blocked, const Stmt &s) const {
  for (const Actor &other : actors_)
    if (other.cta == blocked.cta && other.agent.id().pipe == executingPipe(s))
      return {Signaller::found, other.index, &s};
  return {Signaller::nobody};
}

ToldRun::Signaller ToldRun::signallerOf(const Actor &blocked) const {
  constexpr int lookAhead = 10000; // operations of each agent
  const Stmt &s = *blocked.agent.current();
  if (isAscend(program_.target) && onlyWatches(s, blocked.agent.id().pipe))
    return passesFor(blocked, s);
  Need need;
  need.cta = blocked.cta;
  need.of = factsOf(s.op);
  need.ofPair = managesTensorMemory(s.op) ? &s : nullptr;
  const MeetingDeed &meeting = need.of.meeting;
  if (need.of.barrier.waits())
    need.slot = blocked.agent.value(need.of.barrier.barrier->slot);
  else if (need.of.flag.kind == FlagDeed::wait)
    need.slot = blocked.agent.value(*need.of.flag.id);
  else if (need.of.units)
    need.slot = blocked.agent.value(need.of.units.tile->slot);
  else if (meeting.id)
    need.slot = blocked.agent.value(*meeting.id);
  else if (need.of.counter.kind == CounterDeed::wait)
    need.element = RunCounters::counterKey(blocked.agent, *need.of.counter.counter).second;
  else if (meeting.kind == MeetingDeed::none && !need.ofPair)
    return {};
  need.ofAllCores = context_.meeting && need.of.flag.cross && context_.meeting->id == need.slot;
  for (const Actor &other : actors_) {
    // Who has come already cannot come again before all have.
    if (meeting.kind == MeetingDeed::cluster ? other.clusterPhase == parts_.meetings.cluster().phase
                                             : meeting.kind != MeetingDeed::none && other.arrived)
      continue;
    ProofAgent ahead = other.agent;
    for (int i = 0; i < lookAhead && ahead.current(); ++i, ahead.advance())
      if (need.givenBy(ahead, other.cta, *ahead.current()))
        return {Signaller::found, other.index, ahead.current()};
  }
  return {Signaller::nobody};
}

namespace {

/// How much an unmet wait tells about the cause: larger is nearer.
enum Telling { inCircle, partial, bytesWrong, hopeless };

/// Statements in the order of the text.
std::map<const Stmt *, int> textOrder(const Program &program) {
  std::map<const Stmt *, int> order;
  walk(program.body, [&](const Stmt &s) { order.emplace(&s, static_cast<int>(order.size())); });
  return order;
}

} // namespace

std::vector<int32_t> ToldRun::chainFrom(int32_t actor, const std::vector<Signaller> &signallers) {
  std::vector<int32_t> chain;
  for (int32_t at = actor; std::find(chain.begin(), chain.end(), at) == chain.end();) {
    chain.push_back(at);
    if (signallers[at].kind != Signaller::found || actors_[signallers[at].actor].done)
      break;
    at = signallers[at].actor;
  }
  return chain;
}

int ToldRun::tellingOf(const Actor &a, const Signaller &by) const {
  if (by.kind == Signaller::nobody)
    return hopeless;
  auto *wait = std::get_if<MbarrierWait>(&a.agent.current()->op);
  if (!wait)
    return inCircle;
  const MbarrierState &state = stateOf(a, *wait);
  return state.pending() == 0                 ? bytesWrong
         : state.pending() < state.expected() ? partial
                                              : inCircle;
}

/// The wait at which the others' waits end: one that nobody will meet, else one in the circle.
int32_t ToldRun::startOfDeadlock(const std::vector<Signaller> &signallers) {
  std::vector<int> followers(actors_.size(), 0);
  std::vector<int32_t> last;
  int32_t found = -1;
  for (const Actor &a : actors_)
    if (!a.done) {
      const std::vector<int32_t> chain = chainFrom(a.index, signallers);
      for (const int32_t i : chain)
        ++followers[i];
      last = last.empty() ? chain : last;
    }
  const auto rank = [&](int32_t i) {
    return std::pair(tellingOf(actors_[i], signallers[i]), followers[i]);
  };
  for (const Actor &a : actors_)
    if (!a.done && rank(a.index).first >= bytesWrong && (found < 0 || rank(a.index) > rank(found)))
      found = a.index;
  if (found >= 0)
    return found;
  // Everybody waits for somebody: the circle that the first of them leads to.
  const int32_t closes = signallers[last.back()].actor;
  if (closes >= 0)
    last.erase(last.begin(), std::find(last.begin(), last.end(), closes));
  const auto order = textOrder(program_);
  const auto waitsForLater = [&](int32_t i) { // a credit that was never given
    const auto here = order.find(actors_[i].agent.current()), by = order.find(signallers[i].stmt);
    return isAscend(program_.target) && by != order.end() && here->second < by->second;
  };
  return *std::max_element(last.begin(), last.end(), [&](int32_t x, int32_t y) {
    const auto key = [&](int32_t i) {
      return std::tuple(tellingOf(actors_[i], signallers[i]), waitsForLater(i), -i);
    };
    return key(x) < key(y);
  });
}

/// Whether the phase that a wait is for has completed, and another since: the agent has not seen
/// the one before the one in progress.
bool ToldRun::passedBy(const Actor &a, const MbarrierWait &wait) const {
  const TrackedMbarrier &b =
      parts_.barriers.at(a.cta, wait.barrier.object, a.agent.value(wait.barrier.slot));
  const bool sawLast = std::any_of(b.waits().begin(), b.waits().end(),
                                   [&](const BarrierEvent &w) { return w.actor == a.index; });
  return b.state.phase() >= 2 && b.state.pending() == b.state.expected() && !sawLast;
}

/// The agents of the circle that a chain of waits ends in.
std::vector<int32_t> ToldRun::circleOf(const Actor &start,
                                       const std::vector<Signaller> &signallers) {
  std::vector<int32_t> chain = chainFrom(start.index, signallers);
  const Signaller &last = signallers[chain.back()];
  const auto closes = last.kind == Signaller::found
                          ? std::find(chain.begin(), chain.end(), last.actor)
                          : chain.end();
  return {closes, chain.end()};
}

/// Whether an agent that waits at an mbarrier has found that slot free before: it passed on the
/// fresh barrier, or has signalled that slot of another array of as many slots.
bool ToldRun::hadSlot(const Actor &a) const {
  const auto *wait = std::get_if<MbarrierWait>(&a.agent.current()->op);
  if (!wait)
    return false;
  const auto own = [&](const BarrierEvent &e) { return e.actor == a.index; };
  const int64_t slot = a.agent.value(wait->barrier.slot);
  const int64_t slots = program_.mbarriers[wait->barrier.object].slots;
  for (size_t i = 0; i < program_.mbarriers.size(); ++i) {
    if (program_.mbarriers[i].slots != slots)
      continue;
    const TrackedMbarrier &b = parts_.barriers.at(a.cta, i, slot);
    const bool same = static_cast<int>(i) == wait->barrier.object;
    for (const auto *events : {&b.waits(), &b.contributions(), &b.previous(), &b.beforePrevious()})
      if ((events == &b.waits()) == same && std::ranges::any_of(*events, own))
        return true;
  }
  return false;
}

/// Ascend 910B: whether somebody who has to come first stands behind a wait of another pipe.
bool ToldRun::scalarUnitStands(const Actor &a, const std::vector<Signaller> &signallers) {
  return isAscend(program_.target) &&
         std::ranges::any_of(circleOf(a, signallers), [this](int32_t i) {
           const ProofAgent &agent = actors_[i].agent;
           return onlyWatches(*agent.current(), agent.id().pipe);
         });
}

std::string ToldRun::circle(const Actor &start, const std::vector<Signaller> &signallers) {
  std::string text;
  std::vector<bool> seen(actors_.size(), false);
  int32_t at = start.index;
  for (int length = 0; length < 6 && !seen[at]; ++length) {
    seen[at] = true;
    const Signaller &by = signallers[at];
    if (by.kind != Signaller::found)
      return text;
    const std::string awaited = withoutParity(blockedState(actors_[at]).waitsOn);
    if (by.actor == at)
      return text + nameOf(at) + " would signal " + awaited + " itself, after the wait" +
             place(by.stmt->loc) + ". ";
    text += awaited + " would be signalled by " + what(actors_[by.actor], *by.stmt) +
            (actors_[by.actor].done
                 ? ""
                 : ", which waits for " + withoutParity(blockedState(actors_[by.actor]).waitsOn)) +
            ". ";
    at = by.actor;
  }
  return text;
}

std::string ToldRun::fixOfDeadlock(const Actor &a, const std::vector<Signaller> &signallers) {
  const Signaller &by = signallers[a.index];
  const Stmt &s = *a.agent.current();
  if (auto *wait = std::get_if<MbarrierWait>(&s.op)) {
    const MbarrierState &state = stateOf(a, *wait);
    if (state.pending() == 0 && state.tx() != 0)
      return "Its arrivals are complete, its bytes are not: announce the bytes of all copies of "
             "the phase, " +
             std::to_string(state.announced() - state.tx()) + " here";
    if (by.kind == Signaller::nobody && passedBy(a, *wait))
      return "Nobody will signal it again: the wait came after its phase had passed by. Let the "
             "signaller wait for an answer before it signals again, or add the missing arrive";
    if (by.kind == Signaller::nobody && state.pending() < state.expected())
      return "Nobody will signal it: no agent has an operation left that does. The count of the "
             "initialisation must be the number of arrivals of one phase, or an arrive is missing";
    if (by.kind == Signaller::nobody)
      return "Nobody will signal it: no agent has an operation left that does. Add the arrive, or "
             "make both sides run the same number of iterations";
    if (state.pending() < state.expected())
      return "The count of the initialisation must be the number of arrivals of one phase";
    const std::vector<int32_t> around = circleOf(a, signallers);
    const bool begun = std::ranges::any_of(around, [&](int32_t i) { return hadSlot(actors_[i]); });
    if (state.phase() == 0 && !begun)
      return "When its slots start free, the first wait on them must pass: start that side with "
             "phase 1";
    return "Break the circle: signal before waiting, or use more slots";
  }
  if (scalarUnitStands(a, signallers))
    return "On ascend910b a wait for other cores holds up all that stands behind it in the text: "
           "put in front of it what it waits for";
  const OperationFacts facts = factsOf(s.op);
  if (facts.flag.kind == FlagDeed::wait && facts.flag.mutex)
    return by.kind == Signaller::nobody
               ? "Nobody will unlock it. Let the pipe that has locked it unlock it"
               : "Break the circle: who holds it waits for somebody who waits for it";
  if (facts.flag.kind == FlagDeed::wait && !facts.flag.cross)
    return by.kind == Signaller::nobody
               ? "Nobody will set it: no pipe has a set_flag left that does. Pair every wait with "
                 "a set"
               : "A flag that means `free` must be set once before the loop (primed)";
  if (facts.flag.kind == FlagDeed::wait)
    return by.kind == Signaller::nobody ? "Nobody will set it. Pair every wait with a set"
                                        : "Set it once before the loop, or break the circle";
  if (facts.units)
    return by.kind != Signaller::nobody ? "Break the circle: hand over before waiting"
           : facts.units.byFix
               ? "Nobody will hand them over: let the last product of the sum have `units 3`"
               : "Nobody will give them back: let the store take the tile with `units`";
  if (facts.counter.kind == CounterDeed::wait)
    return by.kind == Signaller::nobody ? "Nobody will add to it. Wait for no more than all adds "
                                          "together"
                                        : "Break the circle: add before waiting";
  if (by.kind == Signaller::found)
    return "Break the circle: who has not come yet waits for somebody who has";
  if (facts.meeting.kind == MeetingDeed::named)
    return "The count must be 32 times the warps that execute it";
  return "Every agent has to execute it";
}

Violation ToldRun::deadlock() {
  if (journal_)
    recordBlocked();
  Violation v{"R9", "deadlock: ", {}, "", {}};
  std::vector<Signaller> signallers(actors_.size());
  for (Actor &a : actors_)
    if (!a.done) {
      v.blocked.push_back(blockedState(a));
      signallers[a.index] = signallerOf(a);
    }
  Actor &first = actors_[startOfDeadlock(signallers)];
  const Signaller &by = signallers[first.index];
  const Blocked b = blockedState(first);
  v.location = b.loc;
  v.barrier = withoutParity(b.waitsOn);
  offence_ = {};
  offence_.kind = Offence::stuck;
  offence_.actor = first.index;
  if (tellingOf(first, by) == inCircle)
    offence_.circle = circleOf(first, signallers);
  complete(v, first.index, *first.agent.current());
  v.fix = fixOfDeadlock(first, signallers);
  v.message += b.agent + " waits" + place(b.loc) + " for " + b.waitsOn + " (" + b.state + "). " +
               (tellingOf(first, by) == inCircle ? circle(first, signallers) : "") + v.fix + ". " +
               std::to_string(v.blocked.size()) + " of " + std::to_string(actors_.size()) +
               " agents are blocked";
  return v;
}

} // namespace sluice

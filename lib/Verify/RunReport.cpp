// What went wrong, in words: races with their fix, deadlocks with who would have had to signal.
#include "Verify/Names.h"
#include "Verify/Run.h"

namespace sluice {

std::string CanonicalRun::what(const Actor &a, const Stmt &s) const {
  return operationName(s.op) + " of " + nameOf(a.index, s) + place(s.loc);
}

std::string CanonicalRun::what(const Access &access) const {
  return what(actors_[access.actor], *access.stmt);
}

std::string CanonicalRun::what(const BarrierEvent &event) const {
  return what(actors_[event.actor], *event.stmt);
}

std::string CanonicalRun::slotsOf(const Buffer &buffer, Interval bytes) const {
  if (buffer.space == Space::reg)
    return "registers of " + buffer.name;
  std::string text = buffer.name;
  if (buffer.slots > 1 && buffer.slotBytes > 0)
    text += "[" + std::to_string((bytes.begin - buffer.offset) / buffer.slotBytes) + "]";
  return text + " (" + spaceName(buffer.space) + " bytes " + std::to_string(bytes.begin) + " to " +
         std::to_string(bytes.end - 1) + ")";
}

std::string CanonicalRun::fixFor(const Actor &a, const Stmt &s, const Access &prior,
                                 bool priorWrites) const {
  const Actor &first = actors_[prior.actor];
  if (isAscend(program_.target))
    return first.agent.id().core == a.agent.id().core
               ? "Set flag " + std::string(sluice::name(first.agent.id().pipe)) + "->" +
                     std::string(sluice::name(a.agent.id().pipe)) +
                     " after the first and wait for it before the second"
               : "Set a cross-core flag after the first and wait for it before the second";
  if (prior.queued)
    return prior.actor == a.index
               ? "Put wgmma.commit_group and wgmma.wait_group before it"
               : "Put wgmma.wait_group before the arrive that releases the bytes, in every warp";
  if (prior.stamp.component == first.bulkReads.component)
    return "Put cp.async.bulk.wait_group.read, then a barrier, before it";
  if (prior.stamp.component == first.bulkWrites)
    return "Put cp.async.bulk.wait_group, then a barrier, before it";
  if (prior.stamp.component == first.copies.component)
    return "Let every lane wait for its own cp.async group, then signal, before it";
  if (prior.stamp.component == first.electedCopies.component)
    return "Wait for the cp.async group, then signal, before it";
  if (const auto *load = std::get_if<TmaLoad>(&prior.stmt->op))
    return "Wait for the phase of " + program_.mbarriers[load->barrier.object].name +
           " that the load completes";
  if (const auto *copy = std::get_if<RemoteCopy>(&prior.stmt->op))
    return "Wait for the phase of " + program_.mbarriers[copy->barrier.object].name +
           " that the copy completes, in the CTA that receives it";
  if (prior.actor == a.index)
    return s.exec == Exec::threads
               ? "One lane did the first: put a warp sync between"
               : "All lanes did the first, one lane does the second: put a warp sync between";
  const bool oneLaneKnown = a.elected.order[first.electedComponent] > prior.stamp.count;
  if (prior.stamp.component == first.lanesComponent && oneLaneKnown)
    return "All lanes did the first, one lane signalled for them: put a warp sync before that "
           "lane's arrive";
  return priorWrites ? "Signal after the write, and wait for the signal here"
                     : "Release the bytes after the last read, and wait for the release here";
}

CanonicalRun::Step CanonicalRun::race(const Buffer &buffer, const Cell &cell, const Access &first,
                                      bool firstWrites, const Access &second, bool secondWrites) {
  const Actor &a = actors_[second.actor];
  const std::string bytes = slotsOf(buffer, {cell.begin, cell.end});
  offence_ = {Offence::overlap, eventOf(first),
              (firstWrites ? "may still write " : "may still read ") + bytes,
              (secondWrites ? "writes " : "reads ") + bytes, eventOf(second)};
  return refuse("R22",
                what(second) + (secondWrites ? " writes " : " reads ") + bytes + " while " +
                    what(first) + (firstWrites ? " may still write" : " may still read") +
                    " it: nothing orders the two. " +
                    (first.object == second.object
                         ? fixFor(a, *second.stmt, first, firstWrites)
                         : program_.buffers[first.object].name + " and " +
                               program_.buffers[second.object].name +
                               " share these bytes: give each its own, or order all their uses"),
                *second.stmt, buffer.name);
}

namespace {

BarrierCounts countsOf(int64_t slot, const MbarrierState &state) {
  return {slot,
          state.phase(),
          state.expected() - state.pending(),
          state.expected(),
          state.announced() - state.tx(),
          state.announced()};
}

/// Messages end with what to change: the text after the last full stop.
std::string fixIn(const std::string &message) {
  const size_t at = message.rfind(". ");
  return at == std::string::npos ? "" : message.substr(at + 2);
}

} // namespace

void CanonicalRun::complete(Violation &violation, int32_t actor, const Stmt &s) {
  violation.fix = fixIn(violation.message);
  const auto party = [&](int32_t who, const Stmt &stmt, const std::string &does) {
    violation.parties.push_back({nameOf(who, stmt), operationName(stmt.op), does, stmt.loc});
  };
  if (offence_.other.stmt)
    party(offence_.other.actor, *offence_.other.stmt, offence_.otherDoes);
  if (offence_.second)
    party(offence_.second->actor, *offence_.second->stmt, offence_.does);
  else if (actor >= 0)
    party(actor, s, offence_.does);
  if (actor < 0 || &s != actors_[actor].agent.current())
    return;
  if (const auto barriers = barriersOf(actors_[actor], s);
      !barriers.empty() && nameOf(barriers[0]).starts_with(violation.barrier))
    violation.counts = countsOf(barriers[0].slot, barriers[0].barrier->state);
}

const MbarrierState &CanonicalRun::stateOf(const Actor &a, const MbarrierWait &wait) const {
  return mbarriers_[a.cta * program_.mbarriers.size() + wait.barrier.object]
                   [a.agent.value(wait.barrier.slot)]
                       .state;
}

Blocked CanonicalRun::blockedState(Actor &a) {
  const Stmt &s = *a.agent.current();
  Blocked b{nameOf(a.index), operationName(s.op), "", s.loc};
  if (auto *wait = std::get_if<MbarrierWait>(&s.op)) {
    const int64_t slot = a.agent.value(wait->barrier.slot);
    const Mbarrier &object = program_.mbarriers[wait->barrier.object];
    b.waitsOn =
        barrierName(object, slot) + " parity " + std::to_string(a.agent.value(wait->parity) & 1);
    b.state = stateOf(a, *wait).str();
  } else if (auto *flagWait = std::get_if<WaitFlag>(&s.op)) {
    b.waitsOn = flagName(flagWait->source, flagWait->destination, a.agent.value(flagWait->id));
    b.state = "not set";
  } else if (auto *named = std::get_if<NamedBarrier>(&s.op)) {
    const HardwareBarrier &h = named_[{a.cta, named->id}];
    b.waitsOn = "named barrier " + std::to_string(named->id);
    b.state = std::to_string(h.arrived) + " of " + std::to_string(h.threads) + " threads";
  } else if (std::holds_alternative<ClusterBarrier>(s.op)) {
    b.waitsOn = "cluster barrier";
    b.state = std::to_string(cluster_.arrived) + " of " + std::to_string(actors_.size()) + " warps";
  } else if (auto *counter = std::get_if<CounterWait>(&s.op)) {
    const CounterKey key = counterKey(a.agent, counter->counter);
    b.waitsOn =
        "counter " + counterName(key) + " >= " + std::to_string(a.agent.value(counter->value));
    b.state = "at " + std::to_string(counters_[key].value());
  } else if (auto *cross = std::get_if<CrossWait>(&s.op)) {
    b.waitsOn = "cross-core flag " + std::to_string(a.agent.value(cross->id));
    b.state = "count 0";
  } else if (std::holds_alternative<PipeBarrier>(s.op)) {
    b.waitsOn = "barrier of all pipes";
    b.state = std::to_string(pipes_[a.agent.id().core].arrived) + " pipes arrived";
  }
  return b;
}

namespace {

/// What is waited on, without the parity or the value waited for.
std::string withoutParity(const std::string &waitsOn) {
  return waitsOn.substr(0, std::min(waitsOn.find(" parity"), waitsOn.find(" >= ")));
}

/// What the operation that an agent is blocked on needs, and whether `s` of `other` gives it.
struct Need {
  const MbarrierWait *barrier = nullptr;
  const WaitFlag *flag = nullptr;
  const CrossWait *cross = nullptr;
  const CounterWait *counter = nullptr;
  std::vector<int64_t> element; // of the counters
  int64_t slot = 0;
  int cta = 0;

  bool givenBy(const ProofAgent &other, int otherCta, const Stmt &s) const {
    if (barrier)
      return signals(other, otherCta, s);
    if (flag) {
      auto *set = std::get_if<SetFlag>(&s.op);
      return set && otherCta == cta && set->source == flag->source &&
             set->destination == flag->destination && other.value(set->id) == slot;
    }
    if (counter)
      return raises(other, s);
    auto *set = std::get_if<CrossSet>(&s.op);
    return cross && set && otherCta != cta && other.value(set->id) == slot;
  }

  bool raises(const ProofAgent &other, const Stmt &s) const {
    auto *add = std::get_if<CounterAdd>(&s.op);
    if (!add || add->counter.object != counter->counter.object || other.value(add->value) <= 0)
      return false;
    for (size_t d = 0; d < element.size(); ++d)
      if (other.value(add->counter.offset[d]) != element[d])
        return false;
    return true;
  }

  bool names(const ProofAgent &other, int otherCta, const MbarrierRef &ref,
             int64_t mask = 0) const {
    const int target = ref.remote ? static_cast<int>(other.value(*ref.remote)) : otherCta;
    return ref.object == barrier->barrier.object && other.value(ref.slot) == slot &&
           (mask ? (mask >> cta & 1) != 0 : target == cta);
  }

  bool signals(const ProofAgent &other, int otherCta, const Stmt &s) const {
    if (auto *arrive = std::get_if<MbarrierArrive>(&s.op))
      return names(other, otherCta, arrive->barrier);
    if (auto *arrive = std::get_if<MbarrierArriveExpectTx>(&s.op))
      return names(other, otherCta, arrive->barrier);
    if (auto *arrive = std::get_if<CpAsyncArrive>(&s.op))
      return names(other, otherCta, arrive->barrier);
    if (auto *load = std::get_if<TmaLoad>(&s.op))
      return names(other, otherCta, load->barrier, load->multicast);
    return false;
  }
};

} // namespace

CanonicalRun::Signaller CanonicalRun::signallerOf(const Actor &blocked) const {
  constexpr int lookAhead = 10000; // operations of each agent
  const Stmt &s = *blocked.agent.current();
  Need need;
  need.cta = blocked.cta;
  if ((need.barrier = std::get_if<MbarrierWait>(&s.op)))
    need.slot = blocked.agent.value(need.barrier->barrier.slot);
  else if ((need.flag = std::get_if<WaitFlag>(&s.op)))
    need.slot = blocked.agent.value(need.flag->id);
  else if ((need.cross = std::get_if<CrossWait>(&s.op)))
    need.slot = blocked.agent.value(need.cross->id);
  else if ((need.counter = std::get_if<CounterWait>(&s.op)))
    need.element = counterKey(blocked.agent, need.counter->counter).second;
  else
    return {};
  for (const Actor &other : actors_) {
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

} // namespace

std::string CanonicalRun::circle(const Actor &start, const std::vector<Signaller> &signallers) {
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

std::string CanonicalRun::fixOfDeadlock(const Actor &a, const Signaller &by) const {
  const Stmt &s = *a.agent.current();
  if (auto *wait = std::get_if<MbarrierWait>(&s.op)) {
    const MbarrierState &state = stateOf(a, *wait);
    if (state.pending() == 0 && state.tx() != 0)
      return "Its arrivals are complete, its bytes are not: announce the bytes of all copies of "
             "the phase, " +
             std::to_string(state.announced() - state.tx()) + " here";
    if (by.kind == Signaller::nobody && state.phase() > 0 && state.pending() == state.expected())
      return "Nobody will signal it again: the wait came after its phase had passed by. Let the "
             "signaller wait for an answer before it signals again, or add the missing arrive";
    if (by.kind == Signaller::nobody)
      return "Nobody will signal it: no agent has an operation left that does. Add the arrive, or "
             "make both sides run the same number of iterations";
    if (state.pending() < state.expected())
      return "The count of the initialisation must be the number of arrivals of one phase";
    if (state.phase() == 0)
      return "When its slots start free, the first wait on them must pass: start that side with "
             "phase 1";
    return "Break the circle: signal before waiting, or use more slots";
  }
  if (std::holds_alternative<WaitFlag>(s.op))
    return by.kind == Signaller::nobody
               ? "Nobody will set it: no pipe has a set_flag left that does. Pair every wait with "
                 "a set"
               : "A flag that means `free` must be set once before the loop (primed)";
  if (std::holds_alternative<CrossWait>(s.op))
    return by.kind == Signaller::nobody ? "Nobody will set it. Pair every wait with a set"
                                        : "Set it once before the loop, or break the circle";
  if (std::holds_alternative<CounterWait>(s.op))
    return by.kind == Signaller::nobody ? "Nobody will add to it. Wait for no more than all adds "
                                          "together"
                                        : "Break the circle: add before waiting";
  if (std::holds_alternative<NamedBarrier>(s.op))
    return "The count must be 32 times the warps that execute it";
  return "Every agent has to execute it";
}

Violation CanonicalRun::deadlock() {
  Violation v{"R9", "deadlock: ", {}, "", {}};
  std::vector<Signaller> signallers(actors_.size());
  const Actor *first = nullptr;
  int telling = -1;
  for (Actor &a : actors_) {
    if (a.done)
      continue;
    v.blocked.push_back(blockedState(a));
    signallers[a.index] = signallerOf(a);
    int tells = signallers[a.index].kind == Signaller::nobody ? hopeless : inCircle;
    if (auto *wait = std::get_if<MbarrierWait>(&a.agent.current()->op)) {
      const MbarrierState &state = stateOf(a, *wait);
      if (state.pending() == 0)
        tells = bytesWrong;
      else if (tells == inCircle && state.pending() < state.expected())
        tells = partial;
    }
    if (tells > telling) {
      first = &a;
      telling = tells;
    }
  }
  const Blocked b = blockedState(actors_[first->index]);
  const Signaller &by = signallers[first->index];
  v.location = b.loc;
  v.barrier = withoutParity(b.waitsOn);
  offence_ = {};
  offence_.kind = Offence::stuck;
  offence_.actor = first->index;
  complete(v, first->index, *first->agent.current());
  v.fix = fixOfDeadlock(*first, by);
  v.message += b.agent + " waits" + place(b.loc) + " for " + b.waitsOn + " (" + b.state + "). " +
               (telling == inCircle ? circle(*first, signallers) : "") + v.fix + ". " +
               std::to_string(v.blocked.size()) + " of " + std::to_string(actors_.size()) +
               " agents are blocked";
  return v;
}

} // namespace sluice

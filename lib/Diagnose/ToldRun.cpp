// What went wrong, in words: races with their fix, and what blocked agents wait for.
#include "Diagnose/ToldRun.h"
#include "Program/OperationFacts.h"
#include "Program/TensorMemory.h"
#include "Program/Watchers.h"
#include "Verify/Names.h"

#include <set>

namespace sluice {

std::string ToldRun::fixFor(const Actor &a, const Stmt &s, const Access &prior,
                            bool priorWrites) const {
  const Actor &first = actors_[prior.actor];
  if (isAscend(program_.target))
    return first.agent.id().core == a.agent.id().core
               ? "Set flag " + std::string(sluice::name(first.agent.id().pipe)) + "->" +
                     std::string(sluice::name(a.agent.id().pipe)) +
                     " after the first and wait for it before the second"
               : "Set a cross-core flag after the first and wait for it before the second";
  if (prior.stamp.component == first.products.component)
    return "Commit it (tcgen05.commit) to an mbarrier and wait for that before it";
  if (prior.stamp.component == first.tensorLoads.component)
    return std::string("Put tcgen05.wait::ld ") +
           (prior.actor == a.index ? "before it" : "behind the first, then signal, before it");
  if (prior.stamp.component == first.tensorStores.component)
    return std::string("Put tcgen05.wait::st ") +
           (prior.actor == a.index ? "before it" : "behind the first, then signal, before it");
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
  if (prior.actor == a.index && prior.way && s.exec == Exec::threads)
    return "Each lane did its own part of the first, another lane does that part of the second: "
           "put "
           "a warp sync between";
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

/// An mbarrier that an agent waits for and that no copy completes: one by which slots come back.
std::string ToldRun::waitedRelease(const Actor &a) const {
  std::vector<bool> filled(program_.mbarriers.size(), false);
  walk(program_.body, [&](const Stmt &s) {
    if (const BarrierDeed deed = barrierDeed(s.op); deed.completes)
      filled[deed.barrier->object] = true;
  });
  std::string name;
  uint32_t newest = 0;
  for (size_t i = 0; i < program_.mbarriers.size(); ++i)
    for (int64_t slot = 0; !filled[i] && slot < program_.mbarriers[i].slots; ++slot)
      for (const BarrierEvent &w : parts_.barriers.at(a.cta, i, slot).waits())
        if (w.actor == a.index && w.stamp.count > newest) {
          newest = w.stamp.count;
          name = barrierName(program_.mbarriers[i], slot);
        }
  return name;
}

/// For who writes the memory of a peer too early.
std::string ToldRun::fixForPeer(const Actor &a, const std::string &slot, int peer) const {
  const std::string own = "CTA " + coordinates(program_, ctas_[a.cta]), waited = waitedRelease(a);
  return "CTA " + coordinates(program_, ctas_[peer]) + " must release its " + slot +
         " before: after its last use let it arrive remotely, and be counted, on " +
         (waited.empty() ? "a barrier of " + own + " that is waited for here"
                         : waited + " of " + own + ", which is waited for here") +
         "; or put a cluster barrier between";
}

ToldRun::Step ToldRun::race(const Buffer &buffer, const Cell &cell, const Access &first,
                            bool firstWrites, const Access &second, bool secondWrites) {
  const Actor &a = actors_[second.actor];
  const int owner = parts_.memory.ctaOf(cell);
  const bool ofPeer = owner >= 0 && owner != a.cta && !isAscend(program_.target);
  const std::string bytes = slotsOf(buffer, cell.bytes, ofPeer ? owner : -1);
  offence_ = {Offence::overlap, eventOf(first),
              (firstWrites ? "may still write " : "may still read ") + bytes,
              (secondWrites ? "writes " : "reads ") + bytes, eventOf(second)};
  return refuse("R22",
                what(second) + (secondWrites ? " writes " : " reads ") + bytes + " while " +
                    what(first) + (firstWrites ? " may still write" : " may still read") +
                    " it: nothing orders the two. " +
                    (first.object != second.object
                         ? program_.buffers[first.object].name + " and " +
                               program_.buffers[second.object].name +
                               " share these bytes: give each its own, or order all their uses"
                     : ofPeer ? fixForPeer(a, slotName(buffer, cell.bytes), owner)
                              : fixFor(a, *second.stmt, first, firstWrites)),
                *second.stmt, buffer.name);
}

namespace {

/// Of an add to a counter that somebody waits for, which orders nothing; empty: there is none.
std::string fixRelaxedAdd(const Program &program) {
  std::set<int> awaited;
  walk(program.body, [&awaited](const Stmt &s) {
    if (const CounterDeed deed = counterDeed(s.op); deed.kind == CounterDeed::wait)
      awaited.insert(deed.counter->object);
  });
  std::string fix;
  walk(program.body, [&](const Stmt &s) {
    auto *add = std::get_if<CounterAdd>(&s.op);
    if (fix.empty() && add && add->relaxed && awaited.contains(add->counter.object))
      fix = "The counter add" + place(s.loc) +
            " is relaxed, so that it hands on nothing to who waits for it: leave out `relaxed`";
  });
  return fix;
}

} // namespace

std::string ToldRun::fixInTensor(const Actor &a, const Stmt &s, const Access &prior,
                                 bool priorWrites, const std::string &tensor) const {
  const Actor &first = actors_[prior.actor];
  const bool ofGrid = joinedGrid() && first.cta != a.cta;
  if (isAscend(program_.target) || (prior.actor == a.index && prior.way))
    return fixFor(a, s, prior, priorWrites) + ", or give each its own part of the tensor";
  if (const std::string fix = ofGrid ? fixRelaxedAdd(program_) : ""; !fix.empty())
    return fix;
  const bool waitedFor = first.elected.order.knows(prior.stamp);
  if (priorWrites && prior.stamp.component == first.bulkWrites && !waitedFor) {
    const bool wasRead = first.elected.order.knows({first.bulkReads.component, prior.stamp.count});
    return (wasRead ? "The wait_group.read behind the store says only that shared memory has been "
                      "read: wait without .read"
                    : "Wait behind the store without .read") +
           std::string(" (cp.async.bulk.wait_group), before ") +
           (ofGrid ? "the add to the counter that this CTA waits for"
                   : "the barrier that leads here");
  }
  return ofGrid ? "Let one wait for a counter that the other adds to, or give every CTA its own "
                  "tile of " +
                      tensor
                : "Order them with a barrier, or give every warp its own part of the tensor";
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

void ToldRun::complete(Violation &violation, int32_t actor, const Stmt &s) {
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

const MbarrierState &ToldRun::stateOf(const Actor &a, const MbarrierWait &wait) const {
  return parts_.barriers.at(a.cta, wait.barrier.object, a.agent.value(wait.barrier.slot)).state;
}

Blocked ToldRun::blockedState(Actor &a) {
  const Stmt &s = *a.agent.current();
  const OperationFacts facts = factsOf(s.op);
  Blocked b{nameOf(a.index), operationName(s.op), "", s.loc};
  if (auto *wait = std::get_if<MbarrierWait>(&s.op)) {
    const int64_t slot = a.agent.value(wait->barrier.slot);
    const Mbarrier &object = program_.mbarriers[wait->barrier.object];
    b.waitsOn =
        barrierName(object, slot) + " parity " + std::to_string(a.agent.value(wait->parity) & 1);
    b.state = stateOf(a, *wait).str();
  } else if (facts.flag.kind == FlagDeed::wait && facts.flag.mutex) {
    b.waitsOn = mutexName(a.agent.value(*facts.flag.id));
    b.state = "locked";
  } else if (facts.flag.kind == FlagDeed::wait && !facts.flag.cross) {
    b.waitsOn = flagName(facts.flag.source, facts.flag.destination, a.agent.value(*facts.flag.id));
    b.state = "not set";
  } else if (facts.meeting.id) {
    const int64_t id = a.agent.value(*facts.meeting.id);
    const RunMeetings::HardwareBarrier &h = parts_.meetings.named(a.cta, id);
    b.waitsOn = "named barrier " + std::to_string(id);
    b.state = std::to_string(h.arrived) + " of " + std::to_string(h.threads) + " threads";
  } else if (facts.meeting.kind == MeetingDeed::cluster) {
    b.waitsOn = "cluster barrier";
    b.state = std::to_string(parts_.meetings.cluster().arrived) + " of " +
              std::to_string(actors_.size()) + " warps";
  } else if (facts.counter.kind == CounterDeed::wait) {
    const RunCounters::CounterKey key = RunCounters::counterKey(a.agent, *facts.counter.counter);
    b.waitsOn = "counter " + parts_.counters.counterName(key) +
                " >= " + std::to_string(a.agent.value(*facts.counter.value));
    b.state = "at " + std::to_string(parts_.counters.valueOf(key));
  } else if (facts.flag.kind == FlagDeed::wait) {
    b.waitsOn = "cross-core flag " + std::to_string(a.agent.value(*facts.flag.id));
    b.state = onlyWatches(s, a.agent.id().pipe) ? "the scalar unit stands there" : "count 0";
  } else if (facts.meeting.kind == MeetingDeed::pipes) {
    b.waitsOn = "barrier of all pipes";
    b.state = std::to_string(parts_.meetings.pipesOf(a.agent.id().core).arrived) + " pipes arrived";
  } else if (facts.units) {
    b.waitsOn = "units of " + RunUnits::nameOf(program_, a.agent, *facts.units.tile);
    b.state = facts.units.byFix ? "of M" : "of FIX";
  } else if (managesTensorMemory(s.op)) {
    b.waitsOn = "its peer at " + operationName(s.op);
    b.state = "1 of 2 CTAs";
  }
  return b;
}

} // namespace sluice

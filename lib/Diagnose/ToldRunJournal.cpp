// What a run writes down for failing schedules: every operation and what it had to come after.
#include "Diagnose/ToldRun.h"
#include "Program/CoreMeeting.h"
#include "Program/OperationFacts.h"
#include "Program/Watchers.h"
#include "Verify/Names.h"

namespace sluice {
namespace {

enum Kind : int {
  flags = -1000,
  crossFlags = -2000,
  named = -3000,
  pipes = -4000,
  cluster = -5000,
  counters = -6000,
  mutexes = -7000,
  units = -8000 // of tiles of L0C
};

} // namespace

ToldRun::Step ToldRun::execute(Actor &a, const Stmt &s) {
  const bool told = journal_ && !onlyWatches(s, a.agent.id().pipe);
  return told ? recorded(a, s) : CanonicalRun::execute(a, s);
}

void ToldRun::starts(Stamp end) {
  if (journal_)
    journal_->starts(end);
}

std::vector<ToldRun::BarrierPlace> ToldRun::barriersOf(const Actor &a, const Stmt &s) {
  std::vector<BarrierPlace> places;
  const MbarrierRef *ref = mbarrierOf(s.op);
  if (!ref)
    return places;
  const int64_t slot = a.agent.value(ref->slot);
  const int64_t rank = ref->remote ? a.agent.value(*ref->remote) : a.cta;
  const int64_t mask = barrierDeed(s.op).multicast;
  if (slot < 0 || slot >= program_.mbarriers[ref->object].slots || rank < 0 ||
      rank >= static_cast<int64_t>(ctas_.size()))
    return places;
  for (int cta = 0; cta < static_cast<int>(ctas_.size()); ++cta)
    if (mask ? mask >> cta & 1 : cta == rank)
      places.push_back({&parts_.barriers.at(cta, ref->object, slot), cta, ref->object, slot});
  return places;
}

void ToldRun::recordEffects(const Actor &a, const Stmt &s, const Journal::Object &object) {
  std::vector<BarrierEffect> &effects = journal_->current().effects;
  const BarrierDeed deed = barrierDeed(s.op);
  const int64_t lanes = threadsOfWarp(s.exec);
  const auto add = [&](BarrierEffect::Kind kind, int64_t amount) {
    effects.push_back({object, kind, amount});
  };
  if (deed.kind == BarrierDeed::init) {
    auto [cta, array, slot] = object;
    const int64_t slots = deed.wholeArray ? program_.mbarriers[array].slots : 1;
    for (int64_t i = 0; i < slots; ++i)
      effects.push_back(
          {{cta, array, deed.wholeArray ? i : slot}, BarrierEffect::init, deed.count});
    return;
  }
  if (deed.announces)
    add(BarrierEffect::expect, a.agent.value(*deed.announces) * lanes);
  if (deed.count > 0)
    add(BarrierEffect::arrive, deed.count * lanes);
  if (auto *remote = std::get_if<RemoteCopy>(&s.op)) {
    if (const Rows rows = parts_.data.remoteRows(a, s, *remote); !rows.ranges.empty())
      add(BarrierEffect::complete, parts_.data.remoteBytes(rows, *remote));
  } else if (deed.completes) {
    add(BarrierEffect::complete, program_.bytesOfCopy(*deed.completes));
  }
}

ToldRun::Step ToldRun::recorded(Actor &a, const Stmt &s) {
  const bool leaves = a.arrived; // a meeting that it has arrived at before
  JournalEntry &e = journal_->open(a.index, s);
  e.id = a.agent.id();
  e.agent = nameOf(a.index, s);
  e.operation = operationText(program_, s, [&](const Index &i) { return a.agent.value(i); });
  e.lanes = a.lanesComponent;
  e.elected = a.electedComponent;
  e.stepsBefore = a.steps;
  const std::vector<BarrierPlace> barriers = barriersOf(a, s);
  const auto object = [](const BarrierPlace &b) {
    return Journal::Object{b.cta, b.object, b.slot};
  };
  if (!barriers.empty()) {
    e.barrier = nameOf(barriers[0]);
    e.object = object(barriers[0]);
    e.phase = barriers[0].barrier->state.phase();
  }
  if (auto *wait = std::get_if<MbarrierWait>(&s.op))
    e.parity = a.agent.value(wait->parity) & 1;
  for (const BarrierPlace &b : barriers)
    recordEffects(a, s, object(b));
  const BarrierDeed deed = barrierDeed(s.op);
  const bool waits = deed.waits();
  for (const BarrierPlace &b : barriers)
    if (!waits && deed.kind != BarrierDeed::init && deed.kind != BarrierDeed::test)
      journal_->contributes(object(b), b.barrier->state.phase());
  const int64_t clusterPhase = a.clusterPhase;
  if (!leaves)
    recordMeeting(a, s);
  const Step result = CanonicalRun::execute(a, s);
  e.stepsAfter = a.steps;
  if (result == Step::done && waits && barriers[0].barrier->state.phase() > 0)
    journal_->awaits(object(barriers[0]), barriers[0].barrier->state.phase() - 1);
  if (result == Step::done)
    recordFlags(a, s, clusterPhase);
  if (leaves || (result == Step::blocked && !a.arrived))
    journal_->drop();
  else
    journal_->keep();
  if (!leaves)
    advanceMeeting(a, s);
  return result;
}

namespace {

Journal::Object meetingOf(const Actor &a, const Stmt &s) {
  const MeetingDeed deed = meetingDeed(s.op);
  if (deed.id)
    return {named - a.cta, 0, a.agent.value(*deed.id)};
  if (deed.kind == MeetingDeed::pipes)
    return {pipes - a.cta, 0, 0};
  return {cluster, 0, 0};
}

} // namespace

void ToldRun::recordMeeting(const Actor &a, const Stmt &s) {
  const Journal::Object object = meetingOf(a, s);
  if (const MeetingDeed deed = meetingDeed(s.op); deed.arrives)
    journal_->meets(object,
                    deed.kind == MeetingDeed::cluster ? parts_.meetings.cluster().phase
                                                      : journal_->phaseOf(object),
                    deed.waits);
}

void ToldRun::advanceMeeting(const Actor &a, const Stmt &s) {
  const MeetingDeed deed = meetingDeed(s.op);
  if (deed.id)
    journal_->phaseOf(meetingOf(a, s)) +=
        parts_.meetings.named(a.cta, a.agent.value(*deed.id)).arrived == 0;
  else if (deed.kind == MeetingDeed::pipes)
    journal_->phaseOf(meetingOf(a, s)) += parts_.meetings.pipesOf(a.agent.id().core).arrived == 0;
}

void ToldRun::recordFlags(const Actor &a, const Stmt &s, int64_t clusterPhase) {
  const auto flag = [&](Pipe source, Pipe destination, const Index &id) {
    return Journal::Object{flags - a.cta,
                           static_cast<int>(source) * 64 + static_cast<int>(destination),
                           a.agent.value(id)};
  };
  const OperationFacts facts = factsOf(s.op);
  if (const FlagDeed &deed = facts.flag; deed.mutex) {
    const Journal::Object mutex{mutexes - a.cta, 0, a.agent.value(*deed.id)};
    deed.kind == FlagDeed::set ? journal_->contributes(mutex, 0) : journal_->awaits(mutex, 0);
  } else if (deed.ofPipes())
    deed.kind == FlagDeed::set
        ? journal_->contributes(flag(deed.source, deed.destination, *deed.id), 0)
        : journal_->awaits(flag(deed.source, deed.destination, *deed.id), 0);
  else if (auto *o = std::get_if<CrossSet>(&s.op))
    for (int to = 0; to < 3; ++to) // AIC, AIV0, AIV1: who the set is for
      if (o->mode == allCores ? (to == 0) == (a.cta == 0)
          : a.cta == 0        ? to != 0
          : o->mode == 1      ? to != 0 && to != a.cta
                              : to == 0)
        journal_->contributes({crossFlags - to, 0, a.agent.value(o->id)}, 0);
  if (const UnitsDeed &deed = facts.units) { // from M, then from FIX
    const auto tile = [&](bool byFix) {
      return Journal::Object{units - byFix, deed.tile->object, a.agent.value(deed.tile->slot)};
    };
    journal_->awaits(tile(!deed.byFix), 0);
    if (deed.handsOver)
      journal_->contributes(tile(deed.byFix), 0);
  }
  if (auto *o = std::get_if<CrossWait>(&s.op))
    journal_->awaits({crossFlags - a.cta, 0, a.agent.value(o->id)}, 0);
  // Among the elements of its tensor a counter is the number of elements before it.
  const auto counter = [&](const View &v) {
    const RunCounters::CounterKey key = RunCounters::counterKey(a.agent, v);
    int64_t element = 0;
    for (size_t d = 0; d < key.second.size(); ++d)
      element = element * context_.launch->tensors[v.object].extents[d] + key.second[d];
    return Journal::Object{counters, v.object, element};
  };
  if (facts.counter.kind == CounterDeed::add)
    journal_->contributes(counter(*facts.counter.counter), 0);
  else if (facts.counter.kind == CounterDeed::wait)
    journal_->awaits(counter(*facts.counter.counter), 0);
  if (auto *o = std::get_if<ClusterBarrier>(&s.op); o && o->kind == ClusterBarrier::wait)
    journal_->awaits({cluster, 0, 0}, clusterPhase);
}

void ToldRun::recordBlocked() {
  for (Actor &a : actors_) {
    if (a.done || !a.agent.current())
      continue;
    const Stmt &s = *a.agent.current();
    if (a.arrived) {
      journal_->markLast(a.index);
      continue;
    }
    JournalEntry &e = journal_->open(a.index, s);
    e.id = a.agent.id();
    e.agent = nameOf(a.index, s);
    e.operation = operationText(program_, s, [&](const Index &i) { return a.agent.value(i); });
    e.blocked = true;
    e.stepsBefore = e.stepsAfter = a.steps;
    const std::vector<BarrierPlace> barriers = barriersOf(a, s);
    if (!barriers.empty()) {
      e.barrier = nameOf(barriers[0]);
      e.object = {barriers[0].cta, barriers[0].object, barriers[0].slot};
      e.phase = barriers[0].barrier->state.phase();
    }
    if (auto *wait = std::get_if<MbarrierWait>(&s.op))
      e.parity = a.agent.value(wait->parity) & 1;
    journal_->keep();
  }
}

} // namespace sluice

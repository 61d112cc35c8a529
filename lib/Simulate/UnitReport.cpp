// What a unit tells: names, hangs, and the events of the timeline.
#include "Program/OperationFacts.h"
#include "Program/OperationText.h"
#include "Program/TensorMemory.h"
#include "Simulate/Unit.h"

#include <algorithm>

namespace sluice {
namespace {

/// Position of a pipe in the flow of data: a flag from a later to an earlier one frees a slot.
int order(Pipe p) {
  switch (p) {
  case Pipe::mte2:
    return 1;
  case Pipe::mte1:
    return 2;
  case Pipe::m:
  case Pipe::v:
    return 3;
  case Pipe::fix:
  case Pipe::mte3:
    return 4;
  default:
    return 0;
  }
}

std::string coordinates(const Program &p, const std::array<int64_t, 3> &at) {
  std::string text(1, '(');
  for (int d = 0; d < std::clamp(p.gridRank, 1, 3); ++d)
    text.append(d ? "," : "").append(std::to_string(at[d]));
  return text.append(")");
}

} // namespace

std::string UnitPart::agentName(const Actor &a) const {
  const AgentId &id = a.agent.id();
  if (isAscend(program_.target)) {
    std::string text = "pipe " + std::string(name(id.pipe)) + " of " + id.core;
    if (id.cta != Coordinates{0, 0, 0})
      text += " of block " + coordinates(program_, id.cta);
    return text;
  }
  const Role *role = a.agent.role();
  std::string text = role ? role->name + " warp " : "warp ";
  return text.append(std::to_string(id.warp))
      .append(" of CTA ")
      .append(coordinates(program_, id.cta));
}

Blocked Unit::blockedState(Actor &a) {
  const Stmt &s = *a.agent.current();
  const OperationFacts facts = factsOf(s.op);
  Blocked b;
  b.agent = agentName(a);
  b.loc = s.loc;
  if (auto *o = std::get_if<MbarrierWait>(&s.op)) {
    const UnitBarriers::BarrierPlace p = parts_.barriers.place(a, s, o->barrier);
    b.waitsOn =
        parts_.barriers.nameOf(p) + " parity " + std::to_string(a.agent.value(o->parity) & 1);
    b.state = p.slot ? p.slot->state.str() : "";
  } else if (facts.meeting.id) {
    const int64_t id = a.agent.value(*facts.meeting.id);
    const UnitMeetings::Rendezvous &r = parts_.meetings.named(a.cta, id);
    b.waitsOn = "named barrier " + std::to_string(id);
    b.state = std::to_string(r.arrived) + " of " + std::to_string(r.threads) + " threads";
  } else if (facts.meeting.kind == MeetingDeed::cluster) {
    b.waitsOn = "cluster barrier";
    b.state = std::to_string(parts_.meetings.cluster().arrived) + " of " + std::to_string(live_) +
              " warps";
  } else if (const View *counter = facts.counter.counter) {
    const std::string &counters = program_.tensors[counter->object].name;
    Counters::Key key{counter->object, {}};
    for (const Index &i : counter->offset)
      key.second.push_back(a.agent.value(i));
    b.waitsOn =
        "counter " + counters + " >= " + std::to_string(a.agent.value(*facts.counter.value));
    b.state = "at " + std::to_string(parts_.counters.valueOf(key));
  } else if (facts.flag.kind == FlagDeed::wait && facts.flag.mutex) {
    b.waitsOn = mutexName(a.agent.value(*facts.flag.id));
    b.state = "locked";
  } else if (facts.flag.kind == FlagDeed::wait && !facts.flag.cross) {
    b.waitsOn = flagName(facts.flag.source, facts.flag.destination, a.agent.value(*facts.flag.id));
    b.state = "not set";
  } else if (facts.flag.kind == FlagDeed::wait) {
    int64_t id = a.agent.value(*facts.flag.id);
    b.waitsOn = "cross-core flag " + std::to_string(id);
    b.state = parts_.flags.crossCounts(a, id);
  } else if (facts.units) {
    b.waitsOn = "units of " + program_.buffers[facts.units.tile->object].name + "[" +
                std::to_string(a.agent.value(facts.units.tile->slot)) + "]";
    b.state = parts_.tiles.isOfFix(a, facts.units) ? "of FIX" : "of M";
  } else if (facts.meeting.kind == MeetingDeed::pipes) {
    b.waitsOn = "pipe barrier ALL";
    b.state = std::to_string(parts_.meetings.pipesOf(a.cta).waiters.size()) + " of " +
              std::to_string(ctas_[a.cta].live) + " pipes";
  } else if (managesTensorMemory(s.op)) {
    b.waitsOn = "its peer at " + operationName(s.op);
    b.state = "1 of 2 CTAs";
  } else {
    b.waitsOn = std::holds_alternative<Epoch>(s.op) ? "epoch" : "its asynchronous groups";
    b.state = std::to_string(parts_.meetings.atEpoch().waiters.size()) + " of " +
              std::to_string(live_) + " agents";
  }
  return b;
}

Violation Unit::hang() {
  Violation v;
  v.rule = "R9";
  for (Actor &a : actors_)
    if (a.state == Actor::blocked)
      v.blocked.push_back(blockedState(a));
  v.message = "no agent can go on and nothing is in flight;";
  for (const Blocked &b : v.blocked)
    v.message += " " + b.agent + " waits on " + b.waitsOn + " (" + b.state + ");";
  v.message.pop_back();
  if (!v.blocked.empty()) {
    v.location = v.blocked.front().loc;
    v.barrier = v.blocked.front().waitsOn;
  }
  return v;
}

void UnitReport::start() {
  if (recorder_)
    busyAtStart_ = engines_[traced_].sharedMemory.busy;
}

void UnitReport::epoch(double time) {
  if (recorder_)
    recorder_->epoch(time);
}

/// The row of an agent's events: one warp stands for its warpgroup; -1: not shown.
int UnitReport::rowOf(const Actor &a) const {
  if (!recorder_)
    return -1;
  if (isAscend(program_.target)) {
    std::string pipe(name(a.agent.id().pipe));
    const std::string &core = ctas_[a.cta].core;
    return recorder_->row(TimelineRow::engine, core == "aic" ? pipe : core + " " + pipe);
  }
  if (a.cta != traced_)
    return -1;
  const std::string row = rowName(a.agent);
  return row.empty() ? -1 : recorder_->row(TimelineRow::role, row);
}

void UnitReport::recordEngine(const Actor &a, const Stmt &s, const std::string &engine,
                              double begin, double end, const View &ring) {
  if (!traced(a))
    return;
  recorder_->add({TimelineEvent::work, recorder_->row(TimelineRow::engine, engine), begin, end,
                  label(program_, s.op), ringSlot(program_, a.agent, ring),
                  a.agent.pipelinedIteration(), s.loc});
}

void UnitReport::recordWork(const Actor &a, const Stmt &s, double begin, double end,
                            const std::string &how) {
  int row = rowOf(a);
  if (row < 0)
    return;
  const View *ring = ringOf(program_, s.op);
  recorder_->add({TimelineEvent::work, row, begin, end, how + label(program_, s.op),
                  ring ? ringSlot(program_, a.agent, *ring) : -1, a.agent.pipelinedIteration(),
                  s.loc});
}

/// The warp's own time for what an engine then does.
UnitReport::Step UnitReport::issued(Actor &a, const Stmt &s, double cycles) {
  recordWork(a, s, a.time, a.time + cycles, "issue ");
  a.time += cycles;
  return Step::done;
}

void UnitReport::recordWait(Actor &a, double end) {
  int row = rowOf(a);
  double cycles = end - a.blockedAt;
  const Operation &op = a.agent.current()->op;
  if (row < 0 || cycles <= 0 || std::holds_alternative<Epoch>(op))
    return;
  const Awaited what = awaited(program_, a.agent, op);
  const int64_t iteration = a.agent.pipelinedIteration();
  const UnitsDeed units = unitsDeed(op);
  if (auto *o = std::get_if<WaitFlag>(&op); o && order(o->source) <= order(o->destination))
    recorder_->addDataWait(row, o->source, iteration, cycles);
  else if (units.byFix)
    recorder_->addDataWait(row, Pipe::m, iteration, cycles);
  else if (o || units || std::holds_alternative<MbarrierWait>(op))
    a.waitForSlot += cycles;
  recorder_->addWait({TimelineEvent::wait, row, a.blockedAt, end, what.text, what.slot, iteration,
                      a.agent.current()->loc},
                     what.barrier);
}

void UnitReport::recordUse(Actor &a, const View &view, double begin, double end, bool refill) {
  if (!traced(a) || view.kind != View::buffer)
    return;
  recorder_->use(view.object, a.agent.value(view.slot), begin, end, refill);
  double waited = a.waitForSlot;
  a.waitForSlot = 0;
  bool fills = refill || std::holds_alternative<Mmad>(a.agent.current()->op);
  int row = rowOf(a);
  if (fills && waited > 0 && row >= 0)
    recorder_->addSlotWait(row, view.object, a.agent.pipelinedIteration(), waited);
}

} // namespace sluice

#include "Arch/Limits.h"
#include "Verify/Conditions.h"
#include "Verify/Names.h"
#include "Verify/Run.h"

#include <algorithm>

namespace sluice {
namespace {

std::string crossName(const std::string &from, const std::string &to, int64_t id) {
  return "cross-core flag " + std::to_string(id) + " " + from + "->" + to;
}

} // namespace

RunFlags::Flag *RunFlags::flag(Actor &a, const Stmt &s, Pipe source, Pipe destination, int64_t id) {
  const std::string name = flagName(source, destination, id);
  if (id < 0 || id >= mostEventIds) {
    refuse("R31",
           what(a, s) + " uses " + name + "; a pair of pipes has the ids 0 to " +
               std::to_string(mostEventIds - 1) + " in static-tensor mode, which keeps 6 and 7",
           s, name);
    return nullptr;
  }
  Flag &f = flags_[{a.agent.id().core, source, destination, id}];
  f.source = source;
  f.destination = destination;
  f.id = id;
  return &f;
}

RunFlags::Step RunFlags::setFlag(Actor &a, const Stmt &s, const SetFlag &op) {
  Flag *named = flag(a, s, op.source, op.destination, a.agent.value(op.id));
  if (!named)
    return Step::stop;
  Flag &f = *named;
  const std::string name = flagName(f.source, f.destination, f.id);
  const BarrierEvent e = event(a, s);
  const bool waited = !f.lastSet || (f.lastWait && a.lanes.order.knows(f.lastWait->stamp));
  if (conditions().c5 && (f.state.passes() || !waited)) {
    offence_ = {Offence::plain, *f.lastSet, "sets " + name, "sets it again", {}};
    return refuse("R32",
                  what(a, s) + " sets " + name +
                      " again, but nothing orders it after the wait for " + what(*f.lastSet) +
                      ": two sets may be outstanding on one flag. Wait for the credit of " +
                      std::string(sluice::name(op.destination)) +
                      " before the set, or use another id",
                  s, name);
  }
  f.state.set();
  f.carried = a.lanes;
  f.lastSet = e;
  wake(f.blocked);
  return Step::done;
}

RunFlags::Step RunFlags::waitFlag(Actor &a, const Stmt &s, const WaitFlag &op) {
  Flag *named = flag(a, s, op.source, op.destination, a.agent.value(op.id));
  if (!named)
    return Step::stop;
  Flag &f = *named;
  if (!f.state.passes()) {
    f.blocked.push_back(a.index);
    return Step::blocked;
  }
  f.state.take();
  f.lastWait = event(a, s); // all waits of a flag are on one pipe: ordered
  // What another pipe knows of this one came by a flag of this one, set when all before had ended.
  a.drained = std::max<decltype(a.drained)>(a.drained, f.carried.order[a.lanesComponent]);
  a.lanes.join(f.carried);
  return Step::done;
}

RunFlags::Step RunFlags::crossSet(Actor &a, const Stmt &s, const CrossSet &op) {
  const int64_t id = a.agent.value(op.id);
  const std::string &from = a.agent.id().core;
  if (op.mode == 4) {
    error_ = unsupportedError("cross-core flags of mode 4 are not followed; modes 0 (all cores), 1 "
                              "and 2 are",
                              s.loc);
    return Step::stop;
  }
  if (id < 0 || id > 10)
    return refuse(
        "R34", what(a, s) + " uses cross-core flag " + std::to_string(id) + "; the ids are 0 to 10",
        s, "cross-core flag " + std::to_string(id));
  if (op.mode == allCores)
    return setForAll(a, s);
  std::vector<std::string> receivers{"aic"};
  if (from == "aic")
    receivers = {"aiv0", "aiv1"};
  else if (op.mode == 1)
    receivers = {from == "aiv0" ? "aiv1" : "aiv0"};
  const BarrierEvent e = event(a, s);
  for (const std::string &to : receivers) {
    CrossFlag &f = crossFlags_[{from, to, id}];
    const int64_t mustKnow = f.sets + 1 - CrossFlagState::maxCount; // waits
    bool known = f.waited >= mustKnow;
    if (known && mustKnow > 0)
      known = a.lanes.order.knows(f.waits[mustKnow - 1 - (f.waited - f.waits.size())]);
    const bool held = f.state.set();
    if (conditions().c5 && (!held || !known))
      return refuse("R34",
                    what(a, s) + " may leave more than " +
                        std::to_string(CrossFlagState::maxCount) + " sets of " +
                        crossName(from, to, id) +
                        " without a wait: the system freezes. Let the receiver signal back at "
                        "least every 15 sets",
                    s, crossName(from, to, id));
    ++f.sets;
    f.carried.push_back(a.lanes);
    f.lastSet = e;
    wake(crossBlocked_[to]);
  }
  return Step::done;
}

RunFlags::Step RunFlags::crossWait(Actor &a, const Stmt &s, const CrossWait &op) {
  if (op.pipe != a.agent.id().pipe)
    return stand(a);
  const int64_t id = a.agent.value(op.id);
  const bool meets = context_.meeting && context_.meeting->id == id;
  const Step step = meets ? waitForAll(a, s) : waitForOthers(a, s, id);
  if (step == Step::done && op.watchers) {
    Waits &waits = waits_[a.agent.id().core];
    ++waits.passed;
    ++waits.walked[a.index];
    wake(waits.blocked);
  }
  return step;
}

/// Behind the wait of another pipe, which tells it nothing: whether the wait holds up one pipe or
/// all, the run is one of its schedules.
RunFlags::Step RunFlags::stand(Actor &a) {
  Waits &waits = waits_[a.agent.id().core];
  int64_t &walked = waits.walked[a.index];
  if (walked < waits.passed) {
    ++walked;
    return Step::done;
  }
  waits.blocked.push_back(a.index);
  return Step::blocked;
}

RunFlags::Step RunFlags::waitForOthers(Actor &a, const Stmt &s, int64_t id) {
  const std::string &to = a.agent.id().core;
  // The AIC waits for both AIVs; an AIV for the AIC, or for the other AIV (mode 1), as the text has
  // it.
  std::vector<CrossFlag *> needed;
  if (to == "aic") {
    needed = {&crossFlags_[{"aiv0", to, id}], &crossFlags_[{"aiv1", to, id}]};
  } else {
    const Context::CrossSources from = context_.crossSources(id);
    if (from.cube && from.peer) {
      error_ = unsupportedError("cross-core flag " + std::to_string(id) +
                                    " may come from the cube core and from the other vector core, "
                                    "and which of the two a wait takes depends on the schedule. "
                                    "Give each a flag of its own",
                                s.loc);
      return Step::stop;
    }
    const char *peer = to == "aiv0" ? "aiv1" : "aiv0";
    needed = {&crossFlags_[{from.peer ? peer : "aic", to, id}]};
  }
  for (CrossFlag *f : needed)
    if (!f->state.passes()) {
      crossBlocked_[to].push_back(a.index);
      return Step::blocked;
    }
  const BarrierEvent e = event(a, s);
  for (CrossFlag *f : needed) {
    f->state.take();
    a.lanes.join(f->carried.front());
    f->carried.pop_front();
    ++f->waited;
    f->waits.push_back(e.stamp);
    if (f->waits.size() > CrossFlagState::maxCount + 1)
      f->waits.pop_front();
  }
  return Step::done;
}

/// Each core sets it once (R47).
RunFlags::Step RunFlags::setForAll(Actor &a, const Stmt &s) {
  meeting_.lastSet = event(a, s);
  meeting_.sets[a.agent.id().core] = a.lanes;
  parts_.brackets.setForAll(a, s, allHaveSet());
  for (auto &[core, blocked] : crossBlocked_)
    wake(blocked);
  return Step::done;
}

/// No set of any core follows a wait here, so that all come: a run in which one does ends in a
/// circle of its own cores.
RunFlags::Step RunFlags::waitForAll(Actor &a, const Stmt &s) {
  const std::string &core = a.agent.id().core;
  if (!allHaveSet()) {
    crossBlocked_[core].push_back(a.index);
    return Step::blocked;
  }
  context_.assumptions.insert("co-resident: all blocks of the grid run at the same time");
  const BarrierEvent wait = event(a, s);
  for (const auto &[other, known] : meeting_.sets)
    a.lanes.join(known);
  meeting_.waited.insert(core);
  parts_.brackets.waitedForAll(wait);
  return Step::done;
}

bool RunFlags::leftSet() {
  std::string left;
  const Flag *first = nullptr;
  for (const auto &[key, f] : flags_)
    if (f.state.passes()) {
      first = first ? first : &f;
      left += (left.empty() ? "" : ", ") + flagName(f.source, f.destination, f.id) + " of " +
              std::get<0>(key);
    }
  if (!first)
    return crossLeftSet();
  offence_ = {Offence::atExit, *first->lastSet, "sets it", "", {}};
  refuse("R35",
         "left set at the end: " + left +
             ". The next kernel on this core would find them set. "
             "Wait for each once after the loop (drain)",
         *first->lastSet->stmt, flagName(first->source, first->destination, first->id));
  return true;
}

bool RunFlags::crossLeftSet() {
  for (const auto &[core, known] : meeting_.sets)
    if (!meeting_.waited.contains(core)) {
      const std::string name = "cross-core flag " + std::to_string(context_.meeting->id);
      offence_ = {Offence::atExit, *meeting_.lastSet, "sets it", "", {}};
      refuse("R35",
             "left set at the end: " + name + " of " + core +
                 ", which all cores have set. The next kernel on this core would find it set. "
                 "Wait for it",
             *meeting_.lastSet->stmt, name);
      return true;
    }
  for (const auto &[key, f] : crossFlags_)
    if (f.state.count() > 0) {
      const std::string name = "cross-core flag " + std::to_string(std::get<2>(key)) + " " +
                               std::get<0>(key) + "->" + std::get<1>(key);
      offence_ = {Offence::atExit, *f.lastSet, "sets it", "", {}};
      refuse("R35",
             "left set at the end: " + name + " (count " + std::to_string(f.state.count()) +
                 "). The next kernel on this core would find it set. Wait for each set",
             *f.lastSet->stmt, name);
      return true;
    }
  return false;
}

} // namespace sluice

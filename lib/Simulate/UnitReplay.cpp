// Following a schedule: one operation at a time, in its order, instead of by the clock.
#include "Program/OperationFacts.h"
#include "Program/OperationText.h"
#include "Simulate/Unit.h"

#include <algorithm>

namespace sluice {
namespace {

bool same(const AgentId &a, const AgentId &b) {
  const bool warps = a.core.empty(); // a pipe is named by its core
  return a.cta == b.cta && a.core == b.core && a.pipe == b.pipe && (!warps || a.warp == b.warp);
}

} // namespace

bool Unit::followOn() {
  if (!replay_ || replay_->over || replay_->mismatch || violation_)
    return false;
  if (replay_->next == replay_->schedule.steps.size()) {
    letGo();
    return true;
  }
  takeStep(replay_->schedule.steps[replay_->next++]);
  return true;
}

/// The agents go on by the clock, and what was held back ends.
void Unit::letGo() {
  replay_->over = true;
  for (const int completion : replay_->held)
    queue.push(now_, this, -1, completion);
  for (Actor &a : actors_)
    if (a.state == Actor::running || a.state == Actor::finishing)
      push(a.time = std::max(a.time, now_), a.index);
}

void Unit::takeStep(const ScheduleStep &step) {
  const std::string number = std::to_string(replay_->next - 1);
  const auto at = std::find_if(actors_.begin(), actors_.end(),
                               [&](const Actor &a) { return same(a.agent.id(), step.id); });
  if (at == actors_.end()) {
    replay_->mismatch = inputError("the schedule does not belong to this kernel: it has no " +
                                   step.agent + " (step " + number + ")");
    return;
  }
  Actor &a = *at;
  if (a.state == Actor::finishing) { // a warp is one strand: it cannot leave its own operation open
    parts_.data.finish(a, *a.agent.current());
    a.state = Actor::running;
    a.agent.advance();
  }
  const Stmt *s = a.agent.current();
  const std::string here =
      s ? operationText(program_, *s, [&](const Index &i) { return a.agent.value(i); }) : "its end";
  if (a.state == Actor::blocked && !a.released) {
    replay_->followed.stopped = "step " + number + ", " + step.operation + " of " + step.agent +
                                ", is not reached: the agent is blocked on " +
                                blockedState(a).waitsOn;
    return letGo();
  }
  if (here != step.operation) {
    replay_->mismatch =
        inputError("the schedule does not belong to this kernel: at step " + number + ", " +
                       step.agent + " is at '" + here + "' and not at '" + step.operation +
                       "'. Ask for a new one with check --counterexample",
                   s ? s->loc : Location{});
    return;
  }
  now_ = a.time = std::max(a.time, now_);
  takeOperation(a, step);
}

void Unit::takeOperation(Actor &a, const ScheduleStep &step) {
  const Stmt &s = *a.agent.current();
  replay_->late = step.state == ScheduleStep::late;
  a.state = Actor::running;
  const Step result = std::holds_alternative<Epoch>(s.op) ? Step::done : execute(a, s);
  ++events_;
  ++replay_->followed.steps;
  switch (result) {
  case Step::blocked:
    if (const bool meets = meetingDeed(s.op).kind != MeetingDeed::none;
        step.state != ScheduleStep::blocked && !meets && !a.released) {
      replay_->followed.stopped = "step " + std::to_string(replay_->next - 1) + ", " +
                                  step.operation + " of " + step.agent +
                                  ", blocks where the schedule lets it pass";
      letGo();
    }
    return;
  case Step::finishing:
    a.state = Actor::finishing;
    if (replay_->late)
      return; // its values change when the schedule is over
    parts_.data.finish(a, s);
    a.state = Actor::running;
    break;
  case Step::done:
    break;
  }
  if (!violation_)
    a.agent.advance();
}

} // namespace sluice

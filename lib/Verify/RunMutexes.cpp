#include "Verify/RunMutexes.h"

#include "Program/OperationText.h"
#include "Verify/Conditions.h"
#include "Verify/Names.h"
#include "Verify/Run.h"

#include <algorithm>

namespace sluice {

RunMutexes::Step RunMutexes::take(Actor &a, const Stmt &s, const Mutex &op) {
  const int64_t id = a.agent.value(op.id);
  if (id < 0 || id >= Mutex::ids)
    return refuse("R49",
                  what(a, s) + " uses " + mutexName(id) + "; the ids are 0 to " +
                      std::to_string(Mutex::ids - 1) + "; 28 to 31 are reserved",
                  s, mutexName(id));
  State &m = mutexes_[{a.agent.id().core, id}];
  return op.kind == Mutex::lock ? lock(a, s, op, m) : unlock(a, s, op, m);
}

/// What another pipe knows of this one came by an unlock of this one, when all before had ended. A
/// lock behind an unlock of the same pipe orders nothing.
RunMutexes::Step RunMutexes::lock(Actor &a, const Stmt &s, const Mutex &op, State &m) {
  Walked &walked = m.walked[a.index];
  if (op.pipe == a.agent.id().pipe) {
    if (walked.open && conditions().mutexes)
      return refuse("R49",
                    what(a, s) + " locks " + nameOfId(a, op) + ", which " +
                        operationName(walked.open->op) + place(walked.open->loc) +
                        " has locked and nothing has unlocked: pairs of one id do not nest. Unlock "
                        "it first, or take another id",
                    s, nameOfId(a, op));
    if (m.unlocked < walked.passed) {
      m.blocked.push_back(a.index);
      return Step::blocked;
    }
    event(a, s);
    if (m.by != op.pipe) {
      a.drained = std::max<decltype(a.drained)>(a.drained, m.carried.order[a.lanesComponent]);
      a.lanes.join(m.carried);
    }
  }
  walked.open = &s;
  return Step::done;
}

RunMutexes::Step RunMutexes::unlock(Actor &a, const Stmt &s, const Mutex &op, State &m) {
  Walked &walked = m.walked[a.index];
  if (op.pipe == a.agent.id().pipe) {
    if (conditions().mutexes && (!walked.open || std::get<Mutex>(walked.open->op).pipe != op.pipe))
      return refuse("R49",
                    what(a, s) + " unlocks " + nameOfId(a, op) + ", which pipe " +
                        std::string(name(op.pipe)) +
                        " has not locked: a lock and the unlock behind it are of one pipe",
                    s, nameOfId(a, op));
    event(a, s);
    ++m.unlocked;
    m.by = op.pipe;
    m.carried = a.lanes;
    wake(m.blocked);
  }
  walked.open = nullptr;
  ++walked.passed;
  return Step::done;
}

std::string RunMutexes::nameOfId(const Actor &a, const Mutex &op) const {
  return mutexName(a.agent.value(op.id));
}

bool RunMutexes::leftLocked() {
  if (!conditions().mutexes)
    return false;
  for (const auto &[key, m] : mutexes_)
    for (const auto &[agent, walked] : m.walked)
      if (walked.open) {
        refuse("R49",
               mutexName(key.second) + " of " + key.first + " is left locked at the end by " +
                   operationName(walked.open->op) + place(walked.open->loc) + ". Unlock it",
               *walked.open, mutexName(key.second));
        return true;
      }
  return false;
}

} // namespace sluice

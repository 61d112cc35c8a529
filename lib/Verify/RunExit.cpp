// What must have ended, and what must be back to rest, when a CTA or core exits.
#include "Verify/Conditions.h"
#include "Verify/Names.h"
#include "Verify/Run.h"

#include <algorithm>

namespace sluice {

void RunExit::owe(int cta, const BarrierEvent &event, int object, int64_t slot) {
  debts_[{cta, event.stamp.component}] = {event, object, slot};
}

std::vector<RunExit::Ends> RunExit::endsByCta() const {
  std::vector<Ends> ends(ctas_.size());
  for (const Actor &a : actors_) {
    ends[a.cta].known.join(a.lanes.order);
    ends[a.cta].known.join(a.elected.order);
    ends[a.cta].shown.join(a.shownEnds);
  }
  return ends;
}

namespace {

/// `remote`: of a CTA that it comes to from a peer.
std::string fixAtExit(const Stmt &s, bool remote) {
  const auto *load = std::get_if<TmaLoad>(&s.op);
  if (std::holds_alternative<ClcTryCancel>(s.op))
    return "Let that CTA wait for the response before its end";
  if (remote)
    return "Let that CTA wait for it (the producer's tail) or for a cluster barrier after it";
  if (load && load->multicast)
    return "Let the CTAs that receive it release it, by arriving remotely on a barrier that this "
           "CTA waits for (the producer's tail), or put a cluster barrier before the end";
  if (std::holds_alternative<TmaStore>(s.op))
    return "Commit it and put cp.async.bulk.wait_group.read 0 before the end";
  return "Wait for it before the end";
}

} // namespace

bool RunExit::stillUnderWay() {
  const std::vector<Ends> ends = endsByCta();
  for (const auto &[key, debt] : debts_) {
    const auto &[cta, component] = key;
    if (ends[cta].meets(debt))
      continue;
    offence_ = {Offence::atExit, debt.event, "may still be under way", "", {}};
    std::string subject = what(debt.event);
    if (debt.object >= 0)
      subject += " on " + nameOf(BarrierPlace{nullptr, cta, debt.object, debt.slot});
    refuse("R10",
           subject + " may still be under way when CTA " + coordinates(program_, ctas_[cta]) +
               " exits. " + fixAtExit(*debt.event.stmt, actors_[debt.event.actor].cta != cta),
           *debt.event.stmt);
    return true;
  }
  return false;
}

bool RunExit::previousEnded() const {
  return std::ranges::any_of(actors_, &Actor::previousEnded);
}

bool RunExit::tookPreviousForEnded() {
  const Stmt *wait = context_.waitsForPrevious;
  if (!wait || previousEnded() || !conditions().kernelBefore)
    return false;
  refuse("R37",
         "CTA " + coordinates(program_, ctas_[0]) +
             " ends without griddepcontrol.wait: this kernel may end before the one before it, "
             "and the next one then takes both for ended. Put griddepcontrol.wait where every "
             "CTA comes to it",
         *wait);
  return true;
}

std::optional<Violation> RunExit::exitChecks() {
  const bool left =
      conditions().c7 &&
      (stillUnderWay() || parts_.barriers.leftInPhase() || parts_.meetings.leftInPhase() ||
       parts_.warpgroups.leftByItsGroup() || tookPreviousForEnded() ||
       parts_.tensorMemory.leftAllocated() || parts_.launches.askedTooLate() ||
       parts_.flags.leftSet() || parts_.mutexes.leftLocked() || parts_.units.leftWithFix());
  return left ? violation_ : std::nullopt;
}

} // namespace sluice

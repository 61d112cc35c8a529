// The step that is asked about: what it touches and signals, and what of others depends on it.
#include "Explore/Ahead.h"

#include <algorithm>
#include <cstdlib>

namespace sluice::explorer {
namespace {

using L = Layout;

constexpr int64_t mostBytes = (1 << 20) - 1; // of an mbarrier

bool conflict(const Touch &a, const Touch &b) {
  if ((!a.write && !b.write) || (a.adds && b.adds))
    return false;
  for (size_t w = 0; w < a.mask.size(); ++w)
    if (a.mask[w] & b.mask[w])
      return true;
  return false;
}

bool changesValidity(Act act) {
  return act == Act::initialise || act == Act::invalidate || act == Act::initFence;
}

} // namespace

/// What a load lands behind has a lower number.
void Ahead::findBehindFocus() {
  behindFocus_[focus_.load] = true;
  for (size_t load = size_t(focus_.load) + 1; load < u_.loads.size(); ++load)
    behindFocus_[load] =
        std::ranges::any_of(u_.loads[load].after, [&](int32_t l) { return bool(behindFocus_[l]); });
}

bool Ahead::lookAt(const State &s, const Step &step) {
  still_.assign(2 * static_cast<size_t>(agents_), false);
  behindFocus_.assign(u_.loads.size(), false);
  focus_ = {};
  if (step.kind == Step::land) {
    const Load &l = u_.loads[step.index];
    focus_.load = step.index;
    findBehindFocus();
    focus_.cta = l.cta;
    focus_.act = Act::load;
    if (l.barrier >= 0)
      focus_.barriers = {l.barrier};
    focus_.landed = l.bytes;
    focus_.arrivals = l.arrivals;
    focus_.sum = u_.scripts[l.agent].actions[l.action].sum;
    for (const Touch &t : l.touches)
      focus_.touches.push_back(&t);
    focus_.soils = l.stored && isRefilled(s, focus_.touches);
    return true;
  }
  if (step.kind == Step::end) {
    focus_.ends = step.agent;
    const Script &script = u_.scripts[step.agent];
    for (int32_t i = s[L::ended(step.agent)]; i < s[L::elected(step.agent)]; ++i)
      for (const Touch &t : script.actions[i].touches)
        if (script.actions[i].units.handsOver && !t.units)
          focus_.touches.push_back(&t);
    return true;
  }
  if (step.kind == Step::arrive || step.kind == Step::arriveLanes) {
    lookAtCopies(s, step);
    return true;
  }
  const bool lanes = step.kind == Step::lanes;
  return lookAtAction(s, step, s[lanes ? L::lanes(step.agent) : L::elected(step.agent)]);
}

/// cp.async operations of a strand end, and count.
void Ahead::lookAtCopies(const State &s, const Step &step) {
  const bool lanes = step.kind == Step::arriveLanes;
  const std::vector<Action> &actions = u_.scripts[step.agent].actions;
  focus_.copier = step.agent;
  focus_.copyArrive = step.index;
  focus_.ofLanes = lanes;
  focus_.cta = u_.scripts[step.agent].cta;
  focus_.barriers = actions[step.index].objects;
  focus_.arrivals = lanes ? 31 : 1;
  for (int32_t i = 0; i < step.index; ++i)
    if (actions[i].act == Act::copyAsync)
      for (const Touch &t : actions[i].touches)
        focus_.ended.push_back(&t);
  focus_.soils = isRefilled(s, focus_.ended);
}

/// Whether a load that has not landed writes what these write: what a fence of anybody is for.
bool Ahead::isRefilled(const State &s, const Touches &touches) const {
  const auto meets = [&](const Touch &t) {
    return std::ranges::any_of(touches, [&](const Touch *w) {
      return w->write && w->shared && t.write && t.shared && conflict(*w, t);
    });
  };
  for (int32_t i = 0; i < static_cast<int32_t>(u_.loads.size()); ++i)
    if (!layout_.landed(s, i) && std::ranges::any_of(u_.loads[i].touches, meets))
      return true;
  return false;
}

bool Ahead::lookAtAction(const State &s, const Step &step, int32_t position) {
  const Action &a = u_.scripts[step.agent].actions[position];
  const bool lanes = step.kind == Step::lanes;
  if ((a.act == Act::copyArrive && a.count > 0) || (a.act == Act::counterAdd && a.count < 0) ||
      (a.act == Act::proxyFence && copies_))
    return false;
  focus_.agent = step.agent;
  focus_.cta = u_.scripts[step.agent].cta;
  focus_.act = a.act;
  focus_.action = &a;
  focus_.byLanes = a.act == Act::data && a.lanes;
  still_[2 * step.agent + lanes] = true;
  if (a.joint)
    still_[2 * step.agent] = still_[2 * step.agent + 1] = true;
  if (a.act == Act::arrive || a.act == Act::wait || a.act == Act::copyArrive ||
      changesValidity(a.act))
    focus_.barriers = a.objects;
  if (a.act == Act::arrive) {
    focus_.arrivals = a.count * (lanes ? 31 : 1);
    focus_.announced = std::abs(a.bytes) * (lanes ? 31 : 1);
  }
  lookAtTouches(a, u_.scripts[step.agent], position, lanes);
  focus_.soils = (a.act == Act::data && isRefilled(s, focus_.touches)) ||
                 (a.act == Act::copyWait && isRefilled(s, focus_.ended));
  focus_.refills = a.act == Act::load && isOfFence(s, a);
  return true;
}

/// What the action touches, the loads that it issues, and the operations that it ends.
void Ahead::lookAtTouches(const Action &a, const Script &script, int32_t position, bool lanes) {
  const auto add = [](const std::vector<Touch> &from, Touches &to) {
    for (const Touch &t : from)
      to.push_back(&t);
  };
  add(a.touches, focus_.touches);
  for (size_t i = 0; a.act == Act::load && i < a.objects.size(); ++i)
    if (const Load &l = u_.loads[a.objects[i]]; l.byLanes == lanes) {
      if (l.barrier >= 0)
        focus_.barriers.push_back(l.barrier);
      add(l.touches, focus_.touches);
    }
  for (const int32_t i : script.underWay[position])
    if (const Action &open = script.actions[i];
        open.ends == position || open.written == position || open.endsForLanes == position)
      add(open.touches, focus_.ended);
}

bool Ahead::dependsOnTouches(int agent, const Action &a, const std::vector<Touch> &touches) const {
  if (focus_.load >= 0 && focus_.sum >= 0 && a.sum == focus_.sum) // in order anyway
    return false;
  const bool ofLanes = agent == focus_.agent && focus_.byLanes && a.act == Act::data && a.lanes;
  // Lanes of a warp go on with bytes of their own; the other strand does the same.
  const auto own = [&](const Touch &mine, const Touch &t) {
    return (ofLanes && mine.lanes == t.lanes) || &a == focus_.action;
  };
  for (const Touch &t : touches) {
    for (const Touch *mine : focus_.touches)
      if (!own(*mine, t) && conflict(*mine, t))
        return true;
    for (const Touch *mine : focus_.ended)
      if (conflict(*mine, t))
        return true;
  }
  return false;
}

/// Whether there is a generic write that no fence has come after.
bool Ahead::isSoiled(const State &s, const std::vector<Touch> &touches) const {
  return std::ranges::any_of(touches, [&](const Touch &t) {
    return t.write && std::ranges::any_of(t.cells, [&](int32_t c) {
             return u_.refilled[c] && (s[layout_.cell(c)] & 1);
           });
  });
}

/// Of a fence: a generic write of what is still to be refilled, and the refill of one.
bool Ahead::isOfFence(const State &s, const Action &a) const {
  if (a.act == Act::load)
    return std::ranges::any_of(a.objects,
                               [&](int32_t l) { return isSoiled(s, u_.loads[l].touches); });
  Touches touches;
  for (const Touch &t : a.touches)
    touches.push_back(&t);
  return a.act == Act::data && isRefilled(s, touches);
}

/// Who allocates, gives up the right to, or frees comes before or behind whoever uses.
bool Ahead::dependsOnColumns(int agent, const Action &a) const {
  const auto uses = [](const Action &b) {
    return b.columnsUse != ColumnsUse::none && b.columnsUse != ColumnsUse::readsAddress;
  };
  const auto changes = [&](const Action &b) { return uses(b) && b.columnsUse != ColumnsUse::uses; };
  const int apart = u_.scripts[agent].cta ^ focus_.cta;
  const bool same =
      focus_.action && (apart == 0 || (apart == 1 && (a.pair || focus_.action->pair)));
  return same && uses(a) && uses(*focus_.action) && (changes(a) || changes(*focus_.action));
}

bool Ahead::usesFocusBarrier(const Action &a) const {
  const auto isFocus = [&](int32_t b) {
    return std::ranges::find(focus_.barriers, b) != focus_.barriers.end();
  };
  if (a.act == Act::load)
    return std::ranges::any_of(a.objects, [&](int32_t l) { return isFocus(u_.loads[l].barrier); });
  const bool onBarrier = a.act == Act::arrive || a.act == Act::wait || a.act == Act::copyArrive ||
                         changesValidity(a.act);
  return onBarrier && std::ranges::any_of(a.objects, isFocus);
}

/// Of a pipe whose oldest operation ends: one that may not overlap with it, and what waits for it.
bool Ahead::dependsOnEnd(const State &s, const Action &a) const {
  const int32_t ended = s[L::ended(focus_.ends)];
  return a.act == Act::pipeBarrier || a.act == Act::allPipes ||
         std::ranges::any_of(a.hazards, [&](int32_t earlier) { return earlier >= ended; });
}

bool Ahead::dependsOn(const State &s, int agent, bool lanes, const Action &a) const {
  if (dependsOnTouches(agent, a, a.touches))
    return true;
  if (a.act == Act::load)
    for (const int32_t l : a.objects)
      if (u_.loads[l].byLanes == lanes && dependsOnTouches(agent, a, u_.loads[l].touches))
        return true;
  if (dependsOnColumns(agent, a))
    return true;
  if (a.act == Act::proxyFence && (focus_.soils || focus_.refills))
    return true;
  if (focus_.act == Act::proxyFence && isOfFence(s, a))
    return true;
  if (usesFocusBarrier(a) &&
      (changesValidity(focus_.act) || changesValidity(a.act) || a.act == Act::copyArrive))
    return true;
  if (agent == focus_.ends && dependsOnEnd(s, a))
    return true;
  if (agent == focus_.copier && a.act == Act::copyWait)
    return true;
  if (focus_.act == Act::waitFlag && a.act == Act::waitFlag &&
      std::ranges::any_of(a.objects, [&](int32_t f) {
        return std::ranges::find(focus_.action->objects, f) != focus_.action->objects.end();
      }))
    return true;
  const bool adds = a.act == Act::counterAdd, looks = a.act == Act::counterWait;
  return ((adds && focus_.act == Act::counterWait) || (looks && focus_.act == Act::counterAdd)) &&
         a.objects[0] == focus_.action->objects[0];
}

/// Whether what the step contributes to a barrier, and what the others can, may count for other
/// phases when they come in another order, or be refused: more arrivals than the phase takes, bytes
/// that meet before all of them have been announced, counts beyond their range. Or whether somebody
/// who waits for the phase before may come too late.
bool Ahead::mayCountElsewhere(const State &s, int32_t b) const {
  const int32_t *words = &s[layout_.mbarrier(b)];
  const int64_t pending = words[2], bytes = words[3];
  const int64_t arrivals = arrived_[b] + focus_.arrivals;
  const int64_t announced = announced_[b] + focus_.announced, landed = landed_[b] + focus_.landed;
  if (arrivals > pending || std::abs(bytes) + announced + landed > mostBytes)
    return true;
  return arrivals == pending && (looked_[b] || announcedAlone_[b] || landed > bytes + announced);
}

bool Ahead::dependsOnReach(const State &s) const {
  const bool lands = focus_.load >= 0, copies = focus_.copier >= 0;
  if (copies && exits(focus_.cta))
    return true;
  if (lands && (exits(focus_.cta) || exits(u_.scripts[u_.loads[focus_.load].agent].cta)))
    return true;
  for (const int32_t b : focus_.barriers) {
    const bool signals = lands || copies || focus_.act == Act::arrive;
    if ((signals || focus_.act == Act::wait) && phases(s, b) > 0)
      return true;
    if (signals && mayCountElsewhere(s, b))
      return true;
    if (ctaOf(b) != focus_.cta && exits(ctaOf(b)))
      return true;
  }
  if (focus_.act == Act::waitFlag) // a set before it would be one too many
    return std::ranges::any_of(focus_.action->objects, [&](int32_t f) {
      return s[layout_.flag(f)] + set_[f] > u_.flagLimit[f];
    });
  if (focus_.act == Act::named)
    return meetings(s, focus_.action->objects[0]) > 0;
  if (!changesValidity(focus_.act))
    return false;
  for (int agent = 0; agent < agents_; ++agent) // a wait finds no barrier, or now finds one
    for (const bool lanes : {false, true})
      if (const size_t strand = 2 * static_cast<size_t>(agent) + lanes;
          !still_[strand] &&
          position_[strand] < static_cast<int32_t>(u_.scripts[agent].actions.size()) &&
          usesFocusBarrier(at(agent, lanes)))
        return true;
  return std::ranges::any_of(focus_.barriers, [&](int32_t b) { return landed_[b] > 0; });
}

} // namespace sluice::explorer

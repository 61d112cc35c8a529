// Who sees which writes. Every strand, and everything that hands memory on, has a view: the set of
// writes that have reached it, and those of them that a proxy fence has published. A release adds
// the view of a strand to what it releases to, an acquire takes that over.
#include "Explore/Machine.h"

namespace sluice::explorer {

using L = Layout;

int Machine::viewOf(int agent, bool lanes) const {
  return layout_.view(agent, lanes);
}

/// Takes over all of another view.
void Machine::see(State &s, int view, int from) const {
  for (int i = 0; i < layout_.viewWords(); ++i)
    s[view + i] |= s[from + i];
}

void Machine::seeWrite(State &s, int view, int32_t write) const {
  if (write >= 0)
    s[view + write / 31] |= 1 << write % 31;
}

void Machine::forget(State &s, int view) const {
  for (int i = 0; i < layout_.viewWords(); ++i)
    s[view + i] = 0;
}

/// Both strands of a warp at an operation of the whole warp.
void Machine::meet(State &s, int agent) const {
  see(s, viewOf(agent, true), viewOf(agent, false));
  see(s, viewOf(agent, false), viewOf(agent, true));
}

/// An arrive hands on to its own CTA at any scope, to another at `.cluster` alone.
void Machine::release(State &s, int agent, const Action &a, bool lanes) const {
  const int32_t b = a.objects[0];
  const bool remote = ctaOf(b) != u_.scripts[agent].cta;
  if (a.relaxed || (remote && a.scope == Scope::cta))
    return;
  see(s, layout_.phaseView(b, remote ? L::forCluster : L::forCta), viewOf(agent, lanes));
}

void Machine::acquire(State &s, int agent, const Action &a, bool lanes) const {
  const int32_t b = a.objects[0];
  see(s, viewOf(agent, lanes), layout_.phaseView(b, L::completedForCta));
  if (a.scope != Scope::cta)
    see(s, viewOf(agent, lanes), layout_.phaseView(b, L::completedForCluster));
}

void Machine::turnPhase(State &s, int32_t barrier) const {
  for (const auto &[from, to] :
       {std::pair{L::forCta, L::completedForCta}, {L::forCluster, L::completedForCluster}}) {
    const int view = layout_.phaseView(barrier, from);
    forget(s, layout_.phaseView(barrier, to));
    see(s, layout_.phaseView(barrier, to), view);
    forget(s, view);
  }
}

/// A fence of shared memory speaks for the own CTA's bytes, one of global memory for all tensors.
void Machine::publish(State &s, int agent, const Action &a, bool lanes) const {
  const int view = viewOf(agent, lanes), fenced = view + layout_.setWords();
  for (int32_t w = 0; w < static_cast<int32_t>(u_.writes.size()); ++w) {
    const Write &write = u_.writes[w];
    const bool spoken = a.act == Act::globalFence
                            ? write.tensor
                            : !write.tensor && write.cta == u_.scripts[agent].cta;
    if (spoken && (s[view + w / 31] >> w % 31 & 1))
      s[fenced + w / 31] |= 1 << w % 31;
  }
}

/// Notes the writes of one touch in its cells: instead of what was there, or beside it.
void Machine::noteWrites(State &s, const Touch &t) const {
  for (int32_t cell : t.cells) {
    const int words = layout_.writesOf(cell);
    if (words < 0)
      continue;
    for (int i = 0; i < layout_.setWords() && t.write && !t.adds; ++i)
      s[words + i] = 0;
    for (int32_t w : t.writes)
      if (w >= 0)
        s[words + w / 31] |= 1 << w % 31;
  }
}

/// The lanes of a warp go on with what each of them has written, or loaded from tensor memory, and
/// load what each has stored there.
bool Machine::own(const Write &w, int agent, const Action &a) const {
  const Act by = u_.scripts[w.agent].actions[w.action].act;
  const bool moves = by == Act::lanesMove;
  return w.agent == agent && w.byLanes && a.lanes &&
         (a.act == Act::data ? moves || by == Act::data : moves && a.act == Act::lanesMove);
}

/// What a read needs to see, and an asynchronous access to be fenced.
std::optional<Fault> Machine::visible(const State &s, int agent, const Action &a, bool lanes,
                                      const std::vector<Touch> &touches) const {
  const bool async = a.act == Act::load || a.act == Act::store || a.act == Act::wgmma;
  const int view = viewOf(agent, lanes), fenced = view + layout_.setWords();
  for (const Touch &t : touches)
    for (int32_t cell : t.cells) {
      const int words = layout_.writesOf(cell);
      if (words < 0 || (t.write && !(async && t.tensor)))
        continue;
      for (int32_t w = 0; w < static_cast<int32_t>(u_.writes.size()); ++w) {
        const int32_t open = s[words + w / 31] & ~(async ? 0 : s[view + w / 31]);
        if (!open) {
          w += 30 - w % 31; // none of this word
          continue;
        }
        const Write &write = u_.writes[w];
        if (!(open >> w % 31 & 1) || own(write, agent, a) || write.reads ||
            (write.agent == agent && seesInOrder(agent, write.action, a)))
          continue;
        if (!t.write && !(s[view + w / 31] >> w % 31 & 1))
          return Fault{"R36", nameOf(agent, a) + " reads what " + nameOf(write) +
                                  " wrote, which has not been handed on to it"};
        if (async && write.generic && !(s[fenced + w / 31] >> w % 31 & 1))
          return Fault{"R23", nameOf(agent, a) + " meets what " + nameOf(write) +
                                  " wrote, and no fence has published that to it"};
      }
    }
  return {};
}

std::string Machine::nameOf(const Write &w) const {
  return nameOf(w.agent, u_.scripts[w.agent].actions[w.action]);
}

// ---- Counters in global memory -----------------------------------------------------------------

void Machine::addTo(State &s, int agent, const Action &a, bool lanes) const {
  const int cta = u_.scripts[agent].cta, counter = a.objects[0];
  const auto sum = static_cast<int32_t>(a.count * (lanes ? 31 : 1));
  s[layout_.counter(counter)] += sum;
  if (a.relaxed)
    return;
  const int view = viewOf(agent, lanes);
  see(s, layout_.counterView(counter, cta), view);
  if (a.scope != Scope::cta)
    see(s, layout_.counterView(counter, u_.ctas), view);
  if (a.scope == Scope::gpu)
    see(s, layout_.counterView(counter, u_.ctas + 1), view);
}

/// A CTA that need not run at the same time may add nothing at all.
std::optional<Fault> Machine::lookAt(State &s, int agent, const Action &a, bool lanes) const {
  const int cta = u_.scripts[agent].cta, counter = a.objects[0];
  if (!a.coResident && u_.ownSums[counter * u_.ctas + cta] < a.count)
    return Fault{"R38", nameOf(agent, a) + " passes by what CTAs add that need not have started"};
  const int view = viewOf(agent, lanes);
  see(s, view, layout_.counterView(counter, cta));
  if (a.scope != Scope::cta && u_.oneCluster)
    see(s, view, layout_.counterView(counter, u_.ctas));
  if (a.scope == Scope::gpu)
    see(s, view, layout_.counterView(counter, u_.ctas + 1));
  return {};
}

} // namespace sluice::explorer

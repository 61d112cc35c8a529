// Tensor memory (R42, R44): whether it is allocated, and who has put whose products, loads and
// stores behind the two fences. A product that has landed and a load or store that has been waited
// for are in no order with what another thread asks for before that; loads and stores of one warp,
// each lane its own, are once they have been waited for.
#include "Explore/Machine.h"

#include <algorithm>

namespace sluice::explorer {

using L = Layout;

/// Of a pair a warp of each CTA allocates, gives up the right to, and frees: the first may wait for
/// the other to come to the same.
bool Machine::hasPeer(const State &s, int agent, const Action &a) const {
  if (!a.pair || a.columnsUse == ColumnsUse::uses)
    return true;
  for (int i = 0; i < static_cast<int>(u_.scripts.size()); ++i) {
    const std::vector<Action> &actions = u_.scripts[i].actions;
    const auto reached = static_cast<size_t>(s[L::elected(i)]);
    for (size_t n = 0; n < actions.size() && u_.scripts[i].cta == (u_.scripts[agent].cta ^ 1); ++n)
      if (actions[n].stmt == a.stmt)
        return n < reached || (n == reached && s[L::lanes(i)] == s[L::elected(i)]);
  }
  return false;
}

bool Machine::isHeld(const State &s, int cta) const {
  const int32_t flags = s[layout_.columns(cta)];
  return (flags & L::allocated) && !(flags & L::freed);
}

std::optional<Fault> Machine::useColumns(State &s, int agent, const Action &a) const {
  if (a.columnsUse == ColumnsUse::none || a.columnsUse == ColumnsUse::readsAddress)
    return {};
  const int cta = u_.scripts[agent].cta;
  int32_t *words = &s[layout_.columns(cta)];
  int32_t &flags = words[0];
  const bool held = isHeld(s, cta);
  const auto fault = [&](const std::string &why) {
    return Fault{"R42", nameOf(agent, a) + " " + why};
  };
  switch (a.columnsUse) {
  case ColumnsUse::allocates:
    if (flags)
      return fault("allocates again, or after the CTA has given up its right to");
    flags = L::allocated;
    words[1] = static_cast<int32_t>(a.count);
    words[2] = agent + 1;
    return {};
  case ColumnsUse::relinquishes:
    if (!(flags & L::allocated))
      return fault("comes before the allocation");
    flags |= L::relinquished;
    return {};
  case ColumnsUse::frees:
    if (held && (words[1] != a.count || words[2] != agent + 1))
      return fault("frees other columns than this warp has allocated");
    if (held)
      flags |= L::freed;
    break;
  default:
    break;
  }
  if (!held || (a.pair && a.columnsUse == ColumnsUse::uses && !isHeld(s, cta ^ 1)))
    return fault("uses tensor memory that is not allocated");
  if (a.columnsUse == ColumnsUse::uses && a.count > words[1])
    return fault("uses columns that are not allocated");
  return {};
}

/// What is read must be what an allocation has written.
std::optional<Fault> Machine::isAddress(const State &s, int agent, const Action &a) const {
  if (a.columnsUse != ColumnsUse::readsAddress)
    return {};
  for (const Touch &t : a.touches)
    for (const int32_t cell : t.cells)
      if (!allocations_.contains(s[layout_.cell(cell)] >> 1))
        return Fault{"R42", nameOf(agent, a) + " reads an address that no allocation has written"};
  return {};
}

bool arePipelined(const Action &first, const Action &second) {
  const auto is = [](const Action &a, auto op) {
    return std::holds_alternative<decltype(op)>(a.stmt->op);
  };
  if (first.sum < 0 || second.sum < 0)
    return false;
  if (is(second, Tcgen05Mma{}))
    return first.sum == second.sum || !is(first, Tcgen05Mma{});
  return is(second, TmemShift{}) && is(first, Tcgen05Mma{});
}

bool Machine::areInOrder(int agent, int32_t a, int32_t b) const {
  const std::vector<Action> &actions = u_.scripts[agent].actions;
  if (actions[a].sum < 0 || actions[b].sum < 0)
    return false;
  const std::vector<int32_t> &before = u_.loads[actions[std::max(a, b)].objects[0]].before;
  return a == b || std::ranges::binary_search(before, actions[std::min(a, b)].objects[0]);
}

bool Machine::seesInOrder(int agent, int32_t earlier, const Action &a) const {
  const Action &first = u_.scripts[agent].actions[earlier];
  return first.sum >= 0 && a.sum >= 0 &&
         std::ranges::binary_search(u_.loads[a.objects[0]].sees, first.objects[0]);
}

/// What one thread asks of tensor memory may land in order; so are, of one warp, loads and stores
/// that have been waited for, and nothing else.
std::optional<Fault> Machine::behindFences(const State &s, int agent, const Action &a, bool lanes,
                                           const std::vector<Touch> &touches) const {
  if (!u_.columns)
    return {};
  const int behind = layout_.behind(agent, lanes);
  const auto number = static_cast<int32_t>(&a - u_.scripts[agent].actions.data());
  for (const Touch &t : touches)
    for (const int32_t cell : t.cells) {
      const int words = t.columns ? layout_.writesOf(cell) : -1;
      for (int32_t w = 0; words >= 0 && w < static_cast<int32_t>(u_.writes.size()); ++w) {
        const Write &use = u_.writes[w];
        const bool noted = s[words + w / 31] >> w % 31 & 1;
        const bool fenced = s[behind + w / 31] >> w % 31 & 1;
        const bool own = use.agent == agent && use.byLanes && a.act == Act::lanesMove;
        const bool other = use.agent != agent && a.columnsUse == ColumnsUse::frees &&
                           u_.scripts[use.agent].actions[use.action].columnsUse == a.columnsUse;
        if (!noted || fenced || (use.reads && !t.write) ||
            (use.agent == agent && areInOrder(agent, use.action, number)) || own ||
            other) // the two of a pair free together
          continue;
        return Fault{a.columnsUse == ColumnsUse::frees ? "R42" : "R44",
                     nameOf(agent, a) + " meets columns that " + nameOf(use) +
                         " has used, without fences between"};
      }
    }
  return {};
}

/// The fence before speaks for what its own thread has asked for and seen end.
void Machine::fenceColumns(State &s, int agent, const Action &a, bool lanes) const {
  const int view = viewOf(agent, lanes), fenced = view + layout_.setWords();
  for (int32_t w = 0; w < static_cast<int32_t>(u_.writes.size()); ++w) {
    const Write &use = u_.writes[w];
    const bool own = use.agent == agent && use.ofLanes == lanes && use.columns;
    if (a.act == Act::fenceBefore && own && (s[view + w / 31] >> w % 31 & 1))
      s[fenced + w / 31] |= 1 << w % 31;
  }
  const int behind = a.act == Act::fenceAfter && u_.columns ? layout_.behind(agent, lanes) : -1;
  for (int i = 0; behind >= 0 && i < layout_.setWords(); ++i)
    s[behind + i] |= s[fenced + i];
}

void Machine::endLanesLoads(State &s, int agent, int32_t position) const {
  for (const Action &load : u_.scripts[agent].actions)
    if (load.act == Act::lanesMove && load.ends == position)
      for (const Touch &t : load.touches)
        for (const bool lanes : {false, true})
          seeWrite(s, viewOf(agent, lanes), t.writes[lanes]);
}

/// A commit has the fence before in it, and tells of all products of its thread so far.
void Machine::tellOfProducts(State &s, const Load &commit) const {
  if (commit.arrivals == 0)
    return;
  const int view = layout_.phaseView(commit.barrier, L::forCta);
  const std::vector<Action> &actions = u_.scripts[commit.agent].actions;
  for (const Load &l : u_.loads)
    if (l.agent == commit.agent && l.action < commit.action && actions[l.action].sum >= 0)
      for (const Touch &t : l.touches)
        for (const int at : {view, view + layout_.setWords()})
          seeWrite(s, at, t.writes[0]);
}

} // namespace sluice::explorer

// Data: who wrote what, which view of memory has it, and who is using it now.
#include "Explore/Machine.h"

#include <algorithm>

namespace sluice::explorer {

using L = Layout;

/// The tags of what is read must be the same in every interleaving, and none may be "nobody".
std::optional<Fault> Machine::read(const State &s, int32_t instance,
                                   const std::vector<Touch> &touches, const std::string &who) {
  std::vector<int32_t> writers;
  for (const Touch &t : touches)
    for (int32_t cell : t.cells) {
      const int32_t writer = s[layout_.cell(cell)] >> 1;
      if (!t.write && writer == 0)
        return Fault{"R21", who + " reads bytes that nothing has written"};
      if (!t.write && !u_.privateCell[cell])
        writers.push_back(writer);
    }
  const auto [before, isNew] = readBefore_.try_emplace(instance, writers);
  if (isNew || before->second == writers)
    return {};
  return Fault{"values", who + " reads other data than in another interleaving"};
}

/// What the asynchronous proxy reads, visible() judges.
std::optional<Fault> Machine::overwrites(const State &s, const std::vector<Touch> &touches,
                                         const std::string &who, bool stored) const {
  for (const Touch &t : touches)
    for (int32_t cell : t.cells)
      if (const int32_t word = s[layout_.cell(cell)];
          t.write && (word & 1) && !(stored && stores_.contains(word >> 1)))
        return Fault{"R23", who + " meets bytes of a generic write that no fence has published"};
  return {};
}

void Machine::write(State &s, int32_t instance, const std::vector<Touch> &touches) const {
  for (const Touch &t : touches)
    for (int32_t cell : t.cells) {
      int32_t &word = s[layout_.cell(cell)];
      if (t.write && t.adds) // sums do not depend on the order
        word = static_cast<int32_t>(((word >> 1) + uint32_t(instance) * 40503u) & 0x3fffffff) * 2;
      else if (t.write)
        word = instance * 2 + (word & 1);
    }
  for (const Touch &t : touches)
    if (t.write || t.columns)
      noteWrites(s, t);
}

void Machine::soil(State &s, const std::vector<Touch> &touches) const {
  for (const Touch &t : touches)
    for (int32_t cell : t.cells)
      if (t.write && u_.refilled[cell])
        s[layout_.cell(cell)] |= 1;
}

/// Of an operation that both strands do, the first one has the effect on the tags; both leave the
/// asynchronous view of memory behind.
std::optional<Fault> Machine::access(State &s, int agent, int32_t action, const Action &a,
                                     bool lanes) {
  for (const bool strand : {false, true})
    if (strand == lanes || (a.joint && a.lanes)) {
      if (auto fault = visible(s, agent, a, strand, a.touches))
        return fault;
      if (auto fault = behindFences(s, agent, a, strand, a.touches))
        return fault;
    }
  if (auto fault = isAddress(s, agent, a))
    return fault;
  if (!a.lanes || a.joint || !passed(s, agent, lanes)) {
    if (auto fault = read(s, instance(agent, action), a.touches, nameOf(agent, a)))
      return fault;
    write(s, instance(agent, action), a.touches);
  }
  for (const Touch &t : a.touches)
    if (a.act == Act::data)
      for (const bool strand : {false, true})
        if (strand == lanes || (a.joint && a.lanes))
          seeWrite(s, viewOf(agent, strand), t.writes[strand]);
  if (a.act == Act::data && u_.scripts[agent].id.pipe == Pipe::none)
    soil(s, a.touches);
  return {};
}

/// cp.async operations before `upTo` have ended: those that wait number `by` waits for, or all that
/// no wait has ended (by: never). They write through the generic proxy, and `view` sees them.
void Machine::endCopies(State &s, int agent, int32_t upTo, bool lanes, int32_t by, int view) const {
  const std::vector<Action> &actions = u_.scripts[agent].actions;
  const int32_t position = s[lanes ? L::lanes(agent) : L::elected(agent)];
  for (int32_t i = 0; i < upTo; ++i) {
    const Action &a = actions[i];
    if (a.act != Act::copyAsync || (lanes && !a.lanes))
      continue;
    const int32_t ends = lanes ? a.endsForLanes : a.ends;
    if (by == never || ends == by) // an arrival carries all copies before it
      for (const Touch &t : a.touches)
        seeWrite(s, view, t.writes[lanes]);
    if (i < s[L::ended(agent, lanes)])
      continue;
    if (by == never ? ends >= position : ends == by)
      soil(s, a.touches);
  }
}

std::optional<Fault> Machine::land(State &s, const Load &l, int32_t number) {
  const Action &a = u_.scripts[l.agent].actions[l.action];
  if (auto fault = read(s, instance(l.agent, l.action), l.touches, nameOf(l.agent, a)))
    return fault;
  write(s, instance(l.agent, l.action), l.touches);
  if (l.stored)
    soil(s, l.touches);
  layout_.land(s, number);
  tellOfProducts(s, l);
  if (l.barrier < 0)
    return {};
  for (const Touch &t : l.touches)
    seeWrite(s, layout_.phaseView(l.barrier, L::forCta), t.writes[0]);
  return contribute(s, l.barrier, l.arrivals, -l.bytes);
}

void Machine::collect(const State &s, std::vector<Item> &items) const {
  items.clear();
  for (int agent = 0; agent < static_cast<int>(u_.scripts.size()); ++agent) {
    const Script &script = u_.scripts[agent];
    for (const bool lanes : {false, true}) {
      const int32_t position = s[lanes ? L::lanes(agent) : L::elected(agent)];
      auto add = [&](const std::vector<Touch> &touches, int32_t action, Item::Kind kind) {
        for (const Touch &t : touches)
          items.push_back({&t, agent, action, kind});
      };
      for (int32_t i : script.underWay[position]) {
        const Action &a = script.actions[i];
        if (a.act == Act::copyAsync) {
          if (i >= s[L::ended(agent, lanes)] && (!lanes || a.lanes) &&
              position <= (lanes ? a.endsForLanes : a.ends))
            add(a.touches, i, Item::copy);
        } else if (a.act == Act::data) {
          const int32_t end = lanes ? a.endsForLanes : a.ends;
          const bool byElected = lanes && end != never && !script.actions[end].lanes;
          if ((byElected ? s[L::elected(agent)] : position) <= end && (!lanes || a.lanes))
            add(a.touches, i, Item::lingering);
        } else if (!lanes) {
          for (const Touch &t : a.touches)
            if (position <= (a.act == Act::store && t.tensor ? a.written : a.ends))
              items.push_back({&t, agent, i,
                               a.act == Act::wgmma       ? Item::wgmma
                               : a.act == Act::lanesMove ? Item::lanesMove
                                                         : Item::store});
        }
      }
      // It has handed its units over, and otherwise is not through.
      for (int32_t i = s[L::ended(agent)]; script.id.pipe != Pipe::none && i < position; ++i)
        for (const Touch &t : script.actions[i].touches)
          if (!lanes && script.actions[i].units.handsOver && !t.units)
            items.push_back({&t, agent, i, Item::lingering});
      const Action *next = at(s, agent, lanes);
      if (!next || !hasUnits(s, *next) || (lanes && !next->lanes) ||
          (next->joint && !mayStep(s, agent, *next, lanes)))
        continue;
      if (next->act == Act::data)
        add(next->touches, position, next->lanes ? Item::byLanes : Item::byElected);
      else if (next->act == Act::wgmma || next->act == Act::store || next->act == Act::copyAsync ||
               next->act == Act::lanesMove)
        add(next->touches, position,
            next->act == Act::wgmma       ? Item::wgmma
            : next->act == Act::store     ? Item::store
            : next->act == Act::lanesMove ? Item::lanesMove
                                          : Item::copy);
      else if (next->act == Act::load) {
        add(next->touches, position, Item::byLanes); // registers: each lane its own
        for (int32_t l : next->objects)
          if (u_.loads[l].byLanes == lanes)
            add(u_.loads[l].touches, position, Item::load);
      }
    }
  }
  for (int32_t i = 0; i < static_cast<int32_t>(u_.loads.size()); ++i) {
    const Load &l = u_.loads[i];
    if (underWay(s, i))
      for (const Touch &t : l.touches)
        items.push_back({&t, l.agent, l.action, Item::load});
  }
}

/// Of one warp: whether its lanes go on with bytes of their own.
bool Machine::sameLanes(const Item &a, const Item &b) {
  const Touch &first = *(a.action < b.action ? a : b).touch;
  const Touch &second = *(a.action < b.action ? b : a).touch;
  return (first.lanes | (second.lanes & 1)) == second.lanes;
}

bool Machine::frees(const Item &i) const {
  return u_.scripts[i.agent].actions[i.action].columnsUse == ColumnsUse::frees;
}

bool Machine::conflict(const Item &a, const Item &b) const {
  if (!a.touch->write && !b.touch->write)
    return false;
  if (a.touch->adds && b.touch->adds)
    return false;
  if (frees(a) && frees(b)) // the two of a pair, for both
    return false;
  if (a.agent == b.agent) {
    if (a.kind == Item::lingering || b.kind == Item::lingering) // it lingers for others
      return false;
    // Two strands at one operation; products in order; lanes that go on with their own elements; a
    // queue in order.
    if (areInOrder(a.agent, a.action, b.action))
      return false;
    if (a.action == b.action ||
        (a.kind == Item::byLanes && b.kind == Item::byLanes && sameLanes(a, b)) ||
        (a.kind == Item::wgmma && b.kind == Item::wgmma))
      return false;
  }
  for (size_t w = 0; w < a.touch->mask.size(); ++w)
    if (a.touch->mask[w] & b.touch->mask[w])
      return true;
  return false;
}

/// Whether an item judged before, of the same state, touches bytes of this one and one of the two
/// writes. Only then is it worth looking for the pair.
bool Machine::meetsEarlier(const Item &item) const {
  bool meets = false;
  for (const int32_t cell : item.touch->cells) {
    meets |= written_[cell] == judged_ || (item.touch->write && touched_[cell] == judged_);
    touched_[cell] = judged_;
    if (item.touch->write)
      written_[cell] = judged_;
  }
  return meets;
}

std::string Machine::nameOf(const Item &i) const {
  return nameOf(i.agent, u_.scripts[i.agent].actions[i.action]);
}

std::optional<Fault> Machine::judge(const State &s) const {
  collect(s, items_);
  ++judged_;
  for (size_t j = 0; j < items_.size(); ++j)
    for (size_t i = meetsEarlier(items_[j]) ? 0 : j; i < j; ++i)
      if (conflict(items_[i], items_[j]))
        return Fault{items_[i].touch->tensor ? "R26" : "R22",
                     nameOf(items_[i]) + (items_[i].touch->write ? " writes" : " reads") +
                         " while " + nameOf(items_[j]) +
                         (items_[j].touch->write ? " writes" : " reads") + " the same bytes"};
  for (int cta = 0; cta < u_.ctas && u_.scripts[0].id.pipe == Pipe::none; ++cta) {
    if (!exited(s, cta))
      continue;
    if (u_.columns && (s[layout_.columns(cta)] & (L::allocated | L::freed)) == L::allocated)
      return Fault{"R42", "CTA " + std::to_string(cta) + " exits with tensor memory allocated"};
    for (int32_t i = 0; i < static_cast<int32_t>(u_.loads.size()); ++i) {
      const Load &l = u_.loads[i];
      const bool ofCta = l.cta == cta || u_.scripts[l.agent].cta == cta ||
                         (l.barrier >= 0 && ctaOf(l.barrier) == cta);
      if (ofCta && underWay(s, i))
        return Fault{"R10", "CTA " + std::to_string(cta) + " exits while " +
                                nameOf(l.agent, u_.scripts[l.agent].actions[l.action]) +
                                " is under way"};
    }
    for (int agent = 0; agent < static_cast<int>(u_.scripts.size()); ++agent) {
      const Script &script = u_.scripts[agent];
      if (script.cta != cta)
        continue;
      for (const bool lanes : {false, true})
        for (int32_t i : copyArrives_[agent])
          if (i >= s[L::ended(agent, lanes)] && (!lanes || script.actions[i].lanes))
            return Fault{"R10", "CTA " + std::to_string(cta) + " exits while " +
                                    nameOf(agent, script.actions[i]) + " is to come"};
      for (int32_t i : script.underWay.back()) {
        const Action &a = script.actions[i];
        if (a.act == Act::data)
          continue;
        const auto open = [&](int32_t ends, bool lanes) {
          return ends == never && !(a.act == Act::copyAsync && i < s[L::ended(agent, lanes)]);
        };
        if (open(a.ends, false) ||
            (a.act == Act::copyAsync && a.lanes && open(a.endsForLanes, true)))
          return Fault{"R10", "CTA " + std::to_string(cta) + " exits while " + nameOf(agent, a) +
                                  " is under way"};
      }
    }
  }
  return {};
}

std::optional<Fault> Machine::judgeEnd(const State &s) {
  std::string blocked;
  for (int agent = 0; agent < static_cast<int>(u_.scripts.size()); ++agent)
    if (!ended(s, agent)) {
      const Action *a = at(s, agent, false);
      a = a ? a : at(s, agent, true);
      blocked += (blocked.empty() ? "" : "; ") + nameOf(agent, *a);
    }
  if (!blocked.empty())
    return Fault{"R9", "nothing can go on: " + blocked};
  for (size_t b = 0; b < u_.mbarriers.size(); ++b) {
    const int32_t *words = &s[layout_.mbarrier(static_cast<int32_t>(b))];
    if ((words[0] & L::valid) && (words[2] != words[1] || words[3] != 0))
      return Fault{"R14", u_.mbarriers[b] + " is left in the middle of a phase"};
  }
  for (size_t t = 0; t < u_.tiles.size(); ++t)
    if (s[layout_.tile(static_cast<int32_t>(t))] & L::ofFix)
      return Fault{"R48", "FIX is left with the units of " + u_.tiles[t]};
  for (size_t f = 0; f < u_.flags.size(); ++f)
    if (u_.flagLimit[f] != uncounted && s[layout_.flag(static_cast<int32_t>(f))])
      return Fault{"R35", u_.flags[f] + " is left set"};
  std::vector<int32_t> result;
  for (int32_t c = 0; c < u_.memory.count(); ++c)
    if (u_.memory.memoryOf(c).kind == MemoryId::tensor)
      result.push_back(s[layout_.cell(c)] >> 1);
  if (result_ && *result_ != result)
    return Fault{"values", "the tensors hold other data at the end than in another interleaving"};
  result_ = std::move(result);
  return {};
}

} // namespace sluice::explorer

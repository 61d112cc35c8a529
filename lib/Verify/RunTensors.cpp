#include "Program/Agent.h"
#include "Verify/Conditions.h"
#include "Verify/Names.h"
#include "Verify/Run.h"

#include <algorithm>

namespace sluice {

RunTensors::RunTensors(const RunLinks &links)
    : RunOrder(links), tensors_(program_.tensors.size()) {}

std::optional<Box> RunTensors::boxOf(const Actor &a, const Stmt &s, const View &part) {
  Box box;
  std::vector<Affine> offsets;
  for (size_t d = 0; d < part.offset.size() && d < Box::maxRank; ++d) {
    const Index &at = part.offset[d];
    const Affine raw = at.isConstant() ? Affine{} : a.agent.frame()[at.value];
    const Affine begin = a.agent.affine(at);
    box.term[d] = begin.term;
    box.lo[d] = box.begin[d] = begin.constant;
    box.hi[d] = begin.constant + part.shape[d];
    if (context_.launch) { // the launch's tensor ends somewhere
      box.lo[d] = std::max<int64_t>(box.lo[d], 0);
      box.hi[d] = std::min(box.hi[d], context_.launch->tensors[part.object].extents[d]);
      for (const Clip &c : part.clips)
        if (c.dimension == static_cast<int>(d))
          box.hi[d] = std::min(box.hi[d], a.agent.value(c.end));
    }
    offsets.push_back(raw);
    box.at[d] = {raw.term, raw.constant + at.constant};
  }
  const For *with = nullptr;
  for (const LoopLevel &l : a.agent.scalars().levels())
    if (l.loop && std::any_of(offsets.begin(), offsets.end(), [&](Affine o) {
          return context_.terms.growsWith(o, l.trip, l.iteration);
        })) {
      box.path = l.path;
      with = l.loop;
    }
  context_.movesWith[&s].insert(with);
  const auto leaveAt = [&](const Stmt *other, int cta) {
    context_.uncompared[{other, &s}] |= isAscend(program_.target) || cta == a.cta;
  };
  const auto leave = [&](const Access &other) { leaveAt(other.stmt, actors_[other.actor].cta); };
  const int memory = context_.memory[part.object];
  if (const auto left = context_.leftBehind.find(memory);
      left != context_.leftBehind.end() && box.path == 0)
    for (const auto &[other, cta] : left->second)
      leaveAt(other, cta);
  for (const BoxHistory &h : tensors_[memory].boxes())
    if (h.box.path == box.path && h.box.term != box.term) {
      if (h.write.stmt)
        leave(h.write);
      std::for_each(h.reads.begin(), h.reads.end(), leave);
    }
  return box.empty() ? std::nullopt : std::optional(box);
}

bool RunTensors::accessTensor(Actor &a, const Stmt &s, const View &view, const Access &access,
                              bool write, bool reducing, const Strands &who, const Rows &rows) {
  if (!mayTouch(a, s, view.object))
    return false;
  if (!context_.trackedTensor[view.object])
    return true;
  std::vector<View> parts;
  for (const RowRange &r : rows.ranges)
    for (View &part : restrictedTo(rows.counted(view), r, rows.all))
      parts.push_back(std::move(part));
  Access here = access;
  here.way = lanesOf(a, s, view, access);
  const Access shifted = elsewhere(here);
  if (!parts.empty())
    parts_.brackets.bracket(a, s, here, write, who);
  for (const View &part : parts) {
    const std::optional<Box> box = boxOf(a, s, part);
    if (!box)
      continue;
    const auto conflict = [&](const Access &earlier, bool earlierWrites, const Box &where) {
      const Access &now = where == *box ? here : shifted;
      return fits(a, s, view.object, earlier, earlierWrites, now, write, who);
    };
    const int memory = context_.memory[view.object];
    if (!tensors_[memory].access(*box, here, write, reducing, conflict))
      return false;
    follow(a, s, view, *box, here, write, who);
  }
  return true;
}

bool RunTensors::fits(const Actor &a, const Stmt &s, int tensor, const Access &prior,
                      bool priorWrites, const Access &now, bool writes, const Strands &who) {
  const std::string &name = program_.tensors[tensor].name;
  const std::string elements = "elements of " + name;
  if (!ordered(a, prior, now, who)) {
    offence_ = {Offence::overlap, eventOf(prior), (priorWrites ? "writes " : "reads ") + name,
                (writes ? "writes " : "reads ") + name, eventOf(now)};
    const bool ofGrid = joinedGrid() && actors_[prior.actor].cta != a.cta;
    refuse(ofGrid ? "R27" : "R26",
           what(a, s) + (writes ? " writes " : " reads ") + elements + " that " + what(prior) +
               (priorWrites ? " writes" : " reads") + ", and nothing orders the two" +
               (ofGrid ? " CTAs. " : ". ") + words_.fixInTensor(a, s, prior, priorWrites, name),
           s, name);
    return false;
  }
  if (priorWrites && !writes && isReadBefore(tensor))
    return readTooLate(a, s, prior, tensor), false;
  if (priorWrites && !writes && !visible(a, prior, now, who))
    return invisible(a, s, elements, prior, name), false;
  if (conditions().proxies && priorWrites && now.async && !prior.async &&
      !who.see(prior, &Sight::global))
    return unfenced(a, s, elements, prior, writes, name, "fence.proxy.async.global"), false;
  return !mayOvertake(prior, priorWrites, now, writes, who) ||
         !overtakes(a, s, prior, elements, name, "fence.proxy.async.global");
}

/// What was to be read was never there: an input in whose place an output is written keeps its
/// elements until they have been read.
void RunTensors::readTooLate(const Actor &a, const Stmt &s, const Access &prior, int tensor) {
  const std::string &name = program_.tensors[tensor].name;
  const std::string &over = program_.tensors[context_.memory[tensor]].name;
  about(prior, "writes " + over);
  refuse("R26",
         what(a, s) + " reads elements of " + name + " in whose place " + what(prior) +
             " has written those of " + over + ". Read them before, or give " + over +
             " memory of its own (without sluice.in_place)",
         s, name);
}

bool RunTensors::isFit(const Actor &a, const Access &prior, bool priorWrites, const Access &now,
                       bool writes, const Strands &who) const {
  const bool fences = conditions().proxies && priorWrites && now.async && !prior.async;
  return ordered(a, prior, now, who) && (!priorWrites || writes || visible(a, prior, now, who)) &&
         (!fences || who.see(prior, &Sight::global)) &&
         !(context_.strict && mayOvertake(prior, priorWrites, now, writes, who));
}

/// Whether an agent has one number for it: scalars alone compute it, of the launch and of the
/// agent.
static bool isOfAgent(const Program &program, const Index &i) {
  std::vector<bool> of(size_t(program.values), false);
  walk(program.body, [&of](const Stmt &s) {
    if (auto *grid = std::get_if<Grid>(&s.op))
      for (const ValueId v : grid->results)
        of[v] = true;
    if (auto *scalar = std::get_if<Scalar>(&s.op))
      of[scalar->result] =
          scalar->op != ScalarOp::load &&
          std::ranges::all_of(scalar->operands, [&of](ValueId v) { return of[v]; });
  });
  return i.isConstant() || of[i.value];
}

/// Whether a place, and where it is clipped, is the same in all iterations of loops of an unknown
/// length. Of places that elements of tensors say boxes tell.
bool RunTensors::isStill(const View &view) const {
  const auto counts = [&](const Index &i) {
    return !i.isConstant() && context_.terms.values().counts(i.value);
  };
  return std::ranges::none_of(view.offset, counts) &&
         std::ranges::all_of(
             view.clips, [this](const Index &end) { return isOfAgent(program_, end); }, &Clip::end);
}

/// Whether the agent is in a loop whose rounds are on one path.
static bool isInShortLoop(const ProofAgent &agent) {
  const auto loops = std::ranges::count_if(agent.stack(), [](const auto &f) {
    return f.owner && std::holds_alternative<For>(f.owner->op);
  });
  return static_cast<size_t>(loops) >= agent.scalars().levels().size();
}

/// Two accesses that lie at one place here are taken to do so wherever they come again: both are
/// still, or both are at what one iteration has computed and what the other statement did elsewhere
/// has been told before. Of where they are clipped no run has more than what computes it, which
/// each round of a short loop does anew.
void RunTensors::follow(const Actor &a, const Stmt &s, const View &view, const Box &box,
                        const Access &now, bool writes, const Strands &who) {
  const auto isAsked = [&](const Stmt *other) {
    return context_.asked.count({other, &s}) > 0 || context_.asked.count({&s, other}) > 0;
  };
  if (context_.asked.empty())
    return;
  const Access shifted = elsewhere(now);
  const int memory = context_.memory[view.object];
  const int32_t path = a.agent.scalars().levels().back().path;
  // Of another agent, or of one of another CTA, which has its own part.
  const auto isApart = [&](const Access &other) {
    const auto in = [&](const auto &pairs) {
      return pairs.count({other.stmt, &s}) > 0 || pairs.count({&s, other.stmt}) > 0;
    };
    return (other.actor != a.index && in(context_.ofOneAgent)) ||
           (actors_[other.actor].cta != a.cta && in(context_.ofOneCta));
  };
  const bool clipsMove =
      isInShortLoop(a.agent) && !std::ranges::all_of(view.clips, &Index::isConstant, &Clip::end);
  const bool ofData = std::ranges::any_of(
      box.term, [this](int32_t term) { return term >= 0 && context_.terms[term].ofData; });
  const auto isThere = [&](const Last &last) {
    const bool computedOnce = last.path == path && last.view->offset == view.offset;
    return last.box == box && !clipsMove &&
           (computedOnce || (!ofData && isStill(*last.view) && isStill(view)));
  };
  for (const auto &[key, last] : last_)
    if (last.tensor == memory && !isApart(last.access) && (writes || last.writes) &&
        isAsked(last.access.stmt)) {
      if ((!writes && isReadBefore(view.object)) ||
          !isFit(a, last.access, last.writes, isThere(last) ? now : shifted, writes, who))
        context_.unordered.insert({{last.access.stmt, &s}, {&s, last.access.stmt}});
      else if (mayOvertake(last.access, last.writes, now, writes, who))
        overtakes(a, s, last.access, "", program_.tensors[view.object].name,
                  "fence.proxy.async.global");
    }
  if (std::ranges::none_of(context_.asked,
                           [&](const auto &pair) { return pair.first == &s || pair.second == &s; }))
    return;
  constexpr int32_t untold = -1; // no path: lanes have not been told of one elsewhere
  const std::tuple key{&s, writes, now.stamp.component, now.electedEnd.component};
  const auto last = last_.find(key);
  const bool first = last == last_.end();
  const bool again = !first && last->second.path == path && last->second.box == box;
  const bool told = first || !last->second.access.way || a.areTold(last->second.access);
  last_[key] = {now, box, writes, memory, &view, again || told ? path : untold};
}

} // namespace sluice

// What agents can still come to: which facts somebody may ask about, and which are forgotten.
#include "Verify/NormalForm.h"

#include "Program/Blocks.h"

#include <algorithm>

namespace sluice {

bool NormalForm::loopsAhead(const Actor &a) const {
  return std::ranges::any_of(a.agent.stack(), [&](const auto &f) {
    return !ahead(a, *f.block, isAgain(a, f.owner) ? 0 : f.next).empty();
  });
}

/// A loop whose length is a number, by the text or by what is known when it is entered: its body
/// may come once more, on the same paths.
bool NormalForm::isAgain(const Actor &a, const Stmt *owner) const {
  auto *loop = owner ? std::get_if<For>(&owner->op) : nullptr;
  const std::vector<LoopLevel> &levels = a.agent.scalars().levels();
  return loop && std::ranges::find(levels, loop, &LoopLevel::loop) == levels.end();
}

bool NormalForm::isInside(const Actor &a, const Instance &i) const {
  return std::ranges::any_of(a.agent.scalars().levels(),
                             [&i](const LoopLevel &l) { return l.loop && l.instance == i; });
}

/// Loops of unknown lengths in a block from statement `from` on, of those roles that the agent has.
const std::vector<const For *> &NormalForm::ahead(const Actor &a, const Block &block,
                                                  size_t from) const {
  const auto [at, isNew] = run_.context_.ahead.try_emplace({a.index, &block, from});
  const CountedValues &values = run_.context_.terms.values();
  const auto visit = [&](const auto &self, const Block &b, size_t first) -> void {
    for (size_t i = first; i < b.stmts.size(); ++i) {
      const Stmt &s = b.stmts[i];
      auto *loop = std::get_if<For>(&s.op);
      const bool known = loop && !loop->isWhile() && values.constant(loop->lower) &&
                         values.constant(loop->upper) && values.constant(loop->step);
      if (loop && !known)
        at->second.push_back(loop);
      if (auto *role = std::get_if<Role>(&s.op); !role || a.agent.enters(*role))
        forBlocks(s, [&](const Block &inner) { self(self, inner, 0); });
    }
  };
  if (isNew)
    visit(visit, block, from);
  return at->second;
}

/// Whether the loop, where that alone says which numbers it counts, leaves out the path's. A path
/// of loops that this one is not among tells nothing: it had a number for its length then.
bool NormalForm::stepsOver(const For *loop, int32_t path) const {
  Terms &terms = run_.context_.terms;
  const CountedValues &values = terms.values();
  if (!loop || path == 0 || loop->isWhile() || !values.constant(loop->lower) ||
      !values.constant(loop->step))
    return false;
  const Path &p = terms.path(path);
  const int32_t over = terms.probe(p.bound, 0).term;
  if (!terms.comeTo.contains({loop, terms.classOf(over, p.ordinal, p.parent)}))
    return false;
  const int64_t step = *values.constant(loop->step);
  const int64_t distance = p.iteration - *values.constant(loop->lower);
  return step > 0 && (distance < 0 || distance % step != 0);
}

/// Whether an agent may come to the loop of an instance, from its first iteration on: behind where
/// it is, if it is in that iteration of the loops around, else in all that comes again.
bool NormalForm::comesLater(const Actor &a, const Instance &i) const {
  Terms &terms = run_.context_.terms;
  const std::vector<LoopLevel> &levels = a.agent.scalars().levels();
  const auto here = std::ranges::find(levels, i.path, &LoopLevel::path);
  // A pipe has passed over loops of others, and shares the last of them with a later one.
  const int shared = isAscend(run_.program_.target) ? 1 : 0;
  if (here == levels.end() && past(a, i.path))
    return false;
  if (here != levels.end())
    for (const LoopsOver &o : here->entered)
      if (o.term == i.term && o.times - shared > i.ordinal)
        return false;
  const Terms::LoopClass its = terms.classOf(i.term, i.ordinal, i.path);
  const auto comes = [&](const For *loop) {
    if (stepsOver(terms.loops().around(*loop), i.path))
      return false;
    const bool does = terms.comeTo.count({loop, its}) > 0;
    if (!does)
      terms.doNotCome.insert({loop, its});
    return does;
  };
  auto level = levels.begin();
  for (const auto &f : a.agent.stack()) {
    auto *loop = f.owner ? std::get_if<For>(&f.owner->op) : nullptr;
    if (loop && level + 1 != levels.end() && (level + 1)->loop == loop)
      ++level;
    if (here != levels.end() && level < here)
      continue;
    const bool again = here == levels.end() ? loop != nullptr : isAgain(a, f.owner);
    if (std::ranges::any_of(ahead(a, *f.block, again ? 0 : f.next), comes))
      return true;
  }
  return false;
}

/// Whether all who run are in one loop around all, which is the last.
bool NormalForm::allGoTogether() const {
  const auto outer = [](const Actor *a) -> const LoopLevel & {
    return a->agent.scalars().levels()[1];
  };
  return std::ranges::all_of(running_, [&](const Actor *a) {
    if (a->agent.scalars().levels().size() < 2 ||
        outer(a).instance != outer(running_.front()).instance)
      return false;
    for (const auto &f : a->agent.stack()) {
      auto *loop = f.owner ? std::get_if<For>(&f.owner->op) : nullptr;
      if (loop == outer(a).loop)
        return true;
      if (loop || !ahead(*a, *f.block, f.next).empty())
        return false;
    }
    return false;
  });
}

bool NormalForm::past(const Actor &a, int32_t number) const {
  const Terms &terms = run_.context_.terms;
  std::vector<int32_t> chain;
  for (; number != 0; number = terms.path(number).parent)
    chain.push_back(number);
  const std::vector<LoopLevel> &levels = a.agent.scalars().levels();
  for (size_t depth = 1; !chain.empty(); ++depth, chain.pop_back()) {
    const Path &p = terms.path(chain.back());
    const LoopLevel &outer = levels[depth - 1];
    const int32_t over = terms.probe(p.bound, 0).term;
    const bool enteredIt =
        std::any_of(outer.entered.begin(), outer.entered.end(), [&](const LoopsOver &l) {
          return l.term == over && l.times > p.ordinal && !l.skipped;
        });
    if (depth >= levels.size() || levels[depth].trip != p.bound ||
        levels[depth].instance.ordinal != p.ordinal)
      return enteredIt || !loopsAhead(a) || // the loop is over, or still ahead
             (run_.context_.meeting && !comesLater(a, {over, p.parent, p.ordinal}));
    const int64_t here = levels[depth].threshold(levels[depth].iteration) + levels[depth].shift;
    if (here != p.iteration)
      return here > p.iteration;
  }
  return false;
}

bool NormalForm::past(const Actor &a, const Instance &i) const {
  if (past(a, i.path))
    return true;
  for (const LoopLevel &l : a.agent.scalars().levels())
    if (l.path == i.path)
      for (const LoopsOver &o : l.entered)
        if (i.ordinal >= 0 && o.term == i.term && o.times > i.ordinal + 1)
          return true;
  return false;
}

/// Whether an agent is in an iteration, or may still come to it.
bool NormalForm::comesTo(const Actor &a, int32_t number) const {
  const Terms &terms = run_.context_.terms;
  if (past(a, number))
    return false;
  if (number == 0) // in no loop
    return true;
  const Path &p = terms.path(number);
  const Instance loop{terms.probe(p.bound, 0).term, p.parent, p.ordinal};
  return isInside(a, loop) || comesLater(a, loop);
}

bool NormalForm::alive(const Instance &i) const {
  const Terms &terms = run_.context_.terms;
  if (terms[i.term].ofLaunch)
    return std::any_of(running_.begin(), running_.end(),
                       [&](const Actor *a) { return !past(*a, i); });
  // Of one iteration: over when everybody has left that iteration of some loop in the term, and
  // nobody has taken anything of it along.
  std::vector<int32_t> open{i.term};
  while (!open.empty()) {
    const Term &t = terms[open.back()];
    open.pop_back();
    const bool ofPath = t.kind == Term::drawn || t.kind == Term::iteration;
    if (ofPath && !carried_.contains(t.object) &&
        std::ranges::none_of(running_, [&](const Actor *a) { return comesTo(*a, t.object); }))
      return false;
    for (int o = 0; o < t.operandCount; ++o)
      if (!t.operands[o].isConstant() && terms[t.operands[o].term].hasIteration)
        open.push_back(t.operands[o].term);
  }
  return true;
}

/// The iterations that a value to be read later is of.
void NormalForm::carry(int32_t number) {
  const Term &t = run_.context_.terms[number];
  if (!t.hasIteration)
    return;
  if (t.kind == Term::iteration || t.kind == Term::drawn)
    carried_.insert(t.object);
  for (int i = 0; i < t.operandCount; ++i)
    if (!t.operands[i].isConstant())
      carry(t.operands[i].term);
}

/// Of what agents carry over from an iteration that is left they may ask again.
void NormalForm::findCarried() {
  for (const Actor *a : running_)
    for (const auto &f : a->agent.stack())
      eachLive(*a, f, [&](ValueId live) {
        if (const Affine v = a->agent.frame()[live]; !v.isConstant())
          carry(v.term);
      });
}

void NormalForm::forgetFacts() {
  findCarried();
  std::vector<Instance> over;
  for (const auto &[i, range] : run_.facts_.instances())
    if (!alive(i))
      over.push_back(i);
  for (const Instance &i : over)
    run_.facts_.forget(run_.context_.terms, i);
}

} // namespace sluice

#include "Verify/Sources.h"

#include "Program/Agent.h"
#include "Program/Blocks.h"
#include "Program/OperationFacts.h"
#include "Program/Uses.h"
#include "Verify/CountedWhiles.h"
#include "Verify/Lifting.h"

#include <algorithm>

namespace sluice {
namespace {

/// What the statement computes from some value of `of`.
std::vector<ValueId> computedFrom(const Stmt &s, const std::vector<bool> &of) {
  const auto isOf = [&of](ValueId v) { return v != kNone && of[v]; };
  std::vector<ValueId> values;
  if (auto *scalar = std::get_if<Scalar>(&s.op)) {
    if (std::ranges::any_of(scalar->operands, isOf))
      values.push_back(scalar->result);
  } else if (auto *loop = std::get_if<For>(&s.op)) {
    if (isOf(loop->lower) || isOf(loop->step))
      values.push_back(loop->iv);
    const bool often = isOf(loop->lower) || isOf(loop->upper) || isOf(loop->step) ||
                       isOf(loop->condition); // how often it runs
    for (size_t i = 0; i < loop->iterArgs.size(); ++i) {
      const bool carries = isOf(loop->inits[i]) || isOf(loop->body.yields[i]);
      if (carries)
        values.push_back(loop->iterArgs[i]);
      if (carries || often)
        values.push_back(loop->results[i]);
    }
  } else if (auto *branch = std::get_if<If>(&s.op)) {
    for (size_t i = 0; i < branch->results.size(); ++i)
      if (isOf(branch->condition) || isOf(branch->thenBlock.yields[i]) ||
          isOf(branch->elseBlock.yields[i]))
        values.push_back(branch->results[i]);
  }
  return values;
}

/// Those that `from` holds of, and all that is computed from them.
template <typename From> std::vector<bool> derived(const Program &program, const From &from) {
  std::vector<bool> of(program.values, false);
  const auto add = [&of](ValueId v) {
    const bool isNew = v != kNone && !of[v];
    if (isNew)
      of[v] = true;
    return isNew;
  };
  walk(program.body, [&](const Stmt &s) { std::ranges::for_each(from(s), add); });
  for (bool again = true; again;) {
    again = false;
    walk(program.body, [&](const Stmt &s) {
      for (const ValueId v : computedFrom(s, of))
        again |= add(v);
    });
  }
  return of;
}

/// How often a loop goes round that a value ends (CountedWhiles.h) follows from launch and place.
std::vector<ValueId> ofTheRun(const Program &program, const Stmt &s) {
  if (auto *scalar = std::get_if<Scalar>(&s.op); scalar && scalar->op == ScalarOp::load)
    return isImagined(program.tensors[scalar->object]) ? std::vector<ValueId>()
                                                       : std::vector{scalar->result};
  return {numberOf(s.op)};
}

std::vector<ValueId> ofAWarp(const Stmt &s) {
  auto *scalar = std::get_if<Scalar>(&s.op);
  const bool is =
      scalar && (scalar->op == ScalarOp::warpInRole || scalar->op == ScalarOp::subblock);
  return is ? std::vector{scalar->result} : std::vector<ValueId>{};
}

std::vector<ValueId> ofACta(const Program &program, const Stmt &s) {
  std::vector<ValueId> values;
  if (auto *scalar = std::get_if<Scalar>(&s.op); scalar && scalar->op == ScalarOp::clusterRank)
    values.push_back(scalar->result);
  if (auto *grid = std::get_if<Grid>(&s.op); grid && !isAscend(program.target))
    for (size_t d = 0; d < grid->results.size(); ++d)
      if (program.cluster[d] > 1)
        values.push_back(grid->results[d]);
  return values;
}

std::vector<ValueId> readFromMemory(const Stmt &s) {
  auto *read = std::get_if<ScalarRead>(&s.op);
  return read ? std::vector{read->result} : std::vector<ValueId>{};
}

/// Whether some warp, or core, is in both.
bool haveOneWarp(const Role &x, const Role &y) {
  if (&x == &y || !x.core.empty() || !y.core.empty())
    return &x == &y || x.core == y.core;
  return x.firstWarp < y.firstWarp + y.warps && y.firstWarp < x.firstWarp + x.warps;
}

} // namespace

std::vector<bool> ofNumbersRead(const Program &program) {
  return derived(program, readFromMemory);
}

Sources::Sources(const Program &program, const LoopsMet &met)
    : values_(program), met_(met),
      ofData_(derived(program, [&](const Stmt &s) { return ofTheRun(program, s); })),
      ofCta_(derived(program, [&](const Stmt &s) { return ofACta(program, s); })),
      ofWarp_(derived(program, ofAWarp)) {
  walk(program.body, [this](const Stmt &s) {
    if (auto *scalar = std::get_if<Scalar>(&s.op))
      scalars_[scalar->result] = scalar;
    if (auto *loop = std::get_if<For>(&s.op)) {
      if (loop->iv != kNone)
        variables_[loop->iv] = {loop, 0};
      for (size_t i = 0; i < loop->iterArgs.size(); ++i)
        variables_[loop->iterArgs[i]] = {loop, i + 1};
    }
  });
  place(program.body, {});
}

bool Sources::hasKnownLength(const For &loop) const {
  return !loop.isWhile() && values_.constant(loop.lower) && values_.constant(loop.upper) &&
         values_.constant(loop.step);
}

void Sources::place(const Block &block, const Place &at) {
  for (const Stmt &s : block.stmts) {
    forEachResult(s, [&](ValueId v) { nearest_[v] = at.nearest; });
    if (auto *loop = std::get_if<For>(&s.op)) {
      if (hasKnownLength(*loop)) {
        place(loop->body, {at.around, at.role, true, loop});
      } else {
        loops_[loop] = at;
        place(loop->body, {loop, at.role, false, loop});
      }
    } else {
      auto *inner = std::get_if<Role>(&s.op);
      const Place inside{at.around, inner ? inner : at.role, at.repeated, at.nearest};
      forBlocks(s, [&](const Block &b) { place(b, inside); });
    }
  }
}

bool Sources::isOnlyOne(const For &loop) const {
  const auto found = loops_.find(&loop);
  if (found == loops_.end() || !lifting().onlyOne)
    return true; // each of its rounds is one of its own
  const Place &here = found->second;
  return !here.repeated && std::ranges::none_of(loops_, [&](const auto &other) {
    const auto &[f, place] = other;
    return f != &loop && place.around == here.around &&
           (!place.role || !here.role || haveOneWarp(*place.role, *here.role));
  });
}

void Sources::collect(ValueId v, std::set<const For *> &loops, bool limited) const {
  std::set<std::pair<ValueId, bool>> seen;
  std::vector<std::pair<ValueId, bool>> open{{v, limited}};
  const auto follow = [&open](const std::vector<ValueId> &values, bool all) {
    for (const ValueId value : values)
      open.emplace_back(value, all);
  };
  while (!open.empty()) {
    const auto [at, all] = open.back();
    open.pop_back();
    if (at == kNone || (values_.isFinite(at) && !all) || !seen.insert({at, all}).second)
      continue;
    if (const auto scalar = scalars_.find(at); scalar != scalars_.end()) {
      // A number of few that is chosen by, or multiplied by, moves as far as the others are apart.
      const Scalar &s = *scalar->second;
      follow(s.operands, all || (s.op != ScalarOp::add && s.op != ScalarOp::sub));
    } else if (const auto variable = variables_.find(at); variable != variables_.end()) {
      const auto [loop, number] = variable->second;
      loops.insert(loop);
      if (number == 0)
        follow({loop->lower, loop->step}, all);
      else
        follow({loop->inits[number - 1], loop->body.yields[number - 1]}, all);
    } else { // read from memory there, or a result
      const auto nearest = nearest_.find(at);
      const For *loop = !limited                    ? values_.loop(at)
                        : nearest != nearest_.end() ? nearest->second
                                                    : nullptr;
      if (loop)
        loops.insert(loop);
    }
  }
}

bool Sources::goAlike(const For &x, const For &y) const {
  if (x.isWhile() || y.isWhile())
    return &x == &y;
  return &x == &y || (alike(x.lower, y.lower) && alike(x.upper, y.upper) && alike(x.step, y.step));
}

/// A loop whose start facts told at times only has had other paths then.
bool Sources::metAlike(const For &x, const For &y) const {
  if (!lifting().onlyOne)
    return true;
  const auto a = met_.find(&x), b = met_.find(&y);
  if (a == met_.end() || b == met_.end())
    return a == b;
  const bool one = std::ranges::all_of(
      a->second, [&](const auto &m) { return m.first == a->second.begin()->first; });
  return &x == &y ? one : a->second.size() == 1 && a->second == b->second;
}

bool Sources::alike(ValueId v, ValueId w) const {
  if (v == w)
    return true;
  if (values_.constant(v) && values_.constant(w))
    return *values_.constant(v) == *values_.constant(w);
  const auto x = variables_.find(v), y = variables_.find(w);
  if (x != variables_.end() && y != variables_.end())
    return x->second.second == 0 && y->second.second == 0 &&
           goAlike(*x->second.first, *y->second.first);
  const auto a = scalars_.find(v), b = scalars_.find(w);
  if (a == scalars_.end() || b == scalars_.end())
    return false;
  const Scalar &s = *a->second, &t = *b->second;
  return s.op == t.op && s.imm == t.imm && s.object == t.object &&
         std::ranges::equal(s.operands, t.operands,
                            [this](ValueId p, ValueId q) { return alike(p, q); });
}

/// What the value is a sum of, besides constants and finite values, which normal forms have
/// (Relevance::placeInTensor).
void Sources::addParts(ValueId v, bool negative,
                       std::vector<std::pair<ValueId, bool>> &parts) const {
  if (values_.constant(v) || values_.isFinite(v))
    return;
  const auto at = scalars_.find(v);
  const bool sum = at != scalars_.end() && at->second->op == ScalarOp::add;
  const bool difference = at != scalars_.end() && at->second->op == ScalarOp::sub;
  if (!sum && !difference) {
    parts.emplace_back(v, negative);
    return;
  }
  addParts(at->second->operands[0], negative, parts);
  addParts(at->second->operands[1], negative != difference, parts);
}

bool Sources::keepDistance(const Index &x, const Index &y, bool inCta) const {
  std::vector<std::pair<ValueId, bool>> first, second;
  if (!x.isConstant())
    addParts(x.value, false, first);
  if (!y.isConstant())
    addParts(y.value, false, second);
  for (const auto &[v, negative] : first) {
    const auto same = std::ranges::find_if(second, [&](const auto &other) {
      return other.second == negative && alike(v, other.first) && !ofWarp_[v] &&
             (inCta || !ofCta_[v]);
    });
    if (same == second.end())
      return false;
    second.erase(same);
  }
  return second.empty();
}

} // namespace sluice

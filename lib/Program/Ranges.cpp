#include "Program/Ranges.h"

#include "Program/Agent.h"
#include "Program/GridLimits.h"
#include "Program/OperationFacts.h"

#include <algorithm>

namespace sluice {

static bool isArithmetic(ScalarOp op) {
  return op >= ScalarOp::add && op <= ScalarOp::select;
}

Ranges::Ranges(const Program &program) : program_(program) {
  for (const Assumption &a : program.assumptions)
    assume(a);
  users_.resize(program.values);
  walk(program.body, [&](const Stmt &s) {
    if (auto *o = std::get_if<Scalar>(&s.op); o && isArithmetic(o->op))
      for (const ValueId v : o->operands)
        users_[v].push_back(o);
  });
  run();
  if (limitLoops())
    run();
}

void Ranges::run() {
  values_.assign(program_.values, {});
  anyDivisor_.assign(program_.values, false);
  definitions_.assign(program_.values, nullptr);
  visible_.assign(program_.values, false);
  keys_.assign(program_.values, "");
  bounds_.clear();
  overflowing_.clear();
  block(program_.body);
}

IntegerRange Ranges::of(const Index &i) const {
  const IntegerRange operands[2] = {of(i.value), IntegerRange::of(i.constant)};
  bool overflows = false;
  return i.isConstant() ? operands[1] : arithmetic(ScalarOp::add, operands, overflows);
}

bool Ranges::isWide(const For &f) const {
  const IntegerRange operands[2] = {f.isWhile() ? of(f.lower) : of(f.iv), of(f.step)};
  bool overflows = false;
  return isWide(f.lower) || isWide(f.iv) || isWide(f.step) ||
         !arithmetic(ScalarOp::add, operands, overflows).fits32();
}

std::vector<Location> Ranges::overflows() const {
  std::vector<Location> places;
  for (const auto &[value, place] : overflowing_)
    if (std::ranges::none_of(places, [&](const Location &p) { return p.str() == place.str(); }))
      places.push_back(place);
  return places;
}

void Ranges::block(const Block &b) {
  for (const Stmt &s : b.stmts)
    statement(s);
  for (const Stmt &s : b.stmts)
    if (auto *o = std::get_if<Scalar>(&s.op))
      visible_[o->result] = false;
}

void Ranges::statement(const Stmt &s) {
  constexpr IntegerRange number{INT32_MIN, INT32_MAX};
  if (auto *o = std::get_if<Scalar>(&s.op))
    scalar(*o, s.loc);
  else if (auto *o = std::get_if<Grid>(&s.op))
    grid(*o);
  else if (auto *o = std::get_if<For>(&s.op))
    loop(*o);
  else if (auto *o = std::get_if<If>(&s.op))
    branch(*o);
  else if (auto *o = std::get_if<Role>(&s.op))
    block(o->body);
  else if (auto *o = std::get_if<ScalarRead>(&s.op); o && o->response)
    values_[o->result] = {-1, INT32_MAX};
  else if (const ValueId read = numberOf(s.op); read != kNone)
    values_[read] = number;
  else if (auto *o = std::get_if<MbarrierTest>(&s.op))
    values_[o->result] = {0, 1};
}

/// Who runs is one of a grid that has no empty side.
void Ranges::grid(const Grid &g) {
  for (size_t d = 0; d < g.results.size(); ++d) {
    values_[g.extents[d]] = meet(values_[g.extents[d]], {1, mostCtas(program_.target, d)});
    raise(g.extents[d]);
    values_[g.results[d]] = {0, values_[g.extents[d]].most - 1};
    bounds_[g.results[d]] = productOf(g.extents[d]);
  }
  raised_.clear();
  if (!g.results.empty())
    column_ = g.results[0];
}

/// What no other scalar decides.
IntegerRange Ranges::given(const Scalar &s) const {
  switch (s.op) {
  case ScalarOp::constant:
    return IntegerRange::of(s.imm);
  case ScalarOp::dim: {
    const auto &extents = program_.tensors[s.object].extents;
    return s.imm < int64_t(extents.size()) && extents[s.imm] >= 0 ? IntegerRange::of(extents[s.imm])
                                                                  : IntegerRange{0, mostExtent};
  }
  case ScalarOp::warpInRole:
    return {0, 31};
  case ScalarOp::clusterRank:
    return {0, program_.cluster[0] * program_.cluster[1] * program_.cluster[2] - 1};
  case ScalarOp::subblock:
  case ScalarOp::cursorPhase:
    return {0, 1};
  case ScalarOp::cursorSlot:
    if (isAscend(program_.target) && s.imm > 0)
      return {0, s.imm - 1};
    return {0, INT32_MAX};
  case ScalarOp::cursorInit:
  case ScalarOp::cursorAdvance:
    return {0, INT32_MAX};
  default: // an argument, a number of a tensor
    return {INT32_MIN, INT32_MAX};
  }
}

IntegerRange Ranges::computed(const Scalar &s, bool &overflows) {
  IntegerRange operands[3];
  for (size_t i = 0; i < s.operands.size() && i < 3; ++i)
    operands[i] = of(s.operands[i]);
  return refined(s, arithmetic(s.op, operands, overflows));
}

void Ranges::scalar(const Scalar &s, const Location &loc) {
  definitions_[s.result] = &s;
  keys_[s.result] = keyOf(s, keys_);
  overflowing_.erase(s.result);
  visible_[s.result] = true;
  IntegerRange found;
  if (isArithmetic(s.op)) {
    bool overflows = false;
    found = computed(s, overflows);
    if (overflows && !found.isWithin(INT64_MIN + 1, INT64_MAX - 1))
      overflowing_[s.result] = loc;
    if (s.op == ScalarOp::divS || s.op == ScalarOp::remS || s.op == ScalarOp::ceilDiv)
      anyDivisor_[s.result] = of(s.operands[1]).contains(0) || of(s.operands[1]).contains(-1);
  } else {
    found = given(s);
  }
  if (const auto known = known_.find(keys_[s.result]); known != known_.end())
    found = meet(found, known->second);
  values_[s.result] = found;
}

/// What the operands have to do with each other.
IntegerRange Ranges::refined(const Scalar &s, IntegerRange found) {
  bounds_.erase(s.result);
  if (s.op == ScalarOp::sub && s.operands[0] == column_ && isPartOfCluster(s.operands[1]))
    found.least = std::max<int64_t>(found.least, 0);
  if (s.op == ScalarOp::ceilDiv && isShare(s))
    found.most = std::min(
        found.most, of(definitions_[definitions_[s.operands[1]]->operands[0]]->operands[1]).most);
  if (s.op == ScalarOp::mul)
    refineProduct(s, found);
  else if (s.op == ScalarOp::sub)
    refineDifference(s, found);
  else if (s.op == ScalarOp::divS)
    refineQuotient(s, found);
  else if (s.op == ScalarOp::remS && of(s.operands[0]).least >= 0 && of(s.operands[1]).least >= 1)
    bounds_[s.result] = productOf(s.operands[1]);
  return found;
}

/// A rank, or what is left of it: at most the grid's first coordinate, of which it is a remainder.
bool Ranges::isPartOfCluster(ValueId v) const {
  const Scalar *s = definitions_[v];
  if (s && s->op == ScalarOp::clusterRank)
    return program_.cluster[1] == 1 && program_.cluster[2] == 1;
  const Scalar *rank = s && s->op == ScalarOp::remS ? definitions_[s->operands[0]] : nullptr;
  const IntegerRange by = rank ? of(s->operands[1]) : IntegerRange{};
  return rank && rank->op == ScalarOp::clusterRank && by.least == by.most && by.least > 0 &&
         program_.cluster[0] % by.least == 0;
}

const Scalar *Ranges::definition(ValueId v, ScalarOp op) const {
  return v >= 0 && definitions_[v] && definitions_[v]->op == op ? definitions_[v] : nullptr;
}

/// ceilDiv(n, (n - 1) / c + 1), n dealt out in waves of c: at most c.
bool Ranges::isShare(const Scalar &s) const {
  const auto isOne = [&](ValueId v) { return of(v) == IntegerRange::of(1); };
  const Scalar *waves = definition(s.operands[1], ScalarOp::add);
  const Scalar *whole = waves ? definition(waves->operands[0], ScalarOp::divS) : nullptr;
  const Scalar *before = whole ? definition(whole->operands[0], ScalarOp::sub) : nullptr;
  return before && isOne(waves->operands[1]) && isOne(before->operands[1]) &&
         before->operands[0] == s.operands[0] && of(s.operands[0]).least >= 0 &&
         of(whole->operands[1]).least > 0;
}

} // namespace sluice

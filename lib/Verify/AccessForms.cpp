#include "Verify/AccessForms.h"

#include "Program/Agent.h"
#include "Program/Blocks.h"
#include "Verify/Signs.h"
#include "Verify/Terms.h"

#include <algorithm>

namespace sluice {

static void addColumns(const LinearForm &form, std::set<int> &columns) {
  for (const auto &[column, factor] : form.factors)
    columns.insert(column);
}

AccessForms::AccessForms(const Program &program, const Sources &sources, const Units &units,
                         bool sameGroup)
    : program_(program), sources_(sources), values_(program),
      neverNegative_(neverNegative(program)), units_(units), sameGroup_(sameGroup) {
  walk(program.body, [this](const Stmt &s) {
    if (auto *scalar = std::get_if<Scalar>(&s.op))
      scalars_[scalar->result] = scalar;
    else if (auto *grid = std::get_if<Grid>(&s.op))
      grid_ = grid;
    else if (auto *loop = std::get_if<For>(&s.op))
      for (size_t i = 0; i < loop->iterArgs.size(); ++i)
        carried_[loop->iterArgs[i]] = {loop, i};
    else if (auto *branch = std::get_if<If>(&s.op))
      for (size_t i = 0; i < branch->results.size(); ++i)
        chosen_[branch->results[i]] = {branch, i};
  });
  walkRoles(program.body, [this](const Stmt &s, const Role *role) {
    if (auto *scalar = std::get_if<Scalar>(&s.op); scalar && role)
      inRoles_.insert(scalar->result);
  });
  findLaunchValues();
}

void AccessForms::hasExtent(int tensor, int dimension) {
  constrain(atLeast(counted(tensor, dimension), LinearForm::of(1)));
}

void AccessForms::findLaunchValues() {
  ofLaunch_.assign(program_.values, false);
  walk(program_.body, [this](const Stmt &s) {
    const auto *scalar = std::get_if<Scalar>(&s.op);
    if (!scalar)
      return;
    const bool own = scalar->op == ScalarOp::load ||
                     (scalar->op >= ScalarOp::warpInRole && scalar->op <= ScalarOp::subblock);
    ofLaunch_[scalar->result] =
        !own && std::ranges::all_of(scalar->operands, [this](ValueId v) { return ofLaunch_[v]; });
  });
}

void AccessForms::add(const AccessSite &site, int which) {
  placeCtas(which);
  placeWarp(site, which);
  for (const For *loop : site.loops)
    addLoop(*loop, which);
  for (const Taken &t : site.branches)
    choices_.push_back(condition(t.branch->condition, t.holds, which));
}

void AccessForms::constrain(LinearConstraint c) {
  const std::map<int, int64_t> &factors = c.form.factors;
  if (factors.size() == 1 && factors.begin()->second > 0 && c.form.constant <= 0)
    neverNegativeColumns_.insert(factors.begin()->first);
  if (factors.size() == 1 && factors.begin()->second > 0 && c.form.constant < 0)
    positiveColumns_.insert(factors.begin()->first);
  constraints_.push_back(std::move(c));
}

bool AccessForms::isNeverNegative(const LinearForm &form) const {
  int64_t least = form.constant;
  for (const auto &[column, factor] : form.factors) {
    if (factor < 0 || neverNegativeColumns_.count(column) == 0)
      return false;
    least += positiveColumns_.count(column) ? factor : 0;
  }
  return least >= 0;
}

bool AccessForms::isPositive(const LinearForm &form) const {
  return isNeverNegative(form - LinearForm::of(1));
}

/// Coordinate = size of the cluster * coordinate of the cluster + place in it.
void AccessForms::placeCtas(int which) {
  for (size_t d = 0; d < 3; ++d) {
    const int64_t size = isAscend(program_.target) ? 1 : program_.cluster[d];
    const bool there = grid_ && d < grid_->results.size();
    const bool again = which == 1 && sameGroup_;
    groups_[which][d] = again   ? groups_[0][d]
                        : there ? LinearForm::column(addColumn())
                                : LinearForm{};
    agents_[which][d] = size > 1 ? LinearForm::column(addColumn()) : LinearForm{};
    const LinearForm at = size * groups_[which][d] + agents_[which][d];
    constrain(atLeast(groups_[which][d], {}));
    constrain(atLeast(agents_[which][d], {}));
    constrain(below(agents_[which][d], LinearForm::of(size)));
    if (!there)
      continue;
    known_[{grid_->results[d], which}] = at;
    isThere(grid_->extents[d], which); // this CTA is
    constrain(below(at, value(grid_->extents[d], which)));
  }
}

/// At least one, and so is what that takes.
void AccessForms::isThere(ValueId v, int which) {
  if (const auto at = scalars_.find(v); at != scalars_.end()) {
    const Scalar &of = *at->second;
    const auto notNegative = [this](ValueId o) { return neverNegative_[o]; };
    const bool quotient = of.op == ScalarOp::ceilDiv && notNegative(of.operands[0]);
    const bool product = of.op == ScalarOp::mul && std::ranges::all_of(of.operands, notNegative);
    if (quotient || product || of.op == ScalarOp::minS)
      isThere(of.operands[0], which);
    if (product || of.op == ScalarOp::minS)
      isThere(of.operands[1], which);
  }
  constrain(atLeast(value(v, which), LinearForm::of(1)));
}

void AccessForms::placeWarp(const AccessSite &site, int which) {
  const bool cube = site.role && site.role->core == "aic";
  const int64_t count = isAscend(program_.target) ? (cube ? 1 : 2)
                        : site.role               ? site.role->warps
                                                  : program_.warps;
  firstWarps_[which] = site.role ? site.role->firstWarp : 0;
  LinearForm &warp = agents_[which][3] = LinearForm::column(addColumn());
  constrain(atLeast(warp, {}));
  constrain(below(warp, LinearForm::of(count)));
}

/// Variable = lower bound + step * trips before it.
void AccessForms::addLoop(const For &loop, int which) {
  const LinearForm trips = LinearForm::column(addColumn());
  constrain(atLeast(trips, {}));
  trips_[{&loop, which}] = trips;
  if (loop.isWhile() || loop.iv == kNone)
    return;
  const LinearForm lower = value(loop.lower, which), step = value(loop.step, which);
  constrain(atLeast(step, LinearForm::of(1))); // else it does not run
  LinearForm iv = lower + product(trips, step, true, which, nullptr);
  if (endsAtZero(loop, which)) {
    const LinearForm counted = iv;
    iv = variable(loop, which);
    constrain(same(iv, counted));
  }
  known_[{loop.iv, which}] = iv;
  constrain(below(iv, value(loop.upper, which)));
}

/// Its variable is never positive: what goes down from the last one to a first one.
bool AccessForms::endsAtZero(const For &loop, int which) {
  return isNeverNegative(LinearForm::of(1) - value(loop.upper, which));
}

LinearForm AccessForms::variable(const For &loop, int which) {
  const LinearForm size = LinearForm::column(addColumn());
  if (!endsAtZero(loop, which))
    return known_[{loop.iv, which}] = size;
  constrain(atLeast(size, {}));
  return known_[{loop.iv, which}] = -1 * size;
}

/// One of these holds; of what is no comparison nothing is known.
Choice AccessForms::condition(ValueId v, bool holds, int which) {
  const auto at = scalars_.find(v);
  if (at == scalars_.end())
    return {{}};
  const Scalar &s = *at->second;
  if (s.op == ScalarOp::andI || s.op == ScalarOp::orI) {
    const Choice left = condition(s.operands[0], holds, which);
    const Choice right = condition(s.operands[1], holds, which);
    Choice both;
    if ((s.op == ScalarOp::orI) == holds) { // one of the two
      both = left;
      both.insert(both.end(), right.begin(), right.end());
      return both;
    }
    for (const auto &x : left)
      for (const auto &y : right) {
        both.push_back(x);
        both.back().insert(both.back().end(), y.begin(), y.end());
      }
    return both;
  }
  if (!isComparison(s.op))
    return {{}};
  const LinearForm a = value(s.operands[0], which), b = value(s.operands[1], which);
  switch (s.op) {
  case ScalarOp::lt:
    return {{holds ? below(a, b) : atLeast(a, b)}};
  case ScalarOp::ge:
    return {{holds ? atLeast(a, b) : below(a, b)}};
  case ScalarOp::gt:
    return {{holds ? below(b, a) : atLeast(b, a)}};
  case ScalarOp::le:
    return {{holds ? atLeast(b, a) : below(b, a)}};
  default: // eq, ne
    if (holds == (s.op == ScalarOp::eq))
      return {{same(a, b)}};
    return {{below(a, b)}, {below(b, a)}};
  }
}

// ---- Values ----------------------------------------------------------------------------------

LinearForm AccessForms::index(const Index &i, int which) {
  const LinearForm constant = LinearForm::of(i.constant);
  return i.isConstant() ? constant : value(i.value, which) + constant;
}

LinearForm AccessForms::extent(int tensor, int dimension) {
  const auto unit = units_.find({tensor, dimension});
  return unit == units_.end() ? counted(tensor, dimension)
                              : unit->second * counted(tensor, dimension);
}

/// As the program reads it.
LinearForm AccessForms::counted(int tensor, int dimension) {
  const std::vector<int64_t> &fixed = program_.tensors[tensor].extents;
  if (dimension < static_cast<int>(fixed.size()) && fixed[dimension] >= 0)
    return LinearForm::of(fixed[dimension]);
  const auto [at, isNew] = extents_.try_emplace({tensor, dimension}, columns_);
  if (isNew) {
    sharedColumns_.insert(addColumn());
    constrain(atLeast(LinearForm::column(at->second), {}));
  }
  return LinearForm::column(at->second);
}

LinearForm AccessForms::opaque(bool data) {
  const int column = addColumn();
  if (data)
    dataColumns_.insert(column);
  if (inLaunch_)
    sharedColumns_.insert(column);
  return LinearForm::column(column);
}

LinearForm AccessForms::value(ValueId v, int which) {
  if (ofLaunch_[v])
    which = 2;
  if (const auto at = known_.find({v, which}); at != known_.end())
    return at->second;
  const bool before = inLaunch_;
  inLaunch_ = which == 2;
  LinearForm form;
  if (const int64_t *constant = values_.constant(v))
    form = LinearForm::of(*constant);
  else if (const auto at = scalars_.find(v); at != scalars_.end())
    form = scalar(*at->second, which);
  else if (carried_.count(v))
    form = carried(v, which);
  else if (chosen_.count(v) && sources_.isOfData(v))
    form = chosen(v, which);
  else // read from memory, drawn, or a result
    form = opaque(sources_.isOfData(v));
  if (neverNegative_[v] && !form.isConstant())
    constrain(atLeast(form, {}));
  inLaunch_ = before;
  return known_[{v, which}] = form;
}

/// What the next iteration has more of it: a value of the launch, or kNone.
ValueId AccessForms::addedTo(ValueId v, ValueId next) const {
  const auto at = scalars_.find(next);
  if (at == scalars_.end() || at->second->op != ScalarOp::add)
    return kNone;
  const std::vector<ValueId> &operands = at->second->operands;
  const ValueId by = operands[0] == v ? operands[1] : operands[1] == v ? operands[0] : kNone;
  return by != kNone && ofLaunch_[by] ? by : kNone;
}

/// Its start and as many times what is added; or what the iteration before has left.
LinearForm AccessForms::carried(ValueId v, int which) {
  const auto [loop, number] = carried_.at(v);
  const auto at = trips_.find({loop, which});
  if (at == trips_.end())
    return opaque(sources_.isOfData(v));
  const LinearForm trips = at->second;
  const ValueId start = loop->inits[number], next = loop->body.yields[number];
  if (const ValueId by = addedTo(v, next); by != kNone)
    return value(start, which) +
           product(trips, value(by, which), neverNegative_[by], which, nullptr);
  const LinearForm result = known_[{v, which}] = opaque(sources_.isOfData(v));
  if (const auto left = oneTripBefore(value(next, which), trips, which))
    choices_.push_back({{same(trips, {}), same(result, value(start, which))},
                        {atLeast(trips, LinearForm::of(1)), same(result, *left)}});
  if (!sources_.isOfData(v))
    return result;
  if (const auto left = numberBefore(value(next, which), trips, which))
    handedOn_[result.factors.begin()->first] = {*left, atLeast(trips, LinearForm::of(1))};
  return result;
}

std::set<int> AccessForms::ofIteration(int which) const {
  std::set<int> columns = sharedColumns_;
  for (const LinearForm &group : groups_[which])
    addColumns(group, columns);
  for (const auto &[loop, trips] : trips_)
    if (loop.second == which)
      addColumns(trips, columns);
  return columns;
}

bool AccessForms::isWithin(const LinearForm &form, const std::set<int> &columns) {
  return std::ranges::all_of(form.factors,
                             [&](const auto &f) { return columns.count(f.first) > 0; });
}

/// The form in the iteration before, of which nothing but the number differs.
std::optional<LinearForm> AccessForms::oneTripBefore(const LinearForm &form,
                                                     const LinearForm &trips, int which) const {
  std::set<int> known = ofIteration(which);
  for (const LinearForm &agent : agents_[which])
    addColumns(agent, known);
  if (!isWithin(form, known))
    return std::nullopt;
  const auto factor = form.factors.find(trips.factors.begin()->first);
  return form - LinearForm::of(factor == form.factors.end() ? 0 : factor->second);
}

LinearForm AccessForms::scalar(const Scalar &s, int which) {
  const auto operand = [&](size_t i) { return value(s.operands[i], which); };
  switch (s.op) {
  case ScalarOp::dim:
    return counted(s.object, static_cast<int>(s.imm));
  case ScalarOp::argument: {
    const auto [at, isNew] = arguments_.try_emplace(s.object, columns_);
    return isNew ? opaque(false) : LinearForm::column(at->second);
  }
  case ScalarOp::add:
    return operand(0) + operand(1);
  case ScalarOp::sub:
    return operand(0) - operand(1);
  case ScalarOp::mul:
  case ScalarOp::shl:
    return multiplied(s, which);
  case ScalarOp::divS:
  case ScalarOp::ceilDiv:
  case ScalarOp::remS:
  case ScalarOp::shrS:
  case ScalarOp::andI:
    return divided(s, which);
  case ScalarOp::xorI: // by 1: the neighbour of a pair
    if (const int64_t *by = values_.constant(s.operands[1]); by && *by == 1) {
      const LinearForm x = operand(0);
      return x + LinearForm::of(1) - 2 * quotient(x, LinearForm::of(2), true, which, &s).rest;
    }
    return computed(s, which);
  case ScalarOp::minS:
  case ScalarOp::maxS:
    return limited(s, which);
  case ScalarOp::select:
    return selected(s, which);
  case ScalarOp::clusterRank: {
    LinearForm rank;
    for (size_t d = 3; d-- > 0;)
      rank = program_.cluster[d] * rank + agents_[which][d];
    return rank;
  }
  case ScalarOp::warpInRole: // in front of the roles it is a number in the CTA
    return agents_[which][3] + LinearForm::of(inRoles_.contains(s.result) ? 0 : firstWarps_[which]);
  case ScalarOp::subblock:
    return agents_[which][3];
  case ScalarOp::cursorSlot:
  case ScalarOp::cursorPhase: {
    const LinearForm result = opaque(sources_.isOfData(s.result));
    const bool slot = s.op == ScalarOp::cursorSlot;
    constrain(below(result, LinearForm::of(slot ? std::max<int64_t>(s.imm, 1) : 2)));
    return result;
  }
  case ScalarOp::load:
    return loaded(s, which);
  default:
    return computed(s, which);
  }
}

LinearForm AccessForms::selected(const Scalar &s, int which) {
  const LinearForm one = value(s.operands[1], which), other = value(s.operands[2], which);
  const LinearForm result = opaque(ofData(one) || ofData(other));
  isComputed(result, {s.op}, {value(s.operands[0], which), one, other});
  selections_[result] = {one, other};
  Choice choice;
  for (const bool holds : {true, false})
    for (auto &one : condition(s.operands[0], holds, which)) {
      one.push_back(same(result, value(s.operands[holds ? 1 : 2], which)));
      choice.push_back(std::move(one));
    }
  choices_.push_back(std::move(choice));
  return result;
}

std::vector<LinearForm> AccessForms::alternatives(const LinearForm &form) const {
  for (const auto &[column, factor] : form.factors) {
    const LinearForm chosen = LinearForm::column(column);
    const auto at = selections_.find(chosen);
    if (at == selections_.end())
      continue;
    std::vector<LinearForm> all;
    for (const LinearForm &one : at->second)
      all.push_back(form + factor * (one - chosen));
    return all;
  }
  return {form};
}

LinearForm AccessForms::limited(const Scalar &s, int which) {
  const LinearForm a = value(s.operands[0], which), b = value(s.operands[1], which);
  const bool least = s.op == ScalarOp::minS;
  const auto [at, isNew] = extremes_.try_emplace({least, a, b}, LinearForm{});
  if (!isNew)
    return at->second;
  const LinearForm result = at->second = opaqueOf({s.op}, {a, b});
  const auto taken = [&](const LinearForm &one, const LinearForm &other) {
    return std::vector<LinearConstraint>{same(result, one),
                                         least ? atLeast(other, one) : atLeast(one, other)};
  };
  choices_.push_back({taken(a, b), taken(b, a)});
  return result;
}

bool AccessForms::isShared(const LinearForm &form) const {
  return isWithin(form, sharedColumns_);
}

std::vector<LinearConstraint> AccessForms::constraints() const {
  std::vector<LinearConstraint> all = constraints_;
  const std::vector<LinearConstraint> more = multipliedConstraints();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

} // namespace sluice

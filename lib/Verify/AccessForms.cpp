#include "Verify/AccessForms.h"

#include "Machine/Agent.h"
#include "Verify/Signs.h"
#include "Verify/Terms.h"

#include <algorithm>
#include <numeric>

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
  return form.constant >= 0 && std::ranges::all_of(form.factors, [this](const auto &f) {
           return f.second > 0 && neverNegativeColumns_.count(f.first) > 0;
         });
}

bool AccessForms::isPositive(const LinearForm &form) const {
  return isNeverNegative(form) &&
         (form.constant > 0 || std::ranges::any_of(form.factors, [this](const auto &f) {
            return positiveColumns_.count(f.first) > 0;
          }));
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
    constrain(atLeast(value(grid_->extents[d], which), LinearForm::of(1))); // there is this CTA
    constrain(below(at, value(grid_->extents[d], which)));
  }
}

void AccessForms::placeWarp(const AccessSite &site, int which) {
  const bool cube = site.role && site.role->core == "aic";
  const int64_t count = isAscend(program_.target) ? (cube ? 1 : 2)
                        : site.role               ? site.role->warps
                                                  : program_.warps;
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
  const LinearForm iv = lower + product(trips, step, true, which, nullptr);
  known_[{loop.iv, which}] = iv;
  constrain(below(iv, value(loop.upper, which)));
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

LinearForm AccessForms::opaqueOf(std::initializer_list<LinearForm> forms) {
  return opaque(std::ranges::any_of(forms, [this](const LinearForm &f) { return ofData(f); }));
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
    return opaqueOf({operand(0), operand(1)});
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
  case ScalarOp::warpInRole:
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
    return opaque(sources_.isOfData(s.result));
  }
}

/// No launch writes it: the same element is the same number.
LinearForm AccessForms::loaded(const Scalar &s, int which) {
  std::pair<int, std::vector<LinearForm>> element{s.object, {}};
  for (const ValueId at : s.operands)
    element.second.push_back(value(at, which));
  const auto [at, isNew] = loads_.try_emplace(element);
  if (isNew) {
    at->second = opaque(true);
    if (std::ranges::all_of(element.second, [this](const LinearForm &f) { return isShared(f); }))
      addColumns(at->second, sharedColumns_);
  }
  return at->second;
}

LinearForm AccessForms::selected(const Scalar &s, int which) {
  const LinearForm result = opaqueOf({value(s.operands[1], which), value(s.operands[2], which)});
  Choice choice;
  for (const bool holds : {true, false})
    for (auto &one : condition(s.operands[0], holds, which)) {
      one.push_back(same(result, value(s.operands[holds ? 1 : 2], which)));
      choice.push_back(std::move(one));
    }
  choices_.push_back(std::move(choice));
  return result;
}

LinearForm AccessForms::multiplied(const Scalar &s, int which) {
  const ValueId left = s.operands[0], right = s.operands[1];
  if (s.op == ScalarOp::shl) {
    const int64_t *by = values_.constant(right);
    return by && *by >= 0 && *by < 32 ? (int64_t{1} << *by) * value(left, which)
                                      : opaque(sources_.isOfData(s.result));
  }
  const LinearForm x = value(left, which), y = value(right, which);
  const bool turned = isShared(x) && !isShared(y);
  return product(turned ? y : x, turned ? x : y, neverNegative_[turned ? left : right], which, &s);
}

/// x * y, where y is the same in both accesses if either is: a column for each of x.
LinearForm AccessForms::product(const LinearForm &x, const LinearForm &y, bool positive, int which,
                                const Scalar *by) {
  if (y.isConstant())
    return y.constant * x;
  const int64_t inY = commonFactor(y, true);
  const LinearForm unit = dividedBy(y, inY);
  positive |= isNeverNegative(unit);
  LinearForm sum = x.constant * y;
  for (const auto &[column, factor] : x.factors)
    sum = sum + factor * inY * product(column, unit, positive, which, by);
  return sum;
}

LinearForm AccessForms::product(int column, const LinearForm &unit, bool positive, int which,
                                const Scalar *by) {
  const LinearForm count = LinearForm::column(column);
  const auto [at, isNew] = products_.try_emplace({count, unit}, LinearForm{});
  if (!isNew)
    return at->second;
  const LinearForm result = at->second = opaqueOf({count, unit});
  if (isPositive(count) && isPositive(unit))
    constrain(atLeast(result, LinearForm::of(1)));
  else if (isNeverNegative(count) && positive)
    constrain(atLeast(result, {}));
  addMultiple(count, unit, result, positive, which, by);
  return result;
}

LinearForm AccessForms::divided(const Scalar &s, int which) {
  const ValueId left = s.operands[0], right = s.operands[1];
  const int64_t *constant = values_.constant(right);
  const LinearForm x = value(left, which);
  if (s.op == ScalarOp::shrS || s.op == ScalarOp::andI) {
    const bool shifts = s.op == ScalarOp::shrS;
    const int64_t by = !constant ? -1 : shifts ? *constant : *constant + 1;
    if (by < 0 || (shifts ? by >= 32 : (by & (by - 1)) != 0))
      return opaqueOf({x, value(right, which)});
    const Quotient q = quotient(x, LinearForm::of(shifts ? int64_t{1} << by : by), true, which, &s);
    return shifts ? q.result : q.rest;
  }
  if (constant && *constant > 0 && s.op == ScalarOp::ceilDiv) {
    const LinearForm up = x + LinearForm::of(*constant - 1);
    const LinearForm result = quotient(up, LinearForm::of(*constant), true, which, &s).result;
    if (isPositive(x))
      constrain(atLeast(result, LinearForm::of(1)));
    return result;
  }
  const LinearForm y = value(right, which);
  const bool positive = isPositive(y);
  const bool up = s.op == ScalarOp::ceilDiv; // whatever the sign of x
  const bool towardsZero = !neverNegative_[left] && !isNeverNegative(x);
  if (towardsZero && !up && constant && *constant > 0)
    return truncated(s, x, *constant);
  if ((up ? !positive : towardsZero) || (constant && *constant <= 0))
    return opaqueOf({x, y});
  if (up) // the quotient of x + y - 1
    return quotient(x + y - LinearForm::of(1), y, true, which, &s).result;
  const Quotient q = quotient(x, y, positive, which, &s);
  return s.op == ScalarOp::remS ? q.rest : q.result;
}

/// Quotient or remainder of what may be negative, by a number > 0: rounded towards zero.
LinearForm AccessForms::truncated(const Scalar &s, const LinearForm &x, int64_t by) {
  const LinearForm result = opaqueOf({x}), rest = x - by * result, size = LinearForm::of(by);
  choices_.push_back({{atLeast(x, {}), atLeast(rest, {}), below(rest, size)},
                      {below(x, {}), atLeast({}, rest), below({}, rest + size)}});
  return s.op == ScalarOp::remS ? rest : result;
}

/// Rounded down. By 0 both are 0; if the divisor is negative nothing is known.
AccessForms::Quotient AccessForms::quotient(const LinearForm &x, const LinearForm &y, bool positive,
                                            int which, const Scalar *by) {
  for (const Quotient &q : quotients_)
    if (q.x == x && q.y == y)
      return q;
  if (y.isConstant() && commonFactor(x, false) % y.constant == 0) {
    const LinearForm result = dividedBy(x, y.constant);
    return {x, y, result, x - y.constant * result};
  }
  Quotient q{x, y, opaqueOf({x, y}), {}};
  q.rest = y.isConstant() ? x - y.constant * q.result : opaqueOf({x, y});
  std::vector<LinearConstraint> all{atLeast(q.rest, {}), below(q.rest, y)};
  if (!y.isConstant()) {
    if (isNeverNegative(x)) {
      all.push_back(atLeast(q.result, {}));
      all.push_back(atLeast(x - q.rest, q.result));
    }
    addMultiple(q.result, y, x - q.rest, positive, which, by);
  } else if (!inLaunch_) { // integers that rationals do not see
    multiples_[which].push_back({q.result, y, x - q.rest, true, by});
  }
  if (y.isConstant() && isNeverNegative(x))
    all.push_back(atLeast(q.result, {}));
  if (positive)
    std::ranges::for_each(all, [this](const LinearConstraint &c) { constrain(c); });
  else
    choices_.push_back({all, {below(y, {})}, byZero(q)});
  quotients_.push_back(q);
  return q;
}

/// What holds where a divisor is 0: its products are 0 too.
std::vector<LinearConstraint> AccessForms::byZero(const Quotient &q) const {
  std::vector<LinearConstraint> all{same(q.y, {}), same(q.result, {}), same(q.rest, {})};
  for (const auto &[factors, product] : products_)
    if (factors.first == q.y || factors.second == q.y)
      all.push_back(same(product, {}));
  return all;
}

/// A unit with a common factor is taken without it.
void AccessForms::addMultiple(const LinearForm &count, const LinearForm &unit,
                              const LinearForm &whole, bool positive, int which, const Scalar *by) {
  const int64_t factor = std::max<int64_t>(commonFactor(unit, true), 1);
  const LinearForm least = dividedBy(unit, factor);
  multiples_[inLaunch_ ? 2 : which].push_back({factor * count, least, whole, positive, by});
  if (positive && count.factors.size() == 1 &&
      count == LinearForm::column(count.factors.begin()->first))
    wholes_[least].try_emplace(count.factors.begin()->first, Whole{whole, factor});
  if (inLaunch_ && isShared(count)) // of a launch either side may be the unit
    multiples_[2].push_back({unit, count, whole, positive && isNeverNegative(count), by});
}

LinearForm AccessForms::limited(const Scalar &s, int which) {
  const LinearForm a = value(s.operands[0], which), b = value(s.operands[1], which);
  const bool least = s.op == ScalarOp::minS;
  const auto [at, isNew] = extremes_.try_emplace({least, a, b}, LinearForm{});
  if (!isNew)
    return at->second;
  const LinearForm result = at->second = opaqueOf({a, b});
  const auto chosen = [&](const LinearForm &one, const LinearForm &other) {
    return std::vector<LinearConstraint>{same(result, one),
                                         least ? atLeast(other, one) : atLeast(one, other)};
  };
  choices_.push_back({chosen(a, b), chosen(b, a)});
  return result;
}

bool AccessForms::isShared(const LinearForm &form) const {
  return isWithin(form, sharedColumns_);
}

bool AccessForms::ofData(const LinearForm &form) const {
  return std::ranges::any_of(form.factors,
                             [this](const auto &f) { return dataColumns_.count(f.first) > 0; });
}

std::vector<LinearConstraint> AccessForms::constraints() const {
  std::vector<LinearConstraint> all = constraints_;
  const std::vector<LinearConstraint> more = multipliedConstraints();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// What holds of counts holds of as many units.
std::vector<LinearConstraint> AccessForms::multipliedConstraints() const {
  std::vector<LinearConstraint> all;
  for (const auto &[unit, wholes] : wholes_)
    for (const LinearConstraint &c : constraints_) {
      const auto isCount = [&](const auto &f) { return wholes.count(f.first) > 0; };
      if (c.form.factors.size() < 2 || !std::ranges::all_of(c.form.factors, isCount))
        continue;
      int64_t times = 1;
      for (const auto &f : c.form.factors)
        times = std::lcm(times, wholes.at(f.first).times);
      LinearForm product = times * c.form.constant * unit;
      for (const auto &[column, factor] : c.form.factors) {
        const Whole &whole = wholes.at(column);
        product = product + times / whole.times * factor * whole.form;
      }
      all.push_back({product, c.equality});
    }
  return all;
}

// ---- What two accesses say of each other -------------------------------------------------------

/// Whether they are made by statements of two roles that stand for each other: the same ones in
/// their order, of those with this number as a unit, or with a unit of their own.
bool AccessForms::areTwins(const Multiple &a, const Multiple &b) const {
  const auto isOwn = [this](const Multiple &m) { return !isShared(m.unit); };
  const auto number = [&](const Multiple &m, int which) {
    return std::ranges::count_if(multiples_[which], [&](const Multiple &other) {
      return &other < &m && (isOwn(m) ? isOwn(other) : other.unit == m.unit);
    });
  };
  const bool comparable = a.unit.isConstant() ? a.unit == b.unit : isOwn(a) && isOwn(b);
  return comparable && number(a, 0) == number(b, 1);
}

std::vector<Choice> AccessForms::choices() const {
  std::vector<Choice> all = choices_;
  std::erase(all, Choice{{}});
  for (const Multiple &a : multiples_[0])
    for (const Multiple &b : multiples_[1])
      if (a.by == b.by || (a.unit == b.unit && !a.unit.isConstant()) || areTwins(a, b))
        all.push_back(related(a, b));
  for (int which : {0, 1})
    for (const Multiple &a : multiples_[which])
      for (const Multiple &b : multiples_[2])
        if (a.unit == b.unit)
          all.push_back(related(a, b));
  std::erase(all, Choice{});
  return all;
}

/// Of one unit >= 0, multiples are in the order of their counts, and a unit apart at least. Units
/// of two quotients may or may not be the same.
Choice AccessForms::related(const Multiple &a, const Multiple &b) {
  const bool sameUnit = a.unit == b.unit;
  if (!sameUnit && a.unit.factors.empty() != b.unit.factors.empty())
    return {};
  // Counts that differ by whole numbers of a step are that many units apart at least.
  LinearForm ahead = b.count - a.count;
  const int64_t step = std::max<int64_t>(commonFactor(ahead, true), 1);
  ahead = dividedBy(ahead, step);
  const LinearConstraint unit = same(a.unit, b.unit);
  const LinearForm apart = step * a.unit;
  Choice choice{{unit, same(ahead, {}), same(a.whole, b.whole)},
                {unit, below({}, ahead), atLeast(b.whole, a.whole + apart)},
                {unit, below(ahead, {}), atLeast(a.whole, b.whole + apart)}};
  if (!sameUnit)
    choice.insert(choice.end(), {{below(a.unit, b.unit)}, {below(b.unit, a.unit)}});
  if (!a.positive || !b.positive)
    choice.push_back({atLeast({}, a.unit)});
  return choice;
}

} // namespace sluice

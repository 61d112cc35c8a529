// Products by unknowns and quotients, in the scalars of two accesses: whole numbers of a unit, and
// what two of them say of each other.
#include "Verify/AccessForms.h"

#include "Verify/Lifting.h"
#include "Verify/Terms.h"

#include <algorithm>
#include <numeric>

namespace sluice {

/// Whether 64 bits hold the products of the numbers in two forms, and sums of a few.
static bool holdsProducts(const LinearForm &x, const LinearForm &y) {
  constexpr int64_t most = int64_t{1} << 60;
  const auto largest = [](const LinearForm &form) {
    int64_t number = std::max<int64_t>(std::abs(form.constant), 1);
    for (const auto &[column, factor] : form.factors)
      number = std::max(number, std::abs(factor));
    return number;
  };
  return largest(x) <= most / largest(y);
}

LinearForm AccessForms::multiplied(const Scalar &s, int which) {
  const ValueId left = s.operands[0], right = s.operands[1];
  const LinearForm x = value(left, which);
  if (s.op == ScalarOp::shl) {
    const int64_t *by = values_.constant(right);
    const int64_t factor = by && *by >= 0 && *by < 32 ? int64_t{1} << *by : 0;
    return factor && holdsProducts(x, LinearForm::of(factor)) ? factor * x : computed(s, which);
  }
  const LinearForm y = value(right, which);
  if (!holdsProducts(x, y))
    return computed(s, which);
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
  const LinearForm result = at->second = opaqueOf({ScalarOp::mul}, {count, unit});
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
      return computed(s, which);
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
  const bool towardsZero = lifting().negative && !neverNegative_[left] && !isNeverNegative(x);
  if (towardsZero && !up && constant && *constant > 0)
    return truncated(s, x, *constant);
  if ((!up && towardsZero) || (constant && *constant <= 0))
    return computed(s, which);
  if (up) // the quotient of x + y - 1
    return quotient(x + y - LinearForm::of(1), y, positive, which, &s).result;
  const Quotient q = quotient(x, y, positive, which, &s);
  return s.op == ScalarOp::remS ? q.rest : q.result;
}

/// Quotient or remainder of what may be negative, by a number > 0: rounded towards zero.
LinearForm AccessForms::truncated(const Scalar &s, const LinearForm &x, int64_t by) {
  const LinearForm size = LinearForm::of(by);
  const LinearForm result = opaqueOf({ScalarOp::divS}, {x, size}), rest = x - by * result;
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
  for (size_t d = 0; d < 3 && !inLaunch_; ++d) // a place in a cluster that has no more
    if (y.isConstant() && program_.cluster[d] > 1 && program_.cluster[d] <= y.constant &&
        x == agents_[which][d])
      return {x, y, {}, x};
  if (y.isConstant() && commonFactor(x, false) % y.constant == 0) {
    const LinearForm result = dividedBy(x, y.constant);
    return {x, y, result, x - y.constant * result};
  }
  Quotient q{x, y, opaqueOf({ScalarOp::divS}, {x, y}), {}};
  q.rest = y.isConstant() ? x - y.constant * q.result : opaqueOf({ScalarOp::remS}, {x, y});
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
  else if (!positive && isNeverNegative(x) && isNeverNegative(y)) // by 0 it is 0
    constrain(atLeast(q.result, {}));
  if (positive)
    std::ranges::for_each(all, [this](const LinearConstraint &c) { constrain(c); });
  else
    choices_.push_back({all, {below(y, {})}, lifting().byZero ? byZero(q) : all});
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

std::vector<LinearConstraint> AccessForms::multiplied(const LinearConstraint &c) const {
  std::vector<LinearConstraint> all;
  for (const auto &[unit, wholes] : wholes_) {
    const auto isCount = [&](const auto &f) { return wholes.count(f.first) > 0; };
    if (c.form.isConstant() || !std::ranges::all_of(c.form.factors, isCount))
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

/// Of one count alone its product is told where that is made.
std::vector<LinearConstraint> AccessForms::multipliedConstraints() const {
  std::vector<LinearConstraint> all;
  for (const LinearConstraint &c : constraints_)
    if (c.form.factors.size() > 1)
      for (LinearConstraint &more : multiplied(c))
        all.push_back(std::move(more));
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

std::vector<Choice> AccessForms::ofOnePoint() const {
  std::vector<Choice> all;
  for (const std::vector<Multiple> &list : multiples_)
    for (size_t i = 0; i < list.size(); ++i) {
      if (list[i].positive && !list[i].unit.isConstant())
        all.push_back(ofZero(list[i]));
      for (size_t j = 0; j < i; ++j)
        if (list[i].unit == list[j].unit && !list[i].unit.isConstant())
          all.push_back(related(list[i], list[j]));
    }
  return all;
}

/// Of a unit >= 0, how a multiple lies to 0.
Choice AccessForms::ofZero(const Multiple &m) {
  const LinearForm one = LinearForm::of(1), two = LinearForm::of(2);
  const LinearConstraint some = atLeast(m.unit, one);
  return {
      {same(m.unit, {}), same(m.whole, {})},
      {some, same(m.count, {}), same(m.whole, {})},
      {some, same(m.count, one), same(m.whole, m.unit)},
      {some, atLeast(m.count, two), atLeast(m.whole, m.unit + m.unit), atLeast(m.whole, m.count)},
      {some, below(m.count, {}), atLeast({}, m.whole + m.unit)}};
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

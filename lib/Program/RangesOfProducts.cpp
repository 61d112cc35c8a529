// Numbers below a product: of a tile's number below rows * columns, the quotient by the columns is
// below the rows.
#include "Program/Ranges.h"

#include <algorithm>

namespace sluice {

constexpr int64_t mostConstant = int64_t{1} << 31;

/// Factors of a product of counts, constants apart; anything else is a factor itself.
Ranges::Product Ranges::productOf(ValueId v) const {
  if (isConstant(v) && of(v).least > 0 && of(v).least < mostConstant)
    return {of(v).least, {}};
  const Scalar *s = definitions_[v];
  if (!s || s->op != ScalarOp::mul || of(s->operands[0]).least < 0 || of(s->operands[1]).least < 0)
    return {1, {v}};
  Product p = productOf(s->operands[0]);
  const Product q = productOf(s->operands[1]);
  if (p.constant > mostConstant / q.constant)
    return {1, {v}};
  p.constant *= q.constant;
  p.values.insert(p.values.end(), q.values.begin(), q.values.end());
  std::ranges::sort(p.values);
  return p;
}

int64_t Ranges::mostOf(const Product &p) const {
  __int128 most = p.constant;
  for (const ValueId v : p.values)
    most = std::min<__int128>(most * std::max<int64_t>(of(v).most, 0), INT64_MAX);
  return int64_t((most + p.divisor - 1) / p.divisor);
}

const Ranges::Product *Ranges::boundOf(ValueId v) const {
  const auto found = bounds_.find(v);
  return found == bounds_.end() ? nullptr : &found->second;
}

void Ranges::bound(const Scalar &s, Product below, IntegerRange &found) {
  found.most = std::max(found.least, std::min(found.most, mostOf(below) - 1));
  bounds_[s.result] = std::move(below);
}

/// n * c with n below a product, or below one that c was to divide.
void Ranges::refineProduct(const Scalar &s, IntegerRange &found) {
  for (const size_t i : {0, 1}) {
    const Product *above = boundOf(s.operands[i]);
    const IntegerRange by = of(s.operands[1 - i]);
    if (!above || by.least != by.most || by.least < 1 || by.least % above->divisor ||
        above->constant > mostConstant / by.least)
      continue;
    Product below = *above;
    below.constant *= by.least / below.divisor;
    below.divisor = 1;
    return bound(s, std::move(below), found);
  }
}

/// n - m with m below n, and n - 1 - m; less than n or n's bound.
void Ranges::refineDifference(const Scalar &s, IntegerRange &found) {
  const Product all = productOf(s.operands[0]);
  const Product *taken = boundOf(s.operands[1]);
  const Scalar *last = definition(s.operands[0], ScalarOp::sub);
  if (taken && *taken == all)
    found.least = std::max<int64_t>(found.least, 1);
  else if (taken && last && of(last->operands[1]) == IntegerRange::of(1) &&
           *taken == productOf(last->operands[0]))
    found.least = std::max<int64_t>(found.least, 0);
  if (found.least < 0 || of(s.operands[1]).least < 0)
    return;
  if (const Product *above = boundOf(s.operands[0]))
    bound(s, *above, found);
  else if (of(s.operands[1]).least >= 1)
    bound(s, all, found);
  else if (last && of(last->operands[1]).least >= 1)
    bound(s, productOf(last->operands[0]), found);
}

/// a / d with a below a product of which d's factors are some.
void Ranges::refineQuotient(const Scalar &s, IntegerRange &found) {
  if (Product columns; isWithinGroup(s, columns))
    return bound(s, std::move(columns), found);
  const Product *above = boundOf(s.operands[0]);
  if (!above || above->divisor != 1 || of(s.operands[1]).least < 1)
    return;
  Product rest = *above;
  const Product by = productOf(s.operands[1]);
  for (const ValueId factor : by.values) {
    const auto at = std::ranges::find(rest.values, factor);
    if (at == rest.values.end())
      return;
    rest.values.erase(at);
  }
  rest.divisor = by.constant;
  if (rest.constant % rest.divisor == 0) {
    rest.constant /= rest.divisor;
    rest.divisor = 1;
  }
  bound(s, std::move(rest), found);
}

/// Tiles in groups of c rows, the last of which may have fewer: with n < rows * columns,
/// n % (c * columns) / min(rows - n / (c * columns) * c, c) < columns, as n % (c * columns) is
/// below both counts of rows times the columns.
bool Ranges::isWithinGroup(const Scalar &s, Product &columns) const {
  const Scalar *here = definition(s.operands[1], ScalarOp::minS);
  const Scalar *inGroup = definition(s.operands[0], ScalarOp::remS);
  if (!here || !inGroup)
    return false;
  const size_t second = isConstant(here->operands[0]) ? 1 : 0;
  const IntegerRange c = of(here->operands[1 - second]);
  const Scalar *left = definition(here->operands[second], ScalarOp::sub);
  const Scalar *first = left ? definition(left->operands[1], ScalarOp::mul) : nullptr;
  const Scalar *group = first ? definition(first->operands[0], ScalarOp::divS) : nullptr;
  const Product *all = boundOf(inGroup->operands[0]);
  if (!group || !all || c.least != c.most || !(of(first->operands[1]) == c) ||
      group->operands != inGroup->operands)
    return false;
  const Product ofGroup = productOf(inGroup->operands[1]), rows = productOf(left->operands[0]);
  if (ofGroup.constant != c.least || rows.constant != 1)
    return false;
  columns = {1, ofGroup.values};
  Product together{1, ofGroup.values};
  together.values.insert(together.values.end(), rows.values.begin(), rows.values.end());
  std::ranges::sort(together.values);
  return *all == together;
}

/// v is above 0, and so are the counts that it is a product, a part or the least of.
void Ranges::raise(ValueId v) {
  if (of(v).most < 1 || of(v).least < 0)
    return;
  if (of(v).least < 1) {
    raised_.emplace_back(v, values_[v]);
    values_[v].least = 1;
  }
  const Scalar *s = definitions_[v];
  if (!s || s->operands.size() != 2 || of(s->operands[0]).least < 0 || of(s->operands[1]).least < 0)
    return;
  if (s->op == ScalarOp::mul || s->op == ScalarOp::minS) {
    raise(s->operands[0]);
    raise(s->operands[1]);
  } else if (s->op == ScalarOp::divS || s->op == ScalarOp::ceilDiv) {
    raise(s->operands[0]);
  }
}

} // namespace sluice

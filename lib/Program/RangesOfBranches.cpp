// Branches: what their conditions say of the values that they compare.
#include "Program/Ranges.h"

#include <algorithm>

namespace sluice {
namespace {

ScalarOp opposite(ScalarOp op) {
  switch (op) {
  case ScalarOp::eq:
    return ScalarOp::ne;
  case ScalarOp::ne:
    return ScalarOp::eq;
  case ScalarOp::lt:
    return ScalarOp::ge;
  case ScalarOp::le:
    return ScalarOp::gt;
  case ScalarOp::gt:
    return ScalarOp::le;
  default:
    return ScalarOp::lt;
  }
}

/// x, where `x op y` holds.
IntegerRange compared(IntegerRange x, ScalarOp op, const IntegerRange &y) {
  const int64_t below = std::max(y.most, INT64_MIN + 1) - 1;
  const int64_t above = std::min(y.least, INT64_MAX - 1) + 1;
  switch (op) {
  case ScalarOp::eq:
    return meet(x, y);
  case ScalarOp::ne:
    if (y.least == y.most && x.least == y.least)
      return meet(x, {above, INT64_MAX});
    return y.least == y.most && x.most == y.most ? meet(x, {INT64_MIN, below}) : x;
  case ScalarOp::lt:
    return meet(x, {INT64_MIN, below});
  case ScalarOp::le:
    return meet(x, {INT64_MIN, y.most});
  case ScalarOp::gt:
    return meet(x, {above, INT64_MAX});
  default:
    return meet(x, {y.least, INT64_MAX});
  }
}

/// y op' x, where x op y.
ScalarOp turned(ScalarOp op) {
  switch (op) {
  case ScalarOp::lt:
    return ScalarOp::gt;
  case ScalarOp::le:
    return ScalarOp::ge;
  case ScalarOp::gt:
    return ScalarOp::lt;
  case ScalarOp::ge:
    return ScalarOp::le;
  default:
    return op;
  }
}

} // namespace

void Ranges::branch(const If &i) {
  const size_t before = raised_.size();
  const std::map<ValueId, Product> bounds = bounds_; // what a side learns of them holds there alone
  learn(i.condition, true);
  block(i.thenBlock);
  restore(before);
  bounds_ = bounds;
  learn(i.condition, false);
  block(i.elseBlock);
  restore(before);
  bounds_ = bounds;
  for (size_t r = 0; r < i.results.size(); ++r) {
    branchOf_[i.results[r]] = {&i, r};
    values_[i.results[r]] = join(of(i.thenBlock.yields[r]), of(i.elseBlock.yields[r]));
  }
}

void Ranges::learn(ValueId condition, bool holds) {
  const Scalar *s = condition < 0 ? nullptr : definitions_[condition];
  if (!s)
    return;
  if (s->op == (holds ? ScalarOp::andI : ScalarOp::orI)) {
    learn(s->operands[0], holds);
    learn(s->operands[1], holds);
  }
  if (s->op < ScalarOp::eq || s->op > ScalarOp::ge)
    return;
  const ScalarOp op = holds ? s->op : opposite(s->op);
  const ValueId x = s->operands[0], y = s->operands[1];
  const IntegerRange first = compared(of(x), op, of(y)),
                     second = compared(of(y), turned(op), of(x));
  narrowTo(x, first);
  narrowTo(y, second);
  if (op == ScalarOp::lt && of(x).least >= 0) {
    bounds_[x] = productOf(y);
    raise(y);
  }
}

/// And what is computed from it, as far as it has been.
void Ranges::narrowTo(ValueId v, const IntegerRange &range) {
  if (v < 0 || range == values_[v])
    return;
  raised_.emplace_back(v, values_[v]);
  values_[v] = range;
  for (const Scalar *user : users_[v])
    if (bool overflows = false; visible_[user->result])
      narrowTo(user->result, meet(values_[user->result], computed(*user, overflows)));
}

/// As it was when so many values were known better.
void Ranges::restore(size_t before) {
  while (raised_.size() > before) {
    values_[raised_.back().first] = raised_.back().second;
    raised_.pop_back();
  }
}

} // namespace sluice

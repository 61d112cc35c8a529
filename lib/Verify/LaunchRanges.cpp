#include "Verify/LaunchRanges.h"

#include "Program/Agent.h"
#include "Verify/Scalars.h"

#include <algorithm>
#include <unordered_map>

namespace sluice {
namespace {

constexpr int64_t infinite = Range::infinite;

Range both(Range a, Range b) {
  return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
}

int64_t bounded(__int128 v) {
  return static_cast<int64_t>(std::clamp<__int128>(v, -infinite, infinite));
}

/// One number; what lies beyond the limit is any.
bool isNumber(Range a) {
  return a.exact() && a.lo > -infinite && a.hi < infinite;
}

/// Whether each number of a is less than each one of b.
bool below(Range a, Range b) {
  return a.hi < infinite && b.lo > -infinite && a.hi < b.lo;
}

bool notAbove(Range a, Range b) {
  return a.hi < infinite && b.lo > -infinite && a.hi <= b.lo;
}

Range sum(Range a, Range b) {
  return {a.lo <= -infinite || b.lo <= -infinite ? -infinite : bounded(__int128{a.lo} + b.lo),
          a.hi >= infinite || b.hi >= infinite ? infinite : bounded(__int128{a.hi} + b.hi)};
}

Range negated(Range a) {
  return {-a.hi, -a.lo};
}

Range product(Range a, Range b) {
  Range all{infinite, -infinite};
  for (const int64_t x : {a.lo, a.hi})
    for (const int64_t y : {b.lo, b.hi}) {
      const int64_t p = bounded(__int128{x} * y); // 0 times no limit: the other factors tell
      all = {std::min(all.lo, p), std::max(all.hi, p)};
    }
  return all;
}

/// Of a divisor of at least 1: quotients grow with the dividend, and come nearer to 0 as it grows.
Range quotient(ScalarOp op, Range a, Range by) {
  if (by.lo < 1)
    return {};
  const auto divide = [op](int64_t x, int64_t y) {
    const int64_t operands[2] = {x, y};
    return arithmetic(op, operands, 2, 0);
  };
  const bool limited = by.hi < infinite;
  Range r;
  if (a.lo >= 0)
    r.lo = limited ? divide(a.lo, by.hi) : op == ScalarOp::ceilDiv && a.lo > 0;
  else if (a.lo > -infinite)
    r.lo = divide(a.lo, by.lo);
  if (a.hi < 0)
    r.hi = limited ? divide(a.hi, by.hi) : 0;
  else if (a.hi < infinite)
    r.hi = divide(a.hi, by.lo);
  return r;
}

/// Of the sign of the dividend, and no further from 0 than it is.
Range remainder(Range a, Range by) {
  if (by.lo < 1)
    return {};
  if (a.lo >= 0 && a.hi < by.lo)
    return a;
  const int64_t most = by.hi >= infinite ? infinite : by.hi - 1;
  return {a.lo >= 0 ? 0 : std::max(a.lo, -most), a.hi <= 0 ? 0 : std::min(a.hi, most)};
}

/// 0 or 1, where all numbers of the two sides tell the same.
Range comparison(ScalarOp op, Range a, Range b) {
  const auto told = [](bool always, bool never) { return Range{always ? 1 : 0, never ? 0 : 1}; };
  switch (op) {
  case ScalarOp::lt:
    return told(below(a, b), notAbove(b, a));
  case ScalarOp::le:
    return told(notAbove(a, b), below(b, a));
  case ScalarOp::gt:
    return told(below(b, a), notAbove(a, b));
  case ScalarOp::ge:
    return told(notAbove(b, a), below(a, b));
  case ScalarOp::eq:
    return told(isNumber(a) && a == b, below(a, b) || below(b, a));
  default: // ne
    return told(below(a, b) || below(b, a), isNumber(a) && a == b);
  }
}

/// Each term's range from its operands', once.
class Evaluation {
public:
  Evaluation(const Terms &terms, const std::map<int32_t, Range> &ofGrid,
             const std::map<int32_t, Range> &told)
      : terms_(terms), ofGrid_(ofGrid), told_(told) {}

  Range of(int32_t term) {
    if (const auto known = known_.find(term); known != known_.end())
      return known->second;
    const Term &t = terms_[term];
    Range r = t.range;
    for (const auto *facts : {&ofGrid_, &told_})
      if (const auto at = facts->find(term); at != facts->end())
        r = both(r, at->second);
    if (t.kind == Term::operation && t.op != ScalarOp::load && t.ofLaunch)
      r = both(r, ofOperation(t));
    return known_[term] = r;
  }

private:
  Range of(Affine a) {
    return a.isConstant() ? Range{a.constant, a.constant}
                          : sum(of(a.term), {a.constant, a.constant});
  }

  Range ofOperation(const Term &t) {
    Range o[3];
    bool exact = true;
    int64_t values[3] = {0, 0, 0};
    for (int i = 0; i < t.operandCount; ++i) {
      o[i] = of(t.operands[i]);
      exact &= isNumber(o[i]);
      values[i] = o[i].lo;
    }
    switch (t.op) {
    case ScalarOp::add:
      return sum(o[0], o[1]);
    case ScalarOp::sub:
      return sum(o[0], negated(o[1]));
    case ScalarOp::mul:
      return product(o[0], o[1]);
    case ScalarOp::ceilDiv:
    case ScalarOp::divS:
      return quotient(t.op, o[0], o[1]);
    case ScalarOp::remS:
      return remainder(o[0], o[1]);
    case ScalarOp::minS:
      return {std::min(o[0].lo, o[1].lo), std::min(o[0].hi, o[1].hi)};
    case ScalarOp::maxS:
      return {std::max(o[0].lo, o[1].lo), std::max(o[0].hi, o[1].hi)};
    case ScalarOp::select:
      return isNumber(o[0]) ? o[o[0].lo != 0 ? 1 : 2]
                            : Range{std::min(o[1].lo, o[2].lo), std::max(o[1].hi, o[2].hi)};
    default:
      if (isComparison(t.op))
        return comparison(t.op, o[0], o[1]);
      if (!exact)
        return {};
      const int64_t value = arithmetic(t.op, values, t.operandCount, t.immediate);
      return {value, value};
    }
  }

  const Terms &terms_;
  const std::map<int32_t, Range> &ofGrid_, &told_;
  std::unordered_map<int32_t, Range> known_;
};

} // namespace

LaunchRanges::LaunchRanges(const Program &program, Terms &terms) : terms_(terms) {
  takeGrid(program);
}

/// Its extents are at least 1, and the coordinates of the first CTA of a cluster below them.
void LaunchRanges::takeGrid(const Program &program) {
  std::vector<Affine> frame(program.values);
  const Facts nothing;
  ProofScalars scalars(program, nullptr, terms_, nothing);
  const AgentPosition nobody(program, {});
  for (const Stmt &s : program.body.stmts) {
    if (auto *scalar = std::get_if<Scalar>(&s.op))
      frame[scalar->result] = scalars.scalar(*scalar, frame, nobody);
    auto *grid = std::get_if<Grid>(&s.op);
    for (size_t d = 0; grid && d < grid->extents.size(); ++d) {
      const Affine extent = frame[grid->extents[d]];
      const Affine first = terms_.coordinate(static_cast<int>(d), 0);
      const Affine sides[2] = {extent, first};
      const Affine left = terms_.operation(ScalarOp::sub, sides, 2, 0);
      for (const Affine &a : {extent, left})
        if (!a.isConstant())
          ofGrid_[a.term] = {1 - a.constant, infinite};
    }
    if (grid)
      return;
  }
}

bool LaunchRanges::allow(const Facts &facts) const {
  Evaluation evaluation(terms_, ofGrid_, facts.small());
  return std::ranges::all_of(facts.small(), [&](const auto &fact) {
    const Range r = evaluation.of(fact.first);
    return r.lo <= r.hi;
  });
}

} // namespace sluice

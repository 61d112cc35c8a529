#include "Verify/LaunchRanges.h"

#include "Program/Agent.h"
#include "Program/IntegerRange.h"
#include "Verify/Scalars.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace sluice {
namespace {

constexpr int64_t infinite = Range::infinite;

IntegerRange ofRange(Range a) {
  return {a.lo <= -infinite ? INT64_MIN : a.lo, a.hi >= infinite ? INT64_MAX : a.hi};
}

Range rangeOf(const IntegerRange &a) {
  return {std::clamp(a.least, -infinite, infinite), std::clamp(a.most, -infinite, infinite)};
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
                          : computed(ScalarOp::add, {of(a.term), {a.constant, a.constant}});
  }

  Range ofOperation(const Term &t) {
    std::array<Range, 3> o;
    for (int i = 0; i < t.operandCount; ++i)
      o[i] = of(t.operands[i]);
    if (t.op == ScalarOp::select && isNumber(o[0]))
      return o[o[0].lo != 0 ? 1 : 2];
    return isComparison(t.op) ? comparison(t.op, o[0], o[1]) : computed(t.op, o);
  }

  /// Where 64 bits do not hold a result, the launch is none that is proven.
  static Range computed(ScalarOp op, const std::array<Range, 3> &of) {
    const IntegerRange operands[3] = {ofRange(of[0]), ofRange(of[1]), ofRange(of[2])};
    bool overflows = false;
    return rangeOf(arithmetic(op, operands, overflows));
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

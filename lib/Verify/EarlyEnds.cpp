#include "Verify/EarlyEnds.h"

#include "Verify/Rewriting.h"

#include <algorithm>

namespace sluice {
namespace {

class EarlyEnds : Rewriting {
public:
  explicit EarlyEnds(const Program &program) : Rewriting(program) {}

  std::optional<Program> ended() {
    forScalars(program_.body, [this](Scalar &s) { rewriteComparison(s); });
    endIn(program_.body);
    return result();
  }

private:
  /// A loop does something while its variable is below `bound` + `more`, in the branch `active`.
  struct End {
    ValueId bound;
    int64_t more;
    bool active;
  };

  /// min(a, b) == a is a <= b; max(a, b) == a is a >= b.
  void rewriteComparison(Scalar &s) {
    if (s.op != ScalarOp::eq && s.op != ScalarOp::ne)
      return;
    for (const size_t side : {size_t{0}, size_t{1}}) {
      const Scalar *extreme = definition(s.operands[side]);
      const ValueId one = s.operands[1 - side];
      if (!extreme || (extreme->op != ScalarOp::minS && extreme->op != ScalarOp::maxS) ||
          std::ranges::find(extreme->operands, one) == extreme->operands.end())
        continue;
      const ValueId other = extreme->operands[extreme->operands[0] == one ? 1 : 0];
      const bool isLeast = extreme->op == ScalarOp::minS;
      const bool holds = s.op == ScalarOp::eq;
      s = {holds ? ScalarOp::le : ScalarOp::gt,
           s.result,
           {isLeast ? one : other, isLeast ? other : one}};
      define(s);
      found_ = true;
      return;
    }
  }

  void endIn(Block &block) {
    for (size_t i = 0; i < block.stmts.size(); ++i) {
      if (auto *loop = std::get_if<For>(&block.stmts[i].op))
        if (const std::optional<End> end = endOf(*loop))
          i += endEarly(block, i, *end);
      forBlocks(block.stmts[i], [this](Block &inner) { endIn(inner); });
    }
  }

  /// Beside arithmetic a body has branches on one comparison alone, which lead nowhere on one side.
  std::optional<End> endOf(const For &f) const {
    const int64_t *step = f.isWhile() ? nullptr : constantOf(f.step);
    ValueId condition = kNone;
    for (const Stmt &s : f.body.stmts)
      if (auto *branch = std::get_if<If>(&s.op);
          branch && (condition == kNone || condition == branch->condition))
        condition = branch->condition;
      else if (!isArithmetic(s))
        return {};
    if (!step || *step < 1 || condition == kNone)
      return {};
    const std::optional<End> end = endAt(f, condition);
    return end && leadsNowhere(f, !end->active) ? end : std::nullopt;
  }

  std::optional<End> endAt(const For &f, ValueId condition) const {
    const Scalar *s = definition(condition);
    if (!s || s->operands.size() != 2 || (s->operands[0] == f.iv) == (s->operands[1] == f.iv))
      return {};
    const bool first = s->operands[0] == f.iv;
    const ValueId bound = s->operands[first ? 1 : 0];
    if (changingIn(f).contains(bound))
      return {};
    const bool below = s->op == ScalarOp::lt || s->op == ScalarOp::le;
    const bool above = s->op == ScalarOp::gt || s->op == ScalarOp::ge;
    if (!below && !above)
      return {};
    const bool active = below == first; // t < b, t <= b, b > t, b >= t
    const bool strict = s->op == ScalarOp::lt || s->op == ScalarOp::gt;
    return End{bound, active == strict ? 0 : 1, active}; // t > b leaves t <= b
  }

  /// Whether rounds on one side of their branches hand on what they were handed.
  bool leadsNowhere(const For &f, bool side) const {
    std::map<ValueId, ValueId> is;
    for (const Stmt &s : f.body.stmts)
      if (auto *branch = std::get_if<If>(&s.op)) {
        const Block &block = side ? branch->thenBlock : branch->elseBlock;
        if (!std::ranges::all_of(block.stmts, isArithmetic))
          return false;
        for (size_t r = 0; r < branch->results.size(); ++r) {
          const auto known = is.find(block.yields[r]);
          is[branch->results[r]] = known == is.end() ? block.yields[r] : known->second;
        }
      }
    for (size_t k = 0; k < f.iterArgs.size(); ++k) {
      const auto known = is.find(f.body.yields[k]);
      if ((known == is.end() ? f.body.yields[k] : known->second) != f.iterArgs[k])
        return false;
    }
    return true;
  }

  /// Returns how many scalars stand before the loop for it.
  size_t endEarly(Block &block, size_t at, const End &end) {
    std::vector<Stmt> before;
    ValueId bound = end.bound;
    if (end.more) {
      bound = fresh();
      before.push_back(statement(Scalar{ScalarOp::add, bound, {end.bound, constant(end.more)}}));
    }
    auto &loop = std::get<For>(block.stmts[at].op);
    const Scalar least{ScalarOp::minS, fresh(), {loop.upper, bound}};
    before.push_back(statement(least));
    loop.upper = least.result;
    for (Stmt &s : loop.body.stmts)
      if (auto *branch = std::get_if<If>(&s.op))
        branch->condition = constant(end.active);
    for (const Stmt &s : before)
      define(std::get<Scalar>(s.op));
    block.stmts.insert(block.stmts.begin() + static_cast<std::ptrdiff_t>(at), before.begin(),
                       before.end());
    found_ = true;
    return before.size();
  }
};

} // namespace

std::optional<Program> withEarlyEnds(const Program &program) {
  return EarlyEnds(program).ended();
}

} // namespace sluice

#include "Verify/SplitLoops.h"

#include "Verify/Counted.h"
#include "Verify/LaunchOrder.h"
#include "Verify/Rewriting.h"

#include <algorithm>

namespace sluice {
namespace {

class Splitter : Rewriting {
public:
  explicit Splitter(const Program &program) : Rewriting(program), order_(program) {}

  std::optional<Program> split() {
    forScalars(program_.body, [this](Scalar &s) { rewriteComparison(s); });
    splitIn(program_.body);
    return result();
  }

private:
  /// A comparison holds where the variable is below `bound` + `more`; or (`below` false) elsewhere.
  struct Limit {
    ValueId bound = kNone;
    int64_t more = 0;
    bool below = true;
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

  /// Of the parts of a loop the last may be split again.
  void splitIn(Block &block) {
    for (size_t i = 0; i < block.stmts.size(); ++i) {
      while (const std::optional<Limit> limit = limitIn(block.stmts[i]))
        i += split(block, i, *limit);
      splitInner(block.stmts[i]);
    }
  }
  void splitInner(Stmt &s) {
    forBlocks(s, [this](Block &inner) { splitIn(inner); });
  }

  /// What a loop asks for first.
  std::optional<Limit> limitIn(Stmt &of) const {
    auto *loop = std::get_if<For>(&of.op);
    if (!loop || loop->isWhile() || !isConstant(loop->step, 1) || splits_ == mostSplits)
      return {};
    const std::set<ValueId> changing = changingIn(*loop);
    std::optional<Limit> found;
    forScalars(loop->body, [&](const Scalar &s) {
      const std::optional<Limit> limit = found ? std::nullopt : limitOf(s, loop->iv);
      if (limit && !constantOf(limit->bound) && !changing.contains(limit->bound))
        found = limit;
    });
    return found;
  }

  static std::optional<Limit> limitOf(const Scalar &s, ValueId variable) {
    if (!isComparison(s.op) || s.op == ScalarOp::eq || s.op == ScalarOp::ne ||
        (s.operands[0] == variable) == (s.operands[1] == variable))
      return {};
    const bool first = s.operands[0] == variable;
    const bool below = first == (s.op == ScalarOp::lt || s.op == ScalarOp::le);
    const bool strict = s.op == ScalarOp::lt || s.op == ScalarOp::gt;
    return Limit{s.operands[first ? 1 : 0], below == strict ? 0 : 1, below};
  }

  /// Returns how many statements stand before the second part, which stands behind the first; a
  /// part that does nothing is left out.
  size_t split(Block &block, size_t at, const Limit &limit) {
    std::vector<Stmt> all;
    For first = std::get<For>(block.stmts[at].op), second = first;
    const ValueId middle = middleOf(all, first, limit);
    first.upper = second.lower = middle;
    renew(second);
    decide(first, limit, true);
    decide(second, limit, false);
    if (isIdle(second)) {
      block.stmts[at].op = std::move(first);
    } else if (isIdle(first)) {
      block.stmts[at].op = std::move(second);
    } else {
      for (ValueId &v : first.results)
        v = fresh();
      second.inits = first.results;
      block.stmts[at].op = std::move(second);
      all.push_back(statement(std::move(first), block.stmts[at].loc));
      splitInner(all.back());
    }
    block.stmts.insert(block.stmts.begin() + static_cast<std::ptrdiff_t>(at),
                       std::make_move_iterator(all.begin()), std::make_move_iterator(all.end()));
    found_ = true;
    ++splits_;
    return all.size();
  }

  /// Hands on what it was handed, and does nothing else.
  static bool isIdle(const For &loop) {
    return std::ranges::all_of(loop.body.stmts, isArithmetic) && loop.body.yields == loop.iterArgs;
  }

  ValueId middleOf(std::vector<Stmt> &before, const For &loop, const Limit &limit) {
    ValueId middle = limit.bound;
    if (limit.more)
      middle = compute(before, ScalarOp::add, {middle, constant(limit.more)});
    const bool above = order_.isAtMost(loop.lower, middle);
    if (!order_.isAtMost(middle, loop.upper))
      middle = compute(before, ScalarOp::minS, {middle, loop.upper});
    return above ? middle : compute(before, ScalarOp::maxS, {middle, loop.lower});
  }

  /// Gives other names to all that a loop's body computes and is handed.
  void renew(For &loop) {
    std::map<ValueId, ValueId> names;
    const auto name = [&](ValueId &v) { v = names[v] = fresh(); };
    name(loop.iv);
    for (ValueId &v : loop.iterArgs)
      name(v);
    forStatements(loop.body, [&](Stmt &s) { forEachResult(s, name); });
    rename(loop.body, names);
    forScalars(loop.body, [this](const Scalar &s) { define(s); });
  }

  /// What such comparisons say in one part of the loop.
  void decide(For &loop, const Limit &limit, bool before) {
    forScalars(loop.body, [&](Scalar &s) {
      const std::optional<Limit> own = limitOf(s, loop.iv);
      if (!own || own->bound != limit.bound || own->more != limit.more)
        return;
      s = {ScalarOp::constant, s.result, {}, own->below == before};
      define(s);
    });
    takeArms(loop.body);
  }

  /// A branch of which it is known where it goes is what it goes to: loops are lined up by what is
  /// in them (LoopOrder).
  void takeArms(Block &block) {
    std::vector<Stmt> all;
    std::map<ValueId, ValueId> results;
    for (Stmt &s : block.stmts) {
      forBlocks(s, [this](Block &inner) { takeArms(inner); });
      auto *branch = std::get_if<If>(&s.op);
      const int64_t *holds = branch ? constantOf(branch->condition) : nullptr;
      if (!holds) {
        all.push_back(std::move(s));
        continue;
      }
      Block arm = std::move(*holds ? branch->thenBlock : branch->elseBlock);
      for (size_t r = 0; r < branch->results.size(); ++r) {
        const auto known = results.find(arm.yields[r]); // of a branch before
        results[branch->results[r]] = known == results.end() ? arm.yields[r] : known->second;
      }
      all.insert(all.end(), std::make_move_iterator(arm.stmts.begin()),
                 std::make_move_iterator(arm.stmts.end()));
    }
    block.stmts = std::move(all);
    rename(block, results);
  }

  static constexpr int mostSplits = 16;
  int splits_ = 0;
  const LaunchOrder order_;
};

} // namespace

std::optional<Program> withSplitLoops(const Program &program) {
  return Splitter(program).split();
}

} // namespace sluice

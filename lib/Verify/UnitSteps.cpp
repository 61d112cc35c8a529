#include "Verify/UnitSteps.h"

#include "Program/Agent.h"
#include "Verify/Counted.h"
#include "Verify/Rewriting.h"

namespace sluice {
namespace {

class UnitSteps : Rewriting {
public:
  explicit UnitSteps(const Program &program) : Rewriting(program) {
    walk(program_.body, [this](const Stmt &s) {
      if (auto *grid = std::get_if<Grid>(&s.op))
        extents_.insert(grid->extents.begin(), grid->extents.end());
    });
  }

  std::optional<Program> counted() {
    countIn(program_.body);
    return result();
  }

private:
  void countIn(Block &block) {
    for (size_t i = 0; i < block.stmts.size(); ++i) {
      forBlocks(block.stmts[i], [this](Block &inner) { countIn(inner); });
      auto *loop = std::get_if<For>(&block.stmts[i].op);
      if (!loop || loop->isWhile() || constantOf(loop->step) || extents_.contains(loop->step))
        continue; // a step by the grid is that of the tiles of a CTA
      const std::vector<Stmt> before = count(*loop);
      block.stmts.insert(block.stmts.begin() + static_cast<std::ptrdiff_t>(i), before.begin(),
                         before.end());
      i += before.size();
    }
  }

  /// From a to b by s >= 1 there are 1 + (b - a - 1) / s rounds, where b > a. Returns what computes
  /// that.
  std::vector<Stmt> count(For &loop) {
    std::vector<Stmt> before;
    const auto compute = [&](ScalarOp op, std::vector<ValueId> operands) {
      const Scalar s{op, fresh(), std::move(operands)};
      define(s);
      before.push_back(statement(s));
      return s.result;
    };
    const ValueId zero = constant(0), one = constant(1);
    const ValueId some = compute(ScalarOp::gt, {loop.upper, loop.lower});
    const ValueId span = compute(ScalarOp::sub, {loop.upper, loop.lower});
    const ValueId behind = compute(ScalarOp::sub, {span, one});
    const ValueId last = compute(ScalarOp::divS, {behind, loop.step}); // round, if there is any
    const ValueId rounds = compute(ScalarOp::add, {compute(ScalarOp::maxS, {last, zero}), one});
    const ValueId number = fresh();
    compareRounds(loop, number, last);
    const ValueId way = fresh();
    const Scalar product{ScalarOp::mul, way, {number, loop.step}};
    std::vector<Stmt> &body = loop.body.stmts;
    body.insert(body.begin(),
                {statement(product), statement(Scalar{ScalarOp::add, loop.iv, {loop.lower, way}})});
    loop.upper = compute(ScalarOp::select, {some, rounds, zero});
    loop.iv = number;
    loop.lower = zero;
    loop.step = one;
    found_ = true;
    return before;
  }

  /// What compares the variable with the start compares the round with 0; whether there is a step
  /// more, the round with the last one.
  void compareRounds(For &loop, ValueId number, ValueId last) {
    const auto isVariable = [&](ValueId v) { return v == loop.iv; };
    const auto isNext = [&](ValueId v) {
      const Scalar *s = definition(v);
      return s && s->op == ScalarOp::add &&
             ((s->operands[0] == loop.iv && s->operands[1] == loop.step) ||
              (s->operands[1] == loop.iv && s->operands[0] == loop.step));
    };
    forScalars(loop.body, [&](Scalar &s) {
      if (!isComparison(s.op))
        return;
      for (const size_t side : {size_t{0}, size_t{1}}) {
        const bool asks = s.op == (side == 0 ? ScalarOp::lt : ScalarOp::gt) ||
                          s.op == (side == 0 ? ScalarOp::ge : ScalarOp::le);
        if (isVariable(s.operands[side]) && isEqual(s.operands[1 - side], loop.lower))
          s.operands[side] = number, s.operands[1 - side] = constant(0);
        else if (asks && isNext(s.operands[side]) && isEqual(s.operands[1 - side], loop.upper))
          s.operands[side] = number, s.operands[1 - side] = last;
        else
          continue;
        define(s);
        return;
      }
    });
  }

  bool isEqual(ValueId a, ValueId b) const {
    const int64_t *number = constantOf(a);
    return a == b || (number && isConstant(b, *number));
  }

  std::set<ValueId> extents_; // of the grid
};

} // namespace

std::optional<Program> withUnitSteps(const Program &program) {
  return UnitSteps(program).counted();
}

} // namespace sluice

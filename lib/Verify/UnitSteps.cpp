#include "Verify/UnitSteps.h"

#include "Verify/Counted.h"
#include "Verify/SteppedLoops.h"

namespace sluice {
namespace {

/// Of numbers and extents of the grid see TileRounds.
class UnitSteps : public SteppedLoops {
public:
  explicit UnitSteps(const Program &program) : SteppedLoops(program, /*sure=*/false) {}

private:
  /// From a to b by s >= 1 there are 1 + (b - a - 1) / s rounds, where b > a. Returns what computes
  /// that.
  std::vector<Stmt> count(For &loop) override {
    std::vector<Stmt> before;
    const auto is = [&](ScalarOp op, std::vector<ValueId> operands) {
      return compute(before, op, std::move(operands));
    };
    const ValueId zero = constant(0), one = constant(1);
    const ValueId some = is(ScalarOp::gt, {loop.upper, loop.lower});
    const ValueId span = is(ScalarOp::sub, {loop.upper, loop.lower});
    const ValueId last = // round, if there is any
        is(ScalarOp::divS, {is(ScalarOp::sub, {span, one}), loop.step});
    const ValueId rounds = is(ScalarOp::add, {is(ScalarOp::maxS, {last, zero}), one});
    const ValueId number = fresh();
    compareRounds(loop, number, last);
    loop.upper = is(ScalarOp::select, {some, rounds, zero});
    countBy(loop, number);
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
        const bool asks = asksForMore(s, side);
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
};

} // namespace

std::optional<Program> withUnitSteps(const Program &program) {
  return UnitSteps(program).counted();
}

} // namespace sluice

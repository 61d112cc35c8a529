#include "Verify/FlatNumbers.h"

#include "Verify/NestedLoops.h"
#include "Verify/Rewriting.h"

namespace sluice {
namespace {

class Counter : Rewriting {
public:
  explicit Counter(Program program) : Rewriting(std::move(program)) {}

  std::optional<Program> counted() {
    countIn(program_.body);
    return result();
  }

private:
  void countIn(Block &block) {
    for (Stmt &s : block.stmts) {
      forBlocks(s, [this](Block &inner) { countIn(inner); });
      if (auto *loop = std::get_if<For>(&s.op))
        countOver(*loop);
    }
  }

  /// Of loops directly in this one that have the same bound in each of its iterations.
  void countOver(For &outer) {
    if (!countsFromZero(outer))
      return;
    const std::set<ValueId> changing = changingIn(outer);
    for (Stmt &s : outer.body.stmts)
      if (auto *inner = std::get_if<For>(&s.op);
          inner && countsFromZero(*inner) && !changing.contains(inner->upper))
        carry(outer, *inner);
  }

  bool countsFromZero(const For &loop) const {
    return !loop.isWhile() && isConstant(loop.lower, 0) && isConstant(loop.step, 1);
  }

  void carry(For &outer, For &inner) {
    const ValueId number = fresh(), start = fresh(), next = fresh(), end = fresh();
    bool replaced = false;
    forScalars(inner.body, [&](Scalar &s) {
      if (isNumber(s, outer.iv, inner))
        s.operands = {number, constant(0)}, replaced = true;
    });
    if (!replaced)
      return;
    inner.inits.push_back(start);
    inner.iterArgs.push_back(number);
    inner.results.push_back(end);
    inner.body.stmts.push_back(statement(Scalar{ScalarOp::add, next, {number, constant(1)}}));
    inner.body.yields.push_back(next);
    outer.inits.push_back(constant(0));
    outer.iterArgs.push_back(start);
    outer.results.push_back(fresh());
    outer.body.yields.push_back(end);
    found_ = true;
  }

  /// i * n + t
  bool isNumber(const Scalar &s, ValueId i, const For &inner) const {
    if (s.op != ScalarOp::add)
      return false;
    for (const size_t side : {size_t{0}, size_t{1}}) {
      const Scalar *product = definition(s.operands[1 - side]);
      if (s.operands[side] == inner.iv && product && product->op == ScalarOp::mul &&
          (product->operands == std::vector{i, inner.upper} ||
           product->operands == std::vector{inner.upper, i}))
        return true;
    }
    return false;
  }
};

} // namespace

std::optional<Program> withFlatNumbers(const Program &program) {
  auto nested = withNestedLoops(program);
  return Counter(nested ? std::move(*nested) : program).counted();
}

} // namespace sluice

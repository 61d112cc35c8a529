#include "Verify/NestedLoops.h"

#include "Program/Agent.h"
#include "Verify/Rewriting.h"
#include "Verify/Signs.h"

namespace sluice {
namespace {

class Nester : Rewriting {
public:
  explicit Nester(const Program &program)
      : Rewriting(program), neverNegative_(neverNegative(program)) {}

  std::optional<Program> nested() {
    nestIn(program_.body);
    return result();
  }

private:
  void nestIn(Block &block) {
    for (Stmt &s : block.stmts) {
      forBlocks(s, [this](Block &inner) { nestIn(inner); });
      if (auto *loop = std::get_if<For>(&s.op))
        if (const auto inner = innerOf(*loop))
          nest(s, *inner);
    }
  }

  /// Which factor of the loop's bound its body divides by; the second where it does not. With one
  /// that is never negative both are positive wherever there is a round.
  std::optional<size_t> innerOf(const For &loop) const {
    const Scalar *bound = loop.isWhile() ? nullptr : definition(loop.upper);
    if (!bound || bound->op != ScalarOp::mul || !isConstant(loop.lower, 0) ||
        !isConstant(loop.step, 1) ||
        (!isNeverNegative(bound->operands[0]) && !isNeverNegative(bound->operands[1])))
      return {};
    size_t found = 1;
    walk(loop.body, [&](const Stmt &s) {
      for (const size_t side : {size_t{0}, size_t{1}})
        if (auto *scalar = std::get_if<Scalar>(&s.op);
            scalar && isPart(*scalar, loop.iv, bound->operands[side]))
          found = side;
    });
    return found;
  }

  bool isNeverNegative(ValueId v) const {
    return static_cast<size_t>(v) < neverNegative_.size() && neverNegative_[v];
  }

  static bool isPart(const Scalar &s, ValueId of, ValueId by) {
    return (s.op == ScalarOp::divS || s.op == ScalarOp::remS) && s.operands[0] == of &&
           s.operands[1] == by;
  }

  void nest(Stmt &s, size_t side) {
    For inner = std::get<For>(s.op);
    const std::vector<ValueId> factors = definition(inner.upper)->operands;
    const ValueId number = inner.iv, by = factors[side];
    For outer{fresh(), constant(0), factors[1 - side], constant(1), inner.inits, {}, inner.results,
              {},      {}};
    inner.iv = fresh();
    inner.lower = constant(0);
    inner.upper = by;
    inner.step = constant(1);
    for (size_t i = 0; i < inner.inits.size(); ++i) {
      outer.iterArgs.push_back(fresh());
      inner.results[i] = fresh();
    }
    inner.inits = outer.iterArgs;
    replaceParts(inner.body, number, by, outer.iv, inner.iv);
    const ValueId before = fresh();
    inner.body.stmts.insert(inner.body.stmts.begin(),
                            {statement(Scalar{ScalarOp::mul, before, {outer.iv, by}}),
                             statement(Scalar{ScalarOp::add, number, {before, inner.iv}})});
    outer.body.yields = inner.results;
    outer.body.stmts.push_back(statement(std::move(inner), s.loc));
    s.op = std::move(outer);
    found_ = true;
  }

  /// i / n is the outer variable, i % n the inner one.
  void replaceParts(Block &block, ValueId of, ValueId by, ValueId outer, ValueId inner) {
    forScalars(block, [&](Scalar &s) {
      if (isPart(s, of, by))
        s = {ScalarOp::add, s.result, {s.op == ScalarOp::divS ? outer : inner, constant(0)}};
    });
  }

  const std::vector<bool> neverNegative_; // of the values that the author has
};

} // namespace

std::optional<Program> withNestedLoops(const Program &program) {
  return Nester(program).nested();
}

} // namespace sluice

#include "Verify/NestedLoops.h"

#include "Program/Agent.h"
#include "Verify/Signs.h"

#include <map>

namespace sluice {
namespace {

Stmt statement(Operation op, Location at = {}) {
  return {std::move(op), Exec::threads, Pipe::none, std::move(at)};
}

class Nester {
public:
  explicit Nester(const Program &program)
      : program_(program), neverNegative_(neverNegative(program)) {
    walk(program_.body, [this](const Stmt &s) {
      if (auto *scalar = std::get_if<Scalar>(&s.op))
        scalars_[scalar->result] = *scalar;
    });
    zero_ = program_.values++;
    one_ = program_.values++;
  }

  std::optional<Program> nested() {
    nestIn(program_.body);
    if (!found_)
      return {};
    std::vector<Stmt> &all = program_.body.stmts;
    all.insert(all.begin(), {statement(Scalar{ScalarOp::constant, zero_, {}, 0}),
                             statement(Scalar{ScalarOp::constant, one_, {}, 1})});
    return std::move(program_);
  }

private:
  void nestIn(Block &block) {
    for (Stmt &s : block.stmts)
      if (auto *loop = std::get_if<For>(&s.op)) {
        nestIn(loop->body);
        if (const auto inner = innerOf(*loop))
          nest(s, *inner);
      } else if (auto *role = std::get_if<Role>(&s.op)) {
        nestIn(role->body);
      } else if (auto *branch = std::get_if<If>(&s.op)) {
        nestIn(branch->thenBlock);
        nestIn(branch->elseBlock);
      }
  }

  /// Which factor of the loop's bound its body divides by; the second where it does not.
  std::optional<size_t> innerOf(const For &loop) const {
    const Scalar *bound = loop.isWhile() ? nullptr : definition(loop.upper);
    if (!bound || bound->op != ScalarOp::mul || !isConstant(loop.lower, 0) ||
        !isConstant(loop.step, 1) || !neverNegative_[bound->operands[0]] ||
        !neverNegative_[bound->operands[1]])
      return {};
    size_t found = 1;
    walk(loop.body, [&](const Stmt &s) {
      for (const size_t side : {size_t{0}, size_t{1}})
        if (isPart(s, loop.iv, bound->operands[side]))
          found = side;
    });
    return found;
  }

  static bool isPart(const Stmt &s, ValueId of, ValueId by) {
    auto *scalar = std::get_if<Scalar>(&s.op);
    return scalar && (scalar->op == ScalarOp::divS || scalar->op == ScalarOp::remS) &&
           scalar->operands[0] == of && scalar->operands[1] == by;
  }

  void nest(Stmt &s, size_t side) {
    For inner = std::get<For>(s.op);
    const std::vector<ValueId> factors = definition(inner.upper)->operands;
    const ValueId number = inner.iv, by = factors[side];
    For outer{fresh(), zero_, factors[1 - side], one_, inner.inits, {}, inner.results, {}, {}};
    inner.iv = fresh();
    inner.lower = zero_;
    inner.upper = by;
    inner.step = one_;
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
    for (Stmt &s : block.stmts)
      if (isPart(s, of, by)) {
        auto &part = std::get<Scalar>(s.op);
        part.operands = {part.op == ScalarOp::divS ? outer : inner, zero_};
        part.op = ScalarOp::add;
      } else if (auto *loop = std::get_if<For>(&s.op)) {
        replaceParts(loop->body, of, by, outer, inner);
      } else if (auto *branch = std::get_if<If>(&s.op)) {
        replaceParts(branch->thenBlock, of, by, outer, inner);
        replaceParts(branch->elseBlock, of, by, outer, inner);
      } else if (auto *role = std::get_if<Role>(&s.op)) {
        replaceParts(role->body, of, by, outer, inner);
      }
  }

  ValueId fresh() { return program_.values++; }
  const Scalar *definition(ValueId v) const {
    const auto at = scalars_.find(v);
    return at == scalars_.end() ? nullptr : &at->second;
  }
  bool isConstant(ValueId v, int64_t value) const {
    const Scalar *s = definition(v);
    return s && s->op == ScalarOp::constant && s->imm == value;
  }

  Program program_;
  const std::vector<bool> neverNegative_;
  std::map<ValueId, Scalar> scalars_;
  ValueId zero_ = kNone, one_ = kNone;
  bool found_ = false;
};

} // namespace

std::optional<Program> withNestedLoops(const Program &program) {
  return Nester(program).nested();
}

} // namespace sluice

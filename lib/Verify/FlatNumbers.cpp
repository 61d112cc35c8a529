#include "Verify/FlatNumbers.h"

#include "Program/Agent.h"
#include "Verify/NestedLoops.h"

#include <map>
#include <set>

namespace sluice {
namespace {

Stmt statement(const Scalar &s) {
  return {s, Exec::threads, Pipe::none, {}};
}

class Counter {
public:
  explicit Counter(Program program) : program_(std::move(program)) {
    walk(program_.body, [this](const Stmt &s) {
      if (auto *scalar = std::get_if<Scalar>(&s.op))
        scalars_[scalar->result] = *scalar;
    });
    zero_ = program_.values++;
    one_ = program_.values++;
  }

  std::optional<Program> counted() {
    countIn(program_.body);
    if (!found_)
      return {};
    std::vector<Stmt> &all = program_.body.stmts;
    all.insert(all.begin(), {statement({ScalarOp::constant, zero_, {}, 0}),
                             statement({ScalarOp::constant, one_, {}, 1})});
    program_.valueNames.resize(program_.values);
    return std::move(program_);
  }

private:
  void countIn(Block &block) {
    for (Stmt &s : block.stmts)
      if (auto *loop = std::get_if<For>(&s.op)) {
        countIn(loop->body);
        countOver(*loop);
      } else if (auto *role = std::get_if<Role>(&s.op)) {
        countIn(role->body);
      } else if (auto *branch = std::get_if<If>(&s.op)) {
        countIn(branch->thenBlock);
        countIn(branch->elseBlock);
      }
  }

  void countOver(For &outer) {
    if (!countsFromZero(outer))
      return;
    std::set<ValueId> within; // values that change with the outer loop
    for (const Stmt &s : outer.body.stmts)
      if (auto *scalar = std::get_if<Scalar>(&s.op))
        within.insert(scalar->result);
      else if (auto *loop = std::get_if<For>(&s.op))
        within.insert(loop->results.begin(), loop->results.end());
      else if (auto *branch = std::get_if<If>(&s.op))
        within.insert(branch->results.begin(), branch->results.end());
    within.insert(outer.iterArgs.begin(), outer.iterArgs.end());
    within.insert(outer.iv);
    for (Stmt &s : outer.body.stmts)
      if (auto *inner = std::get_if<For>(&s.op);
          inner && countsFromZero(*inner) && !within.contains(inner->upper))
        carry(outer, *inner);
  }

  bool countsFromZero(const For &loop) const {
    return !loop.isWhile() && isConstant(loop.lower, 0) && isConstant(loop.step, 1);
  }

  void carry(For &outer, For &inner) {
    const ValueId number = program_.values;
    if (!replaceIn(inner.body, outer.iv, inner, number))
      return;
    program_.values += 5;
    const ValueId start = number + 1, next = number + 2, end = number + 3;
    inner.inits.push_back(start);
    inner.iterArgs.push_back(number);
    inner.results.push_back(end);
    inner.body.stmts.push_back(statement({ScalarOp::add, next, {number, one_}}));
    inner.body.yields.push_back(next);
    outer.inits.push_back(zero_);
    outer.iterArgs.push_back(start);
    outer.results.push_back(number + 4);
    outer.body.yields.push_back(end);
    found_ = true;
  }

  /// Whether there was an i * n + t.
  bool replaceIn(Block &block, ValueId i, const For &inner, ValueId number) {
    bool found = false;
    for (Stmt &s : block.stmts)
      if (auto *scalar = std::get_if<Scalar>(&s.op)) {
        if (!isNumber(*scalar, i, inner))
          continue;
        scalar->operands = {number, zero_};
        found = true;
      } else if (auto *loop = std::get_if<For>(&s.op)) {
        found |= replaceIn(loop->body, i, inner, number);
      } else if (auto *branch = std::get_if<If>(&s.op)) {
        found |= replaceIn(branch->thenBlock, i, inner, number);
        found |= replaceIn(branch->elseBlock, i, inner, number);
      }
    return found;
  }

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

  const Scalar *definition(ValueId v) const {
    const auto at = scalars_.find(v);
    return at == scalars_.end() ? nullptr : &at->second;
  }
  bool isConstant(ValueId v, int64_t value) const {
    const Scalar *s = definition(v);
    return s && s->op == ScalarOp::constant && s->imm == value;
  }

  Program program_;
  std::map<ValueId, Scalar> scalars_;
  ValueId zero_ = kNone, one_ = kNone;
  bool found_ = false;
};

} // namespace

std::optional<Program> withFlatNumbers(const Program &program) {
  auto nested = withNestedLoops(program);
  return Counter(nested ? std::move(*nested) : program).counted();
}

} // namespace sluice

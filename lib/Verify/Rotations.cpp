#include "Verify/Rotations.h"

#include "Verify/LaunchOrder.h"
#include "Verify/Rewriting.h"

#include <algorithm>

namespace sluice {
namespace {

class Rotations : Rewriting {
public:
  explicit Rotations(const Program &program) : Rewriting(program), order_(program) {}

  std::optional<Program> removed() {
    removeIn(program_.body);
    return result();
  }

private:
  /// A carried number that counts up to `by` and starts anew.
  struct Rotation {
    ValueId number, next, by;
  };
  /// One value where a condition holds, else the other one.
  struct Chosen {
    ValueId condition, one, other;
  };
  /// The condition holds where k + 1 reaches `by`, or (`reaches` false) where it does not.
  struct Limit {
    ValueId by;
    bool reaches, exactly; // k + 1 == by
  };

  void removeIn(Block &block) {
    for (Stmt &s : block.stmts) {
      forBlocks(s, [this](Block &inner) { removeIn(inner); });
      auto *loop = std::get_if<For>(&s.op);
      if (loop && !loop->isWhile() && isConstant(loop->lower, 0) && isConstant(loop->step, 1))
        removeFrom(*loop);
    }
  }

  void removeFrom(For &loop) {
    const std::set<ValueId> changing = changingIn(loop);
    for (size_t i = 0; i < loop.iterArgs.size(); ++i) {
      const std::optional<Rotation> rotation = rotationOf(loop, i, changing);
      if (!rotation)
        continue;
      std::vector<Stmt> before;
      std::map<ValueId, ValueId> plain;
      const ValueId rest = compute(before, ScalarOp::remS, {loop.iv, rotation->by});
      const ValueId round = compute(before, ScalarOp::divS, {loop.iv, rotation->by});
      for (size_t j = 0; j < loop.iterArgs.size(); ++j)
        if (const ValueId more = addedIn(loop, j, *rotation);
            more != kNone && !changing.count(more)) {
          const ValueId all = compute(before, ScalarOp::mul, {round, more});
          plain[loop.iterArgs[j]] = compute(before, ScalarOp::add, {loop.inits[j], all});
        }
      plain[loop.iterArgs[i]] = rest;
      rename(loop.body, plain);
      loop.body.stmts.insert(loop.body.stmts.begin(), before.begin(), before.end());
      found_ = true;
    }
  }

  std::optional<Rotation> rotationOf(const For &loop, size_t i,
                                     const std::set<ValueId> &changing) const {
    const ValueId number = loop.iterArgs[i], next = loop.body.yields[i];
    if (!isConstant(loop.inits[i], 0))
      return {};
    const Scalar *s = definition(next);
    if (s && s->op == ScalarOp::remS && isNext(s->operands[0], number) &&
        !constantOf(s->operands[1]) && !changing.contains(s->operands[1]))
      return Rotation{number, next, s->operands[1]};
    const std::optional<Chosen> chosen = chosenIn(loop, next);
    const std::optional<Limit> limit = chosen ? limitOf(chosen->condition, number) : std::nullopt;
    if (!limit || constantOf(limit->by) || changing.contains(limit->by))
      return {};
    const ValueId back = limit->reaches ? chosen->one : chosen->other;
    const ValueId on = limit->reaches ? chosen->other : chosen->one;
    const bool fits = isPositive(loop, limit->by) ||
                      (!limit->exactly && order_.isAtLeast(limit->by, 0)); // by 0 it stays 0
    return isConstant(back, 0) && isNext(on, number) && fits
               ? std::optional(Rotation{number, next, limit->by})
               : std::nullopt;
  }

  /// What a carried number has more whenever the rotation starts anew; kNone: it is no such number.
  ValueId addedIn(const For &loop, size_t j, const Rotation &rotation) const {
    const ValueId number = loop.iterArgs[j];
    const std::optional<Chosen> chosen = chosenIn(loop, loop.body.yields[j]);
    if (!chosen || number == rotation.number || !isPositive(loop, rotation.by))
      return kNone;
    std::optional<bool> reaches = isZero(chosen->condition, rotation.next);
    if (const auto limit = limitOf(chosen->condition, rotation.number);
        limit && limit->by == rotation.by)
      reaches = limit->reaches;
    if (!reaches || (*reaches ? chosen->other : chosen->one) != number)
      return kNone;
    return addedTo(number, *reaches ? chosen->one : chosen->other);
  }

  /// By a selection, or a branch directly in the loop.
  std::optional<Chosen> chosenIn(const For &loop, ValueId v) const {
    if (const Scalar *s = definition(v))
      return s->op == ScalarOp::select
                 ? std::optional(Chosen{s->operands[0], s->operands[1], s->operands[2]})
                 : std::nullopt;
    for (const Stmt &s : loop.body.stmts)
      if (auto *branch = std::get_if<If>(&s.op))
        for (size_t r = 0; r < branch->results.size(); ++r)
          if (branch->results[r] == v)
            return Chosen{branch->condition, branch->thenBlock.yields[r],
                          branch->elseBlock.yields[r]};
    return {};
  }

  /// k + 1 == n, k == n - 1, k + 1 < n and so on.
  std::optional<Limit> limitOf(ValueId condition, ValueId number) const {
    const Scalar *s = definition(condition);
    if (!s || s->operands.size() != 2)
      return {};
    for (const size_t side : {size_t{0}, size_t{1}}) {
      const ValueId one = s->operands[side], other = s->operands[1 - side];
      const ValueId by = isNext(one, number) ? other : one == number ? oneMore(other) : kNone;
      if (by == kNone)
        continue;
      if (s->op == ScalarOp::eq || s->op == ScalarOp::ne)
        return Limit{by, s->op == ScalarOp::eq, true};
      if (s->op == (side == 0 ? ScalarOp::ge : ScalarOp::le))
        return Limit{by, true, false};
      if (s->op == (side == 0 ? ScalarOp::lt : ScalarOp::gt))
        return Limit{by, false, false};
    }
    return {};
  }

  /// Whether the condition is v == 0; false: v != 0.
  std::optional<bool> isZero(ValueId condition, ValueId v) const {
    const Scalar *s = definition(condition);
    if (!s || (s->op != ScalarOp::eq && s->op != ScalarOp::ne))
      return {};
    for (const size_t side : {size_t{0}, size_t{1}})
      if (s->operands[side] == v && isConstant(s->operands[1 - side], 0))
        return s->op == ScalarOp::eq;
    return {};
  }

  bool isNext(ValueId v, ValueId number) const {
    const ValueId more = addedTo(number, v);
    return more != kNone && isConstant(more, 1);
  }
  /// Of n - 1 it is n.
  ValueId oneMore(ValueId v) const {
    const Scalar *s = definition(v);
    if (!s || s->operands.size() != 2)
      return kNone;
    const bool less = (s->op == ScalarOp::sub && isConstant(s->operands[1], 1)) ||
                      (s->op == ScalarOp::add && isConstant(s->operands[1], -1));
    return less ? s->operands[0] : kNone;
  }

  /// In every round: the rounds are a product with it, in which nothing is negative, or it always
  /// is.
  bool isPositive(const For &loop, ValueId v) const {
    const Scalar *s = definition(loop.upper);
    if (s && s->op == ScalarOp::mul && std::ranges::find(s->operands, v) != s->operands.end() &&
        (order_.isAtLeast(s->operands[0], 0) || order_.isAtLeast(s->operands[1], 0)))
      return true;
    return order_.isAtLeast(v, 1);
  }

  const LaunchOrder order_;
};

} // namespace

std::optional<Program> withoutRotations(const Program &program) {
  return Rotations(program).removed();
}

} // namespace sluice

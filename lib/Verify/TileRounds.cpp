#include "Verify/TileRounds.h"

#include "Verify/Counted.h"
#include "Verify/SteppedLoops.h"

namespace sluice {
namespace {

class TileRounds : public SteppedLoops {
public:
  explicit TileRounds(const Program &program) : SteppedLoops(program, /*sure=*/true) {}

private:
  /// The step is a number, or an extent of the grid, which a CTA that runs has. So from a to b by s
  /// there are ceildiv(b - a, s) rounds, if that is positive, and to min(b, a + k s) at most k.
  /// Returns what computes that.
  std::vector<Stmt> count(For &loop) override {
    std::vector<Stmt> before;
    const std::optional<Limit> limit = limitOf(loop);
    const ValueId end = limit ? limit->end : loop.upper;
    const ValueId span = compute(before, ScalarOp::sub, {end, loop.lower});
    const ValueId all = compute(before, ScalarOp::ceilDiv, {span, loop.step});
    const ValueId number = fresh();
    loop.upper = limit ? compute(before, ScalarOp::minS, {all, constant(limit->rounds)}) : all;
    nameRounds(loop, number);
    countBy(loop, number, compareRounds(loop, end, number, all));
    return before;
  }

  /// Of a loop to min(end, lower + rounds * step).
  struct Limit {
    ValueId end;
    int64_t rounds;
  };
  std::optional<Limit> limitOf(const For &loop) const {
    const Scalar *least = definition(loop.upper);
    if (!least || least->op != ScalarOp::minS)
      return {};
    for (const size_t side : {size_t{0}, size_t{1}})
      if (const auto rounds = stepsBehind(loop.lower, least->operands[side], loop.step))
        return Limit{least->operands[1 - side], *rounds};
    return {};
  }

  /// k of v = from + k * step; k >= 0.
  std::optional<int64_t> stepsBehind(ValueId from, ValueId v, ValueId step) const {
    if (v == from)
      return 0;
    if (const int64_t *a = constantOf(from), *b = constantOf(v), *s = constantOf(step); a && b && s)
      return steps(*b - *a, *s);
    const ValueId more = addedTo(from, v);
    return more == kNone ? std::nullopt : multipleOf(more, step);
  }

  static std::optional<int64_t> steps(int64_t distance, int64_t step) {
    return distance >= 0 && distance % step == 0 ? std::optional(distance / step) : std::nullopt;
  }

  std::optional<int64_t> multipleOf(ValueId v, ValueId step) const {
    if (v == step)
      return 1;
    if (const int64_t *number = constantOf(v), *s = constantOf(step); number && s)
      return steps(*number, *s);
    const Scalar *product = definition(v);
    if (!product || product->op != ScalarOp::mul)
      return {};
    for (const size_t side : {size_t{0}, size_t{1}})
      if (const int64_t *k = constantOf(product->operands[1 - side]);
          k && *k >= 0 && product->operands[side] == step)
        return *k;
    return {};
  }

  /// (variable - start) / step is the number of the round.
  void nameRounds(For &loop, ValueId number) {
    std::map<ValueId, ValueId> rounds;
    forScalars(loop.body, [&](const Scalar &s) {
      const Scalar *way = s.op == ScalarOp::divS ? definition(s.operands[0]) : nullptr;
      if (way && way->op == ScalarOp::sub && s.operands[1] == loop.step &&
          way->operands == std::vector{loop.iv, loop.lower})
        rounds[s.result] = number;
    });
    rename(loop.body, rounds);
  }

  /// Whether there are k steps more is whether the number of the round and k are below that of all.
  /// Returns what computes these sums.
  std::vector<Stmt> compareRounds(For &loop, ValueId end, ValueId number, ValueId all) {
    std::vector<Stmt> sums;
    forScalars(loop.body, [&](Scalar &s) {
      for (const size_t side : {size_t{0}, size_t{1}}) {
        const auto k = asksForMore(s, side) && s.operands[1 - side] == end
                           ? stepsBehind(loop.iv, s.operands[side], loop.step)
                           : std::nullopt;
        if (!k)
          continue;
        const Scalar sum{ScalarOp::add, fresh(), {number, constant(*k)}};
        define(sum);
        sums.push_back(statement(sum));
        s.operands[side] = sum.result;
        s.operands[1 - side] = all;
        define(s);
      }
    });
    return sums;
  }
};

} // namespace

std::optional<Program> withTileRounds(const Program &program) {
  return TileRounds(program).counted();
}

} // namespace sluice

// Loops: what they count, and what they carry from one iteration to the next.
#include "Program/Ranges.h"

#include <algorithm>
#include <numeric>

namespace sluice {
namespace {

/// No loop has more iterations: one in a nanosecond, for a hundred days.
constexpr int64_t mostIterations = int64_t{1} << 53;

IntegerRange sum(const IntegerRange &x, const IntegerRange &y) {
  const IntegerRange operands[2] = {x, y};
  bool overflows = false;
  return arithmetic(ScalarOp::add, operands, overflows);
}

} // namespace

IntegerRange Ranges::counter(const For &f) const {
  const IntegerRange lower = of(f.lower), upper = of(f.upper), step = of(f.step);
  if (f.isWhile())
    return {};
  return {step.least < 0 ? INT64_MIN : lower.least,
          std::max(lower.least, upper.most == INT64_MIN ? INT64_MIN : upper.most - 1),
          std::gcd(lower.multiple, step.multiple)};
}

int64_t Ranges::mostTrips(const For &f) const {
  const IntegerRange lower = of(f.lower), upper = of(f.upper), step = of(f.step);
  if (f.isWhile() || step.least < 1)
    return mostIterations;
  const __int128 distance = static_cast<__int128>(upper.most) - lower.least;
  const __int128 trips = (distance + step.least - 1) / step.least;
  return int64_t(std::clamp<__int128>(trips, 0, mostIterations));
}

/// In the body the upper bound is above 0 if the loop begins at 0 or later.
void Ranges::loop(const For &f) {
  const size_t before = raised_.size();
  bounds_.erase(f.iv); // of a round before, in which more was known
  if (!f.isWhile() && of(f.lower).least >= 0) {
    bounds_[f.iv] = productOf(f.upper);
    raise(f.upper);
  }
  values_[f.iv] = counter(f);
  for (size_t i = 0; i < f.inits.size(); ++i) {
    loopOf_[f.results[i]] = {&f, i};
    values_[f.iterArgs[i]] = of(f.inits[i]);
  }
  settle(f);
  for (size_t i = 0; i < f.results.size(); ++i)
    values_[f.results[i]] = values_[f.iterArgs[i]];
  restore(before);
}

/// Carried values that contain their initial value and what an iteration makes of them. Those that
/// grow are first taken for anything, then for what as many steps make of them.
void Ranges::settle(const For &f) {
  constexpr int rounds = 3;
  bool changed = true;
  for (int i = 0; changed && i < rounds; ++i) {
    block(f.body);
    changed = false;
    for (size_t c = 0; c < f.iterArgs.size(); ++c) {
      IntegerRange &carried = values_[f.iterArgs[c]];
      const IntegerRange next = join(carried, of(f.body.yields[c]));
      changed |= !(next == carried);
      carried = next;
    }
  }
  if (!changed)
    return;
  block(f.body);
  while (widen(f))
    block(f.body);
  for (int i = 0; i < rounds; ++i) {
    narrow(f);
    block(f.body);
  }
}

/// Ends that an iteration moves go as far as they can.
bool Ranges::widen(const For &f) {
  bool changed = false;
  for (size_t c = 0; c < f.iterArgs.size(); ++c) {
    IntegerRange &carried = values_[f.iterArgs[c]];
    const IntegerRange next = join(carried, of(f.body.yields[c]));
    if (next == carried)
      continue;
    changed = true;
    carried = {next.least < carried.least ? INT64_MIN : carried.least,
               next.most > carried.most ? INT64_MAX : carried.most, next.multiple};
  }
  return changed;
}

void Ranges::narrow(const For &f) {
  std::vector<IntegerRange> next;
  for (size_t c = 0; c < f.iterArgs.size(); ++c) {
    const IntegerRange init = of(f.inits[c]);
    next.push_back(meet(of(f.iterArgs[c]), join(init, of(f.body.yields[c]))));
    if (IntegerRange by; increment(f.body.yields[c], f.iterArgs[c], by))
      next.back() = meet(next.back(), sum(init, repeated(by, mostTrips(f))));
  }
  for (size_t c = 0; c < f.iterArgs.size(); ++c)
    values_[f.iterArgs[c]] = next[c];
}

/// The sum of 0 to `times` such numbers.
IntegerRange Ranges::repeated(const IntegerRange &by, int64_t times) const {
  const IntegerRange operands[2] = {by, {0, times, 1}};
  bool overflows = false;
  return arithmetic(ScalarOp::mul, operands, overflows);
}

/// v - from, if v is a sum in which `from` stands once.
bool Ranges::increment(ValueId v, ValueId from, IntegerRange &by, int depth) const {
  constexpr int mostDepth = 24;
  if (v == from) {
    by = IntegerRange::of(0);
    return true;
  }
  if (v < 0 || depth > mostDepth)
    return false;
  IntegerRange one, other;
  const auto either = [&](ValueId x, ValueId y) {
    if (!increment(x, from, one, depth + 1) || !increment(y, from, other, depth + 1))
      return false;
    by = join(one, other);
    return true;
  };
  if (const auto found = branchOf_.find(v); found != branchOf_.end()) {
    const auto [branch, i] = found->second;
    return either(branch->thenBlock.yields[i], branch->elseBlock.yields[i]);
  }
  if (const auto found = loopOf_.find(v); found != loopOf_.end()) {
    const auto [inner, i] = found->second;
    if (!increment(inner->inits[i], from, one, depth + 1) ||
        !increment(inner->body.yields[i], inner->iterArgs[i], other, depth + 1))
      return false;
    by = sum(one, repeated(other, mostTrips(*inner)));
    return true;
  }
  const Scalar *s = definitions_[v];
  if (!s || (s->op != ScalarOp::add && s->op != ScalarOp::sub && s->op != ScalarOp::select))
    return false;
  if (s->op == ScalarOp::select)
    return either(s->operands[1], s->operands[2]);
  const bool isFirst = increment(s->operands[0], from, one, depth + 1);
  if (!isFirst && (s->op == ScalarOp::sub || !increment(s->operands[1], from, one, depth + 1)))
    return false;
  const IntegerRange operands[2] = {one, of(s->operands[isFirst ? 1 : 0])};
  bool overflows = false;
  by = arithmetic(s->op, operands, overflows);
  return true;
}

} // namespace sluice

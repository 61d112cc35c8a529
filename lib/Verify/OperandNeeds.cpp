#include "Verify/OperandNeeds.h"

#include "Verify/Terms.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace sluice {
namespace {

constexpr int64_t largestModulus = 1 << 20;
constexpr int64_t largestHead = int64_t{1} << 40;

/// Of the value alone, without where it is used.
Need plain(Need need) {
  need.order = need.bound = need.slot = need.drawn = false;
  return need;
}

} // namespace

bool Need::join(const Need &o) {
  const Need before = *this;
  exact |= o.exact;
  order |= o.order;
  bound |= o.bound;
  slot |= o.slot;
  drawn |= o.drawn;
  head = std::max(head, o.head);
  modulus = std::lcm(modulus, o.modulus);
  if (modulus > largestModulus || head > largestHead)
    exact = true;
  if (exact)
    *this = Need{.exact = true, .order = order, .bound = bound, .drawn = drawn};
  return exact != before.exact || modulus != before.modulus || head != before.head ||
         order != before.order || bound != before.bound || slot != before.slot ||
         drawn != before.drawn;
}

Need OperandNeeds::of(const Scalar &s, size_t i, const Need &need, bool ofLaunch) const {
  if (s.op == ScalarOp::load) // the element is another unknown
    return need.any() ? Need::ofBound() : Need{};
  Need all = need.value() || need.order ? value(s, i, need, ofLaunch) : Need{};
  if (need.bound)
    all.join(Need::ofBound());
  if (need.drawn)
    all.join(Need::ofDrawn());
  return all;
}

Need OperandNeeds::value(const Scalar &s, size_t i, const Need &need, bool ofLaunch) const {
  const bool two = s.operands.size() == 2;
  const int64_t *other = two ? values_.constant(s.operands[1 - i]) : nullptr;
  const bool byConstant = i == 0 && other && *other > 0;
  const bool byShift = i == 0 && other && *other >= 0 && *other < 32;
  const bool ofCursors = s.op == ScalarOp::cursorAdvance || s.op == ScalarOp::select;
  if (need.slot && !ofCursors)
    return Need::exactly();
  switch (s.op) {
  case ScalarOp::add:
  case ScalarOp::sub:
    return shifted(s, i, need);
  case ScalarOp::mul:
    return other ? scaled(*other, need) : Need::exactly();
  case ScalarOp::shl:
    return byShift ? scaled(int64_t{1} << *other, need) : Need::exactly();
  case ScalarOp::shrS: // rounds down, as a division of what is never negative
    return byShift ? divided(s.operands[0], int64_t{1} << *other, need) : Need::exactly();
  case ScalarOp::remS:
    return byConstant ? remainder(s.operands[0], *other) : Need::exactly();
  case ScalarOp::divS:
  case ScalarOp::ceilDiv: {
    Need quotient = need;
    quotient.order &= !ofLaunch;
    return byConstant ? divided(s.operands[0], *other, quotient) : Need::exactly();
  }
  case ScalarOp::minS:
  case ScalarOp::maxS:
    return limited(s, i, need);
  case ScalarOp::andI:
    if (other && *other >= 0 && *other < largestModulus)
      return Need::remainder(
          static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(*other) + 1)));
    return Need::exactly();
  case ScalarOp::cursorSlot:
    return Need::ofSlot();
  case ScalarOp::cursorAdvance:
    if (i == 0)
      return need.exact ? Need::exactly() : Need::ofSlot();
    return Need::remainder(2 * std::max<int64_t>(s.imm, 1));
  case ScalarOp::select:
    return i == 0 ? Need::exactly() : need;
  default:
    return two && isComparison(s.op) ? compared(s, i) : Need::exactly();
  }
}

/// What a comparison asks. Numbers of one loop keep their distance; of what it lets go either way
/// it takes the terms alone.
Need OperandNeeds::compared(const Scalar &s, size_t i) const {
  switch (values_.comparison(s)) {
  case Comparison::open:
    return Need::ofBound();
  case Comparison::ofNumbers:
    return values_.counts(s.operands[i]) ? Need::ofOrder() : Need::ofBound();
  case Comparison::plain:
    break;
  }
  if (const auto c = values_.constant(s.operands[1 - i])) // beyond it all are alike
    return Need::upTo(std::max<int64_t>(*c, 0) + 1);
  // Of two that no loop counts, or that take few values.
  return values_.isFinite(s.operands[i]) ? Need::exactly() : Need::ofBound();
}

/// x + c, x - c, c - x: remainders and distances follow, and what lies below follows unless it is
/// mirrored.
Need OperandNeeds::shifted(const Scalar &s, size_t i, const Need &need) const {
  const int64_t *other = values_.constant(s.operands[1 - i]);
  const bool mirrored = s.op == ScalarOp::sub && i == 1;
  if (!other) {
    const bool remainders = !need.exact && need.head < 0 && !need.order;
    return remainders ? plain(need) : Need::exactly();
  }
  Need n = need;
  n.slot = n.bound = false;
  if (mirrored && (n.head >= 0 || n.order))
    return Need::exactly();
  if (n.head >= 0)
    n.head = std::max(n.head - (s.op == ScalarOp::add ? *other : -*other), int64_t{0});
  return n;
}

/// c * x: x mod m tells c * x mod m; of a positive factor, what is at most h comes of x at most h.
Need OperandNeeds::scaled(int64_t factor, const Need &need) const {
  if (factor == 0)
    return {};
  if (need.order && factor != 1)
    return Need::exactly();
  if (need.head >= 0 && factor < 0)
    return Need::exactly();
  Need n = need;
  n.slot = n.bound = false;
  return n;
}

/// floor(x / c) and ceil(x / c) for x >= 0; where x may be negative, up to 0 it matters exactly.
Need OperandNeeds::divided(ValueId operand, int64_t divisor, const Need &need) const {
  const bool far = std::max<int64_t>(need.head + 1, largestModulus) > largestHead / divisor;
  if (need.exact || need.order || far) // so far that the bounds below have no 64 bits
    return Need::exactly();
  Need n = need.modulus > 1 ? Need::remainder(need.modulus * divisor) : Need{};
  if (need.head >= 0)
    n.join(Need::upTo((need.head + 1) * divisor));
  else if (!neverNegative_[operand])
    n.join(Need::upTo(0));
  return n;
}

Need OperandNeeds::remainder(ValueId operand, int64_t modulus) const {
  Need n = Need::remainder(modulus);
  if (!neverNegative_[operand]) // x % m is negative there
    n.join(Need::upTo(0));
  return n;
}

/// min and max: with a constant, beyond it the other operand does not matter or is the result.
Need OperandNeeds::limited(const Scalar &s, size_t i, const Need &need) const {
  if (const auto c = values_.constant(s.operands[1 - i])) {
    if (need.order)
      return Need::exactly();
    const int64_t limit = std::max<int64_t>(*c, 0);
    if (s.op == ScalarOp::minS)
      return Need::upTo(limit);
    if (need.exact)
      return Need::exactly();
    Need n = plain(need);
    n.join(Need::upTo(limit + 1));
    return n;
  }
  Need n = need;
  n.slot = false;
  n.join(compared(s, i));
  return n;
}

} // namespace sluice

#include "Program/IntegerRange.h"

#include <algorithm>
#include <initializer_list>
#include <numeric>

namespace sluice {
namespace {

using Wide = __int128;

constexpr int64_t mostMultiple = int64_t{1} << 40; // no larger one is kept

/// The hull of exact results, as far as 64 bits go.
class Hull {
public:
  explicit Hull(bool &overflows) : overflows_(overflows) {}

  void add(Wide n) {
    least_ = empty_ ? n : std::min(least_, n);
    most_ = empty_ ? n : std::max(most_, n);
    empty_ = false;
  }
  IntegerRange range(int64_t multiple) const {
    overflows_ |= least_ < INT64_MIN || most_ > INT64_MAX;
    return {int64_t(std::clamp<Wide>(least_, INT64_MIN, INT64_MAX)),
            int64_t(std::clamp<Wide>(most_, INT64_MIN, INT64_MAX)), multiple};
  }

private:
  bool &overflows_;
  bool empty_ = true;
  Wide least_ = 0, most_ = 0;
};

/// Of a result that lies between those of its operands' ends.
template <typename F>
IntegerRange ends(const IntegerRange &a, const IntegerRange &b, int64_t multiple, bool &overflows,
                  F f) {
  Hull hull(overflows);
  for (const int64_t x : {a.least, a.most})
    for (const int64_t y : {b.least, b.most})
      hull.add(f(x, y));
  return hull.range(multiple);
}

Wide rounded(Wide x, Wide y, bool up) {
  const Wide q = x / y;
  return up && x % y != 0 && (x < 0) == (y < 0) ? q + 1 : q;
}

/// x / 0 is 0. Between divisors of one sign the quotient has its ends at theirs.
IntegerRange quotient(const IntegerRange &a, const IntegerRange &b, bool up, bool &overflows) {
  Hull hull(overflows);
  for (const int64_t y : {b.least, b.most, int64_t{-1}, int64_t{1}})
    if (y != 0 && b.contains(y))
      for (const int64_t x : {a.least, a.most})
        hull.add(rounded(x, y, up));
  if (b.contains(0))
    hull.add(0);
  const int64_t by = b.least == b.most ? IntegerRange::of(b.least).multiple : 0;
  return hull.range(by && a.multiple % by == 0 ? a.multiple / by : 1);
}

/// Its sign is that of x; x % 0 is 0.
IntegerRange remainder(const IntegerRange &a, const IntegerRange &b) {
  const int64_t y = std::max(b.most, b.least == INT64_MIN ? INT64_MAX : -b.least);
  const int64_t reach = std::max<int64_t>(y - 1, 0);
  return {a.least < 0 ? std::max(a.least, -reach) : 0, a.most > 0 ? std::min(a.most, reach) : 0,
          std::gcd(a.multiple, b.multiple)};
}

/// All numbers of as many bits as both have.
IntegerRange sameBits(const IntegerRange &a, const IntegerRange &b) {
  int64_t ones = 0;
  for (const IntegerRange &i : {a, b})
    while (!i.isWithin(-ones - 1, ones))
      ones = 2 * ones + 1;
  return {a.least < 0 || b.least < 0 ? -ones - 1 : 0, ones};
}

IntegerRange bitwiseAnd(const IntegerRange &a, const IntegerRange &b) {
  if (a.least < 0 && b.least < 0)
    return sameBits(a, b);
  if (a.least >= 0 && b.least >= 0)
    return {0, std::min(a.most, b.most)};
  return {0, a.least >= 0 ? a.most : b.most};
}

/// What leaves the 64 bits on the left is lost, as on the machine.
IntegerRange shiftedLeft(const IntegerRange &a, const IntegerRange &b) {
  bool lost = false;
  if (!b.isWithin(0, 63))
    return {};
  const int64_t by = int64_t{1} << std::min<int64_t>(b.least, 40);
  const IntegerRange kept = ends(a, b, a.multiple > mostMultiple / by ? 1 : a.multiple * by, lost,
                                 [](int64_t x, int64_t n) { return Wide(x) * (Wide(1) << n); });
  return lost ? IntegerRange{} : kept;
}

IntegerRange shiftedRight(const IntegerRange &a, const IntegerRange &b) {
  const IntegerRange by = b.isWithin(0, 63) ? b : IntegerRange{0, 63};
  bool lost = false;
  return ends(a, by, 1, lost, [](int64_t x, int64_t n) { return Wide(x >> n); });
}

} // namespace

IntegerRange join(const IntegerRange &x, const IntegerRange &y) {
  return {std::min(x.least, y.least), std::max(x.most, y.most), std::gcd(x.multiple, y.multiple)};
}

IntegerRange meet(const IntegerRange &x, const IntegerRange &y) {
  const int64_t least = std::max(x.least, y.least), most = std::min(x.most, y.most);
  return {least, std::max(least, most), std::max(x.multiple, y.multiple)};
}

IntegerRange arithmetic(ScalarOp op, const IntegerRange *operands, bool &overflows) {
  const IntegerRange &a = operands[0], &b = operands[1];
  const int64_t common = std::gcd(a.multiple, b.multiple);
  switch (op) {
  case ScalarOp::add:
    return ends(a, b, common, overflows, [](Wide x, Wide y) { return x + y; });
  case ScalarOp::sub:
    return ends(a, b, common, overflows, [](Wide x, Wide y) { return x - y; });
  case ScalarOp::mul: {
    const Wide multiple = Wide(a.multiple) * b.multiple;
    return ends(a, b,
                multiple > mostMultiple ? std::max(a.multiple, b.multiple) : int64_t(multiple),
                overflows, [](Wide x, Wide y) { return x * y; });
  }
  case ScalarOp::divS:
    return quotient(a, b, false, overflows);
  case ScalarOp::ceilDiv:
    return quotient(a, b, true, overflows);
  case ScalarOp::remS:
    return remainder(a, b);
  case ScalarOp::minS:
    return {std::min(a.least, b.least), std::min(a.most, b.most), common};
  case ScalarOp::maxS:
    return {std::max(a.least, b.least), std::max(a.most, b.most), common};
  case ScalarOp::andI:
    return bitwiseAnd(a, b);
  case ScalarOp::orI:
  case ScalarOp::xorI:
    return sameBits(a, b);
  case ScalarOp::shl:
    return shiftedLeft(a, b);
  case ScalarOp::shrS:
    return shiftedRight(a, b);
  case ScalarOp::eq:
  case ScalarOp::ne:
  case ScalarOp::lt:
  case ScalarOp::le:
  case ScalarOp::gt:
  case ScalarOp::ge:
    return {0, 1};
  case ScalarOp::select:
    return join(b, operands[2]);
  default:
    return {};
  }
}

} // namespace sluice

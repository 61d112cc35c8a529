// Scalars drawn at random: every operation, both signs, of what is known at a place.
#pragma once

#include "Builder.h"

#include <random>

namespace sluice::test {

class RandomNumbers {
public:
  RandomNumbers(Builder &builder, uint64_t seed) : b_(builder), random_(seed) {}

  /// 0 .. n.
  int64_t upTo(int64_t n) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(n + 1)); }
  bool oneIn(int64_t n) { return upTo(n - 1) == 0; }
  template <typename T> T any(const std::vector<T> &of) {
    return of[upTo(static_cast<int64_t>(of.size()) - 1)];
  }
  template <typename T> T any(std::initializer_list<T> of) { return any(std::vector<T>(of)); }
  uint64_t seed() { return random_(); }

  ValueId byNumber(ScalarOp op, ValueId v, int64_t n) { return with(op, v, b_.number(n)); }
  ValueId with(ScalarOp op, ValueId v, ValueId w) { return b_.scalar(op, {v, w}); }

  /// One of `known`, or something computed from them.
  ValueId number(const std::vector<ValueId> &known) {
    const ValueId v = any(known);
    switch (upTo(19)) {
    case 0:
      return byNumber(ScalarOp::add, v, upTo(8) - 4);
    case 1:
      return byNumber(ScalarOp::mul, v, upTo(6) - 2);
    case 2:
      return byNumber(ScalarOp::divS, v, any<int64_t>({2, 3, 4, -2}));
    case 3:
      return byNumber(ScalarOp::remS, v, any<int64_t>({2, 3, 4, 5, -3}));
    case 4:
      return byNumber(ScalarOp::andI, v, any<int64_t>({1, 3, 7}));
    case 5:
      return byNumber(ScalarOp::shrS, v, 1 + upTo(1));
    case 6:
      return byNumber(ScalarOp::ceilDiv, v, 2 + upTo(2));
    case 7:
      return byNumber(ScalarOp::shl, v, 1 + upTo(1));
    case 8:
      return byNumber(any({ScalarOp::xorI, ScalarOp::orI}), v, 1);
    case 9:
      return with(ScalarOp::sub, v, any(known));
    case 10:
      return with(ScalarOp::add, v, any(known));
    case 11:
      return with(any({ScalarOp::minS, ScalarOp::maxS}), v, any(known));
    case 12:
      return with(any({ScalarOp::mul, ScalarOp::divS, ScalarOp::remS}), v, any(known));
    case 13:
      return b_.scalar(ScalarOp::select, {condition(known), v, any(known)});
    case 14:
      return byNumber(any({ScalarOp::minS, ScalarOp::maxS}), v, upTo(12) - 2);
    default:
      return v;
    }
  }

  ValueId condition(const std::vector<ValueId> &known) {
    const ScalarOp op =
        any({ScalarOp::lt, ScalarOp::le, ScalarOp::eq, ScalarOp::ne, ScalarOp::gt, ScalarOp::ge});
    const ValueId left = any(known);
    return with(op, left, oneIn(2) ? any(known) : b_.number(upTo(12) - 3));
  }

private:
  Builder &b_;
  std::mt19937_64 random_;
};

} // namespace sluice::test

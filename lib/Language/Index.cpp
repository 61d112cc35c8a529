// Arithmetic on indices; constants fold while the kernel is built.
#include "Language/Recorder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <limits>
#include <optional>

using namespace mlir;

namespace sluice::lang {
namespace {

enum class Arithmetic { add, sub, mul, div, rem, ceilDiv, min, max };

/// Nothing where the result does not exist or does not fit into 64 bits.
std::optional<int64_t> fold(Arithmetic op, int64_t a, int64_t b) {
  int64_t result = 0;
  bool divides = op == Arithmetic::div || op == Arithmetic::rem || op == Arithmetic::ceilDiv;
  if (divides && (b == 0 || (a == std::numeric_limits<int64_t>::min() && b == -1)))
    return std::nullopt;
  switch (op) {
  case Arithmetic::add:
    return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case Arithmetic::sub:
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case Arithmetic::mul:
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case Arithmetic::div:
    return a / b;
  case Arithmetic::rem:
    return a % b;
  case Arithmetic::ceilDiv:
    return a / b + (a % b != 0 && (a < 0) == (b < 0));
  case Arithmetic::min:
    return std::min(a, b);
  case Arithmetic::max:
    return std::max(a, b);
  }
  return std::nullopt;
}

/// x + 0, x * 1 and the like are x.
bool isNeutral(Arithmetic op, const Index &b) {
  if (!b.isConstant())
    return false;
  switch (op) {
  case Arithmetic::add:
  case Arithmetic::sub:
    return b.constant() == 0;
  case Arithmetic::mul:
  case Arithmetic::div:
  case Arithmetic::ceilDiv:
    return b.constant() == 1;
  default:
    return false;
  }
}

Value write(OpBuilder &builder, mlir::Location at, Arithmetic op, Value a, Value b) {
  switch (op) {
  case Arithmetic::add:
    return arith::AddIOp::create(builder, at, a, b);
  case Arithmetic::sub:
    return arith::SubIOp::create(builder, at, a, b);
  case Arithmetic::mul:
    return arith::MulIOp::create(builder, at, a, b);
  case Arithmetic::div:
    return arith::DivSIOp::create(builder, at, a, b);
  case Arithmetic::rem:
    return arith::RemSIOp::create(builder, at, a, b);
  case Arithmetic::ceilDiv:
    return arith::CeilDivSIOp::create(builder, at, a, b);
  case Arithmetic::min:
    return arith::MinSIOp::create(builder, at, a, b);
  case Arithmetic::max:
    return arith::MaxSIOp::create(builder, at, a, b);
  }
  return {};
}

detail::Recorder *ownerOf(const Index &a, const Index &b) {
  return a.isConstant() ? b.handle().owner : a.handle().owner;
}

Index compute(Arithmetic op, const IndexAt &a, const IndexAt &b) {
  auto *recorder = ownerOf(a.index, b.index);
  if (!recorder) {
    auto folded = fold(op, a.index.constant(), b.index.constant());
    bool defined = folded && a.index.isDefined() && b.index.isDefined();
    return defined ? Index(*folded) : Index::undefined();
  }
  bool divides = op == Arithmetic::div || op == Arithmetic::rem || op == Arithmetic::ceilDiv;
  if (divides && b.index.isConstant() && b.index.constant() == 0) {
    recorder->fail(b.at, "division by zero");
    return Index(recorder->poison());
  }
  if (isNeutral(op, b.index))
    return a.index;
  bool commutes = op == Arithmetic::add || op == Arithmetic::mul;
  if (commutes && isNeutral(op, a.index))
    return b.index;
  Value x = recorder->use(a.index, a.at), y = recorder->use(b.index, b.at);
  if (!x || !y || !recorder->open(a.at))
    return Index(recorder->poison());
  return Index(recorder->handleOf(write(recorder->builder, recorder->at(a.at), op, x, y)));
}

Condition compare(arith::CmpIPredicate predicate, const IndexAt &a, const IndexAt &b) {
  auto *recorder = ownerOf(a.index, b.index);
  if (!recorder)
    return Condition(arith::applyCmpPredicate(predicate, APInt(64, a.index.constant(), true),
                                              APInt(64, b.index.constant(), true)));
  Value x = recorder->use(a.index, a.at), y = recorder->use(b.index, b.at);
  if (!x || !y || !recorder->open(a.at))
    return Condition(recorder->poison());
  Value result = arith::CmpIOp::create(recorder->builder, recorder->at(a.at), predicate, x, y);
  return Condition(recorder->handleOf(result));
}

} // namespace

Index operator+(IndexAt a, IndexAt b) {
  return compute(Arithmetic::add, a, b);
}
Index operator-(IndexAt a, IndexAt b) {
  return compute(Arithmetic::sub, a, b);
}
Index operator*(IndexAt a, IndexAt b) {
  return compute(Arithmetic::mul, a, b);
}
Index operator/(IndexAt a, IndexAt b) {
  return compute(Arithmetic::div, a, b);
}
Index operator%(IndexAt a, IndexAt b) {
  return compute(Arithmetic::rem, a, b);
}
Index ceilDiv(IndexAt a, IndexAt b) {
  return compute(Arithmetic::ceilDiv, a, b);
}
Index min(IndexAt a, IndexAt b) {
  return compute(Arithmetic::min, a, b);
}
Index max(IndexAt a, IndexAt b) {
  return compute(Arithmetic::max, a, b);
}

Condition operator==(IndexAt a, IndexAt b) {
  return compare(arith::CmpIPredicate::eq, a, b);
}
Condition operator!=(IndexAt a, IndexAt b) {
  return compare(arith::CmpIPredicate::ne, a, b);
}
Condition operator<(IndexAt a, IndexAt b) {
  return compare(arith::CmpIPredicate::slt, a, b);
}
Condition operator<=(IndexAt a, IndexAt b) {
  return compare(arith::CmpIPredicate::sle, a, b);
}
Condition operator>(IndexAt a, IndexAt b) {
  return compare(arith::CmpIPredicate::sgt, a, b);
}
Condition operator>=(IndexAt a, IndexAt b) {
  return compare(arith::CmpIPredicate::sge, a, b);
}

/// Where one of the two is known, the result is the other, or is known too.
template <typename Op>
static Condition join(const ConditionAt &a, const ConditionAt &b, bool neutral) {
  for (const auto &[known, other] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (known->condition.isConstant())
      return known->condition.constant() == neutral ? other->condition : known->condition;
  auto *recorder = a.condition.handle().owner;
  Value x = recorder->open(a.at) ? recorder->use(a.condition, a.at) : Value();
  Value y = x ? recorder->use(b.condition, b.at) : Value();
  if (!y)
    return Condition(recorder->poison());
  return Condition(recorder->handleOf(Op::create(recorder->builder, recorder->at(a.at), x, y)));
}

Condition operator&(ConditionAt a, ConditionAt b) {
  return join<arith::AndIOp>(a, b, true);
}
Condition operator|(ConditionAt a, ConditionAt b) {
  return join<arith::OrIOp>(a, b, false);
}

Index select(Condition condition, IndexAt yes, IndexAt no) {
  if (condition.isConstant())
    return condition.constant() ? yes.index : no.index;
  auto *recorder = condition.handle().owner;
  Value which = recorder->open(yes.at) ? recorder->use(condition, yes.at) : Value();
  Value x = which ? recorder->use(yes.index, yes.at) : Value();
  Value y = x ? recorder->use(no.index, no.at) : Value();
  if (!y)
    return Index(recorder->poison());
  return Index(recorder->handleOf(
      arith::SelectOp::create(recorder->builder, recorder->at(yes.at), which, x, y)));
}

} // namespace sluice::lang

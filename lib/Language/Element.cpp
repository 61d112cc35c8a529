// Arithmetic on elements, inside the body of a map or reduce.
#include "Language/Recorder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <numbers>
#include <optional>

using namespace mlir;

namespace sluice::lang {
namespace {

using detail::Recorder;

Recorder *ownerOf(std::initializer_list<const ElementAt *> operands) {
  for (const ElementAt *e : operands)
    if (!e->element.isNumber())
      return e->element.handle().owner;
  return nullptr;
}

/// The type in which two element types meet; nothing where they do not.
std::optional<DType> meet(DType a, DType b) {
  if (a == b)
    return a;
  if (!isFloat(a) || !isFloat(b))
    return std::nullopt;
  int64_t x = byteSize(a), y = byteSize(b);
  return x == y ? (x == 1 ? DType::f16 : DType::f32) : x > y ? a : b;
}

/// Type of the operands that are no numbers; records a mistake where they do not meet.
std::optional<DType> commonType(Recorder &recorder,
                                std::initializer_list<const ElementAt *> operands) {
  std::optional<DType> common;
  for (const ElementAt *e : operands) {
    if (e->element.isNumber())
      continue;
    DType type = e->element.type();
    auto met = common ? meet(*common, type) : type;
    if (!met) {
      recorder.fail(e->at, "operands of types " + std::string(name(*common)) + " and " +
                               std::string(name(type)) + "; cast one of them");
      return std::nullopt;
    }
    common = met;
  }
  return common;
}

Value number(Recorder &recorder, double value, DType type, SourceLocation at) {
  auto &b = recorder.builder;
  if (isFloat(type))
    return arith::ConstantOp::create(b, recorder.at(at),
                                     b.getFloatAttr(recorder.type(type), value));
  constexpr double exact = 9007199254740992; // 2^53
  if (value != std::trunc(value) || std::fabs(value) > exact) {
    recorder.fail(at, "the number " + std::to_string(value) + " is no value of type " +
                          std::string(name(type)));
    return {};
  }
  return arith::ConstantOp::create(
      b, recorder.at(at), b.getIntegerAttr(recorder.type(type), static_cast<int64_t>(value)));
}

Value convert(OpBuilder &b, mlir::Location at, Value value, DType from, DType to, Type type) {
  if (from == to)
    return value;
  if (from == DType::i1) {
    auto attribute = [&](int v) -> TypedAttr {
      if (isFloat(to))
        return b.getFloatAttr(type, v);
      return b.getIntegerAttr(type, v);
    };
    Value one = arith::ConstantOp::create(b, at, attribute(1));
    Value zero = arith::ConstantOp::create(b, at, attribute(0));
    return arith::SelectOp::create(b, at, value, one, zero);
  }
  if (isFloat(from) && isFloat(to)) {
    int64_t x = byteSize(from), y = byteSize(to);
    if (y > x)
      return arith::ExtFOp::create(b, at, type, value);
    if (y < x)
      return arith::TruncFOp::create(b, at, type, value);
    // Between f16 and bf16, or the two kinds of f8, there is no direct way.
    return arith::TruncFOp::create(b, at, type,
                                   arith::ExtFOp::create(b, at, b.getF32Type(), value));
  }
  if (from == DType::index) // an index of a tile is small
    return convert(b, at, arith::IndexCastOp::create(b, at, b.getI32Type(), value), DType::i32, to,
                   type);
  if (isFloat(to))
    return arith::SIToFPOp::create(b, at, type, value);
  if (isFloat(from))
    return arith::FPToSIOp::create(b, at, type, value);
  if (to == DType::index)
    return arith::IndexCastOp::create(b, at, type, value);
  if (byteSize(to) > byteSize(from))
    return arith::ExtSIOp::create(b, at, type, value);
  return arith::TruncIOp::create(b, at, type, value);
}

using Write2 = Value (*)(OpBuilder &, mlir::Location, Value, Value);
template <typename Op> Value write2(OpBuilder &b, mlir::Location at, Value x, Value y) {
  return Op::create(b, at, x, y);
}
using Write1 = Value (*)(OpBuilder &, mlir::Location, Value);
template <typename Op> Value write1(OpBuilder &b, mlir::Location at, Value x) {
  return Op::create(b, at, x);
}

/// `integer` null: for floats only.
Element binary(const char *what, const ElementAt &a, const ElementAt &b, Write2 real,
               Write2 integer, double (*fold)(double, double)) {
  Recorder *recorder = ownerOf({&a, &b});
  if (!recorder)
    return fold(a.element.number(), b.element.number());
  Element poison(recorder->poison(), DType::f32);
  auto type = commonType(*recorder, {&a, &b});
  if (!type)
    return poison;
  const bool isReal = isFloat(*type);
  if (!isReal && (!integer || *type == DType::i1)) {
    recorder->fail(a.at, std::string(what) + " of " + std::string(name(*type)) +
                             " elements; cast them to a float type");
    return poison;
  }
  Value x = recorder->use(a, *type), y = x ? recorder->use(b, *type) : x;
  if (!x || !y)
    return poison;
  Write2 write = isReal ? real : integer;
  return {recorder->handleOf(write(recorder->builder, recorder->at(a.at), x, y)), *type};
}

Element unary(const char *what, const ElementAt &a, Write1 write, double (*fold)(double)) {
  Recorder *recorder = ownerOf({&a});
  if (!recorder)
    return fold(a.element.number());
  DType type = a.element.type();
  Element poison(recorder->poison(), DType::f32);
  if (!isFloat(type)) {
    recorder->fail(a.at, std::string(what) + " of " + std::string(name(type)) +
                             " elements; cast them to a float type");
    return poison;
  }
  Value x = recorder->use(a, type);
  return x ? Element(recorder->handleOf(write(recorder->builder, recorder->at(a.at), x)), type)
           : poison;
}

Element compare(const ElementAt &a, const ElementAt &b, arith::CmpFPredicate real,
                arith::CmpIPredicate integer, bool (*fold)(double, double)) {
  Recorder *recorder = ownerOf({&a, &b});
  if (!recorder)
    return fold(a.element.number(), b.element.number());
  Element poison(recorder->poison(), DType::i1);
  auto type = commonType(*recorder, {&a, &b});
  if (!type)
    return poison;
  Value x = recorder->use(a, *type), y = x ? recorder->use(b, *type) : x;
  if (!x || !y)
    return poison;
  auto &builder = recorder->builder;
  auto at = recorder->at(a.at);
  Value result = isFloat(*type) ? arith::CmpFOp::create(builder, at, real, x, y).getResult()
                                : arith::CmpIOp::create(builder, at, integer, x, y).getResult();
  return {recorder->handleOf(result), DType::i1};
}

Element logical(const char *what, const ElementAt &a, const ElementAt &b, Write2 write) {
  Recorder *recorder = ownerOf({&a, &b});
  if (!recorder)
    return write == write2<arith::AndIOp> ? a.element.number() && b.element.number()
                                          : a.element.number() || b.element.number();
  for (const ElementAt *e : {&a, &b})
    if (e->element.isNumber() || e->element.type() != DType::i1) {
      recorder->fail(e->at, std::string(what) + " joins truth values, such as x < y");
      return {recorder->poison(), DType::i1};
    }
  Value x = recorder->use(a, DType::i1), y = recorder->use(b, DType::i1);
  if (!x || !y)
    return {recorder->poison(), DType::i1};
  return {recorder->handleOf(write(recorder->builder, recorder->at(a.at), x, y)), DType::i1};
}

} // namespace

Value detail::Recorder::use(const ElementAt &e, DType to) {
  if (e.element.isNumber())
    return number(*this, e.element.number(), to, e.at);
  Value value = use(e.element.handle(), e.at);
  return value ? convert(builder, at(e.at), value, e.element.type(), to, type(to)) : value;
}

Element operator+(ElementAt a, ElementAt b) {
  return binary("a sum", a, b, write2<arith::AddFOp>, write2<arith::AddIOp>,
                [](double x, double y) { return x + y; });
}
Element operator-(ElementAt a, ElementAt b) {
  return binary("a difference", a, b, write2<arith::SubFOp>, write2<arith::SubIOp>,
                [](double x, double y) { return x - y; });
}
Element operator*(ElementAt a, ElementAt b) {
  return binary("a product", a, b, write2<arith::MulFOp>, write2<arith::MulIOp>,
                [](double x, double y) { return x * y; });
}
Element operator/(ElementAt a, ElementAt b) {
  return binary("a quotient", a, b, write2<arith::DivFOp>, nullptr,
                [](double x, double y) { return x / y; });
}
Element max(ElementAt a, ElementAt b) {
  return binary("max", a, b, write2<arith::MaxNumFOp>, write2<arith::MaxSIOp>,
                [](double x, double y) { return std::fmax(x, y); });
}
Element min(ElementAt a, ElementAt b) {
  return binary("min", a, b, write2<arith::MinNumFOp>, write2<arith::MinSIOp>,
                [](double x, double y) { return std::fmin(x, y); });
}
Element maximum(ElementAt a, ElementAt b) {
  return binary("maximum", a, b, write2<arith::MaximumFOp>, write2<arith::MaxSIOp>,
                [](double x, double y) { return std::isnan(x + y) ? x + y : std::fmax(x, y); });
}
Element minimum(ElementAt a, ElementAt b) {
  return binary("minimum", a, b, write2<arith::MinimumFOp>, write2<arith::MinSIOp>,
                [](double x, double y) { return std::isnan(x + y) ? x + y : std::fmin(x, y); });
}

Element operator-(ElementAt a) {
  return unary("negation", a, write1<arith::NegFOp>, [](double x) { return -x; });
}
Element abs(ElementAt a) {
  return unary("abs", a, write1<math::AbsFOp>, [](double x) { return std::fabs(x); });
}
Element exp(ElementAt a) {
  return unary("exp", a, write1<math::ExpOp>, [](double x) { return std::exp(x); });
}
Element exp2(ElementAt a) {
  return unary("exp2", a, write1<math::Exp2Op>, [](double x) { return std::exp2(x); });
}
Element log(ElementAt a) {
  return unary("log", a, write1<math::LogOp>, [](double x) { return std::log(x); });
}
Element log2(ElementAt a) {
  return unary("log2", a, write1<math::Log2Op>, [](double x) { return std::log2(x); });
}
Element tanh(ElementAt a) {
  return unary("tanh", a, write1<math::TanhOp>, [](double x) { return std::tanh(x); });
}
Element erf(ElementAt a) {
  return unary("erf", a, write1<math::ErfOp>, [](double x) { return std::erf(x); });
}
Element sqrt(ElementAt a) {
  return unary("sqrt", a, write1<math::SqrtOp>, [](double x) { return std::sqrt(x); });
}
Element rsqrt(ElementAt a) {
  return unary("rsqrt", a, write1<math::RsqrtOp>, [](double x) { return 1 / std::sqrt(x); });
}

Element relu(ElementAt a) {
  return max(a, 0.0);
}
Element sigmoid(ElementAt a) {
  return ElementAt(1.0, a.at) / (1.0 + exp(-a));
}
Element silu(ElementAt a) {
  return a / (1.0 + exp(-a));
}
Element gelu(ElementAt a) {
  return ElementAt(0.5, a.at) * a * (1.0 + erf(a * (1 / std::numbers::sqrt2)));
}
Element geluTanh(ElementAt a) {
  constexpr double slope = 2 * std::numbers::inv_sqrtpi / std::numbers::sqrt2; // sqrt(2 / pi)
  return ElementAt(0.5, a.at) * a * (1.0 + tanh(slope * (a + 0.044715 * a * a * a)));
}

Element fma(ElementAt a, ElementAt b, ElementAt c) {
  Recorder *recorder = ownerOf({&a, &b, &c});
  if (!recorder)
    return std::fma(a.element.number(), b.element.number(), c.element.number());
  Element poison(recorder->poison(), DType::f32);
  auto type = commonType(*recorder, {&a, &b, &c});
  if (!type)
    return poison;
  if (!isFloat(*type)) {
    recorder->fail(a.at, "fma of " + std::string(name(*type)) + " elements; write a * b + c");
    return poison;
  }
  Value x = recorder->use(a, *type), y = x ? recorder->use(b, *type) : x;
  Value z = y ? recorder->use(c, *type) : y;
  if (!z)
    return poison;
  Value result = math::FmaOp::create(recorder->builder, recorder->at(a.at), x, y, z);
  return {recorder->handleOf(result), *type};
}

Element operator<(ElementAt a, ElementAt b) {
  return compare(a, b, arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt,
                 [](double x, double y) { return x < y; });
}
Element operator<=(ElementAt a, ElementAt b) {
  return compare(a, b, arith::CmpFPredicate::OLE, arith::CmpIPredicate::sle,
                 [](double x, double y) { return x <= y; });
}
Element operator>(ElementAt a, ElementAt b) {
  return compare(a, b, arith::CmpFPredicate::OGT, arith::CmpIPredicate::sgt,
                 [](double x, double y) { return x > y; });
}
Element operator>=(ElementAt a, ElementAt b) {
  return compare(a, b, arith::CmpFPredicate::OGE, arith::CmpIPredicate::sge,
                 [](double x, double y) { return x >= y; });
}
Element operator==(ElementAt a, ElementAt b) {
  return compare(a, b, arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq,
                 [](double x, double y) { return x == y; });
}
Element operator!=(ElementAt a, ElementAt b) {
  return compare(a, b, arith::CmpFPredicate::UNE, arith::CmpIPredicate::ne,
                 [](double x, double y) { return x != y; });
}
Element operator&(ElementAt a, ElementAt b) {
  return logical("&", a, b, write2<arith::AndIOp>);
}
Element operator|(ElementAt a, ElementAt b) {
  return logical("|", a, b, write2<arith::OrIOp>);
}

Element select(ElementAt condition, ElementAt yes, ElementAt no) {
  if (condition.element.isNumber())
    return condition.element.number() != 0 ? yes.element : no.element;
  Recorder *recorder = ownerOf({&condition});
  Element poison(recorder->poison(), DType::f32);
  if (condition.element.type() != DType::i1) {
    recorder->fail(condition.at, "select asks a truth value, such as x < y");
    return poison;
  }
  bool numbers = yes.element.isNumber() && no.element.isNumber();
  auto type = numbers ? DType::f32 : commonType(*recorder, {&yes, &no});
  if (!type)
    return poison;
  Value c = recorder->use(condition, DType::i1);
  Value x = c ? recorder->use(yes, *type) : c;
  Value y = x ? recorder->use(no, *type) : x;
  if (!y)
    return poison;
  Value result = arith::SelectOp::create(recorder->builder, recorder->at(condition.at), c, x, y);
  return {recorder->handleOf(result), *type};
}

Element cast(ElementAt a, DType type) {
  if (a.element.isNumber())
    return a.element;
  Recorder *recorder = a.element.handle().owner;
  Value value = recorder->use(a, type);
  return {value ? recorder->handleOf(value) : recorder->poison(), type};
}

} // namespace sluice::lang

#include "Transform/Placed/Sequences.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <numbers>

namespace sluice {

using namespace ir;
using mlir::cast;
using mlir::OpBuilder;
using mlir::Value;
namespace arith = mlir::arith;
namespace math = mlir::math;

void Sequences::one(Value in, Value out, const Body &body) {
  createInstruction(b_, loc_, in, out,
                    [&](OpBuilder &b, mlir::ValueRange x) { return body(b, x[0]); });
}

template <typename Op> void Sequences::withConstant(Value in, Value out, double number) {
  one(in, out, [&](OpBuilder &b, Value x) -> Value {
    Value c = arith::ConstantOp::create(b, loc_, b.getF32FloatAttr(float(number)));
    return Op::create(b, loc_, x, c);
  });
}

template <typename Op> void Sequences::ofTwo(Value x, Value y, Value out) {
  createInstruction(b_, loc_, {x, y}, out, [&](OpBuilder &b, mlir::ValueRange e) -> Value {
    return Op::create(b, loc_, e[0], e[1]);
  });
}

Value Sequences::likeF32(Value tile) {
  const auto shape = cast<BufferType>(tile.getType()).getShape();
  return scratch_.take(shape[0], shape[1], b_.getF32Type());
}

// ---- Numbers ----------------------------------------------------------------------------------

void Sequences::times(double factor, Value in, Value out) {
  withConstant<arith::MulFOp>(in, out, factor);
}

void Sequences::powerOf2(Value in, Value out) {
  times(std::numbers::ln2, in, out);
  one(out, out, [&](OpBuilder &b, Value x) -> Value { return math::ExpOp::create(b, loc_, x); });
}

/// By Horner's rule.
void Sequences::polynomial(llvm::ArrayRef<double> factors, Value t, Value out) {
  times(factors.back(), t, out);
  for (const double factor : llvm::reverse(factors.drop_front().drop_back())) {
    withConstant<arith::AddFOp>(out, out, factor);
    ofTwo<arith::MulFOp>(out, t, out);
  }
  withConstant<arith::AddFOp>(out, out, factors.front());
}

void Sequences::odd(const OddQuotient &f, Value in, Value out) {
  Value x = likeF32(out), square = likeF32(out);
  withConstant<arith::MinimumFOp>(in, x, f.reach);
  withConstant<arith::MaximumFOp>(x, x, -f.reach);
  ofTwo<arith::MulFOp>(x, x, square);
  polynomial(f.above, square, out);
  ofTwo<arith::MulFOp>(out, x, out);
  polynomial(f.below, square, x);
  ofTwo<arith::DivFOp>(out, x, out);
  scratch_.give(x);
  scratch_.give(square);
}

void Sequences::reciprocalRoot(Value in, Value out) {
  Value ones = likeF32(out);
  createInstruction(b_, loc_, {}, ones, [&](OpBuilder &b, mlir::ValueRange) -> Value {
    return arith::ConstantOp::create(b, loc_, b.getF32FloatAttr(1));
  });
  one(in, out, [&](OpBuilder &b, Value x) -> Value { return math::SqrtOp::create(b, loc_, x); });
  ofTwo<arith::DivFOp>(ones, out, out);
  scratch_.give(ones);
}

// ---- Bits -------------------------------------------------------------------------------------

/// A number as the integer with its bits, and back.
static Value asType(OpBuilder &b, mlir::Location loc, Value x, mlir::Type type) {
  return x.getType() == type ? x : Value(arith::BitcastOp::create(b, loc, type, x));
}

template <typename Op> void Sequences::withInteger(Value in, Value out, int64_t number) {
  one(in, out, [&](OpBuilder &b, Value x) -> Value {
    Value c = arith::ConstantOp::create(b, loc_, b.getI32IntegerAttr(int32_t(number)));
    return Op::create(b, loc_, x, c);
  });
}

/// An operation on the bits of x and y; so is what `out` gets.
template <typename Op> void Sequences::ofBits(Value x, Value y, Value out) {
  const auto to = cast<BufferType>(out.getType()).getElementType();
  createInstruction(b_, loc_, {x, y}, out, [&](OpBuilder &b, mlir::ValueRange e) -> Value {
    const auto i32 = b.getI32Type();
    Value bits = Op::create(b, loc_, asType(b, loc_, e[0], i32), asType(b, loc_, e[1], i32));
    return asType(b, loc_, bits, to);
  });
}

void Sequences::canonical(Value in, Value out) {
  withConstant<arith::AddFOp>(in, out, 0);
}

/// From any integer: held within -1 and 1, and squared. A difference that 32 bits do not hold is
/// none of zero, whether it wraps around or stops at the end.
void Sequences::isNotZero(Value tile) {
  withInteger<arith::MaxSIOp>(tile, tile, -1);
  withInteger<arith::MinSIOp>(tile, tile, 1);
  ofTwo<arith::MulIOp>(tile, tile, tile);
}

void Sequences::differ(Value x, Value y, Value out) {
  ofBits<arith::SubIOp>(x, y, out);
  isNotZero(out);
}

/// Where the larger of both is not y.
void Sequences::greater(Value x, Value y, Value larger, Value out) {
  ofTwo<arith::MaximumFOp>(x, y, larger);
  differ(larger, y, out);
}

/// The bits of NaN without the sign lie above those of infinity.
void Sequences::ordered(Value x, Value bits, Value out) {
  constexpr int64_t infinity = 0x7f800000;
  fill(bits, INT32_MAX);
  ofBits<arith::AndIOp>(x, bits, out);
  withInteger<arith::MulIOp>(out, out, -1);
  withInteger<arith::AddIOp>(out, out, infinity + 1);
  withInteger<arith::MaxSIOp>(out, out, 0);
  withInteger<arith::MinSIOp>(out, out, 1);
}

void Sequences::opposite(Value truth) {
  withInteger<arith::MulIOp>(truth, truth, -1);
  withInteger<arith::AddIOp>(truth, truth, 1);
}

void Sequences::both(Value x, Value y, Value out) {
  ofTwo<arith::MulIOp>(x, y, out);
}

void Sequences::either(Value x, Value y, Value out) {
  ofTwo<arith::MaxSIOp>(x, y, out);
}

void Sequences::fill(Value out, int64_t number) {
  createInstruction(b_, loc_, {}, out, [&](OpBuilder &b, mlir::ValueRange) -> Value {
    return arith::ConstantOp::create(b, loc_, b.getI32IntegerAttr(int32_t(number)));
  });
}

void Sequences::choose(Value truth, Value x, Value y, Value mask, Value rest, Value out) {
  withInteger<arith::MulIOp>(truth, mask, -1);
  if (!y)
    return ofBits<arith::AndIOp>(x, mask, out);
  withInteger<arith::AddIOp>(truth, rest, -1);
  ofBits<arith::AndIOp>(x, mask, mask);
  ofBits<arith::AndIOp>(y, rest, rest);
  ofBits<arith::OrIOp>(mask, rest, out);
}

void Sequences::repeated(Value in, Value out) {
  createInstruction(b_, loc_, {out, in}, out, [&](OpBuilder &b, mlir::ValueRange e) -> Value {
    const auto i32 = b.getI32Type();
    return arith::AddIOp::create(b, loc_, e[0], asType(b, loc_, e[1], i32));
  });
}

} // namespace sluice

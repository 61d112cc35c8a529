// Index arithmetic at one place of the text.
#pragma once

#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {

struct IndexArithmetic {
  mlir::OpBuilder b;
  mlir::Location loc;
  using Value = mlir::Value;

  Value constant(int64_t v) { return constantIndex(b, loc, v); }
  Value add(Value x, Value y) { return mlir::arith::AddIOp::create(b, loc, x, y); }
  Value sub(Value x, Value y) { return mlir::arith::SubIOp::create(b, loc, x, y); }
  Value mul(Value x, Value y) { return mlir::arith::MulIOp::create(b, loc, x, y); }
  Value div(Value x, Value y) { return mlir::arith::DivSIOp::create(b, loc, x, y); }
  Value rem(Value x, Value y) { return mlir::arith::RemSIOp::create(b, loc, x, y); }
  /// The bits in which the two differ.
  Value bits(Value x, Value y) { return mlir::arith::XOrIOp::create(b, loc, x, y); }
  Value min(Value x, Value y) { return mlir::arith::MinSIOp::create(b, loc, x, y); }
  Value max(Value x, Value y) { return mlir::arith::MaxSIOp::create(b, loc, x, y); }
  Value equal(Value x, Value y) {
    return mlir::arith::CmpIOp::create(b, loc, mlir::arith::CmpIPredicate::eq, x, y);
  }
  Value isOdd(Value x) { return equal(rem(x, constant(2)), constant(1)); }
  Value select(Value which, Value x, Value y) {
    return mlir::arith::SelectOp::create(b, loc, which, x, y);
  }
  Value ceilDiv(Value x, Value y) { return mlir::arith::CeilDivSIOp::create(b, loc, x, y); }
  Value ceilDiv(Value x, int64_t y) { return y == 1 ? x : ceilDiv(x, constant(y)); }
  /// Of `count` things from 0 on the one as far from the last as `i` is from the first.
  Value mirrored(Value i, Value count) { return sub(sub(count, constant(1)), i); }
};

} // namespace sluice

#include "Transform/Placed/VectorInstructions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {

using namespace ir;
using mlir::cast;
using mlir::OpBuilder;
using mlir::Value;
namespace arith = mlir::arith;

Value Scratch::take(int64_t rows, int64_t columns, mlir::Type element) {
  const auto fits = [&](Value view) {
    auto type = cast<BufferType>(view.getType());
    return type.getShape() == llvm::ArrayRef<int64_t>{rows, columns} &&
           type.getElementType() == element;
  };
  if (auto found = llvm::find_if(free_, fits); found != free_.end()) {
    Value view = *found;
    free_.erase(found);
    return view;
  }
  auto b = OpBuilder::atBlockBegin(&kernel_.getBody().front());
  const bool spread = columns == 1 || columns == spreadRows;
  const int64_t whole = spread ? (rows + spreadRows - 1) / spreadRows * spreadRows : rows;
  auto type =
      BufferType::get(b.getContext(), {whole, columns}, element, Space::ub, Layout::row, 1, 1);
  auto loc = kernel_.getLoc();
  Value tile = AllocOp::create(b, loc, type, "t" + std::to_string(taken_++), mlir::IntegerAttr());
  if (whole == rows)
    return tile;
  Value zero = constantIndex(b, loc, 0);
  return SubviewOp::create(b, loc, type.withShape({rows, columns}), tile,
                           mlir::ValueRange{zero, zero});
}

Value Scratch::columnNumbers(int64_t columns) {
  Value &tile = columnNumbers_[columns];
  if (tile)
    return tile;
  auto b = OpBuilder::atBlockBegin(&kernel_.getBody().front());
  auto loc = kernel_.getLoc();
  auto type =
      BufferType::get(b.getContext(), {1, columns}, b.getI32Type(), Space::ub, Layout::row, 1, 1);
  tile = AllocOp::create(b, loc, type, "columns", mlir::IntegerAttr());
  createInstruction(
      b, loc, {}, tile,
      [&](OpBuilder &b, mlir::ValueRange x) -> Value {
        return arith::IndexCastOp::create(b, loc, b.getI32Type(), x[1]);
      },
      /*coordinates=*/true);
  return tile;
}

void createInstruction(OpBuilder &b, mlir::Location loc, mlir::ValueRange ins, Value out,
                       const ElementBody &body, bool coordinates) {
  auto map = MapOp::create(b, loc, ins, mlir::ValueRange(out), coordinates);
  OpBuilder::InsertionGuard guard(b);
  mlir::Block &block = map.getBody().empty() ? map.getBody().emplaceBlock() : map.getBody().front();
  for (Value in : ins)
    block.addArgument(cast<BufferType>(in.getType()).getElementType(), loc);
  for (int i = 0; coordinates && i < 2; ++i)
    block.addArgument(b.getIndexType(), loc);
  b.setInsertionPointToEnd(&block);
  Value result = body(b, block.getArguments());
  YieldOp::create(b, loc, result);
}

void createMove(OpBuilder &b, mlir::Location loc, Value in, Value out) {
  auto to = cast<BufferType>(out.getType()).getElementType();
  createInstruction(b, loc, in, out, [&](OpBuilder &b, mlir::ValueRange x) -> Value {
    const unsigned from = x[0].getType().getIntOrFloatBitWidth();
    if (x[0].getType() == to)
      return x[0];
    if (x[0].getType().isInteger())
      return arith::SIToFPOp::create(b, loc, to, x[0]);
    if (to.isInteger())
      return arith::FPToSIOp::create(b, loc, to, x[0]);
    if (from < to.getIntOrFloatBitWidth())
      return arith::ExtFOp::create(b, loc, to, x[0]);
    return arith::TruncFOp::create(b, loc, to, x[0]);
  });
}

/// select(place < limit, x, value).
static Value unlessBehind(OpBuilder &b, mlir::Location loc, Value x, Value place, Value limit,
                          double value) {
  const auto type = x.getType();
  const auto number = type.isInteger() ? mlir::TypedAttr(b.getIntegerAttr(type, int64_t(value)))
                                       : mlir::TypedAttr(b.getFloatAttr(type, value));
  Value other = arith::ConstantOp::create(b, loc, number);
  Value in = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, place, limit);
  return arith::SelectOp::create(b, loc, in, x, other);
}

void fillColumnsFrom(OpBuilder &b, mlir::Location loc, Value tile, Value limit, bool slopes,
                     double value) {
  createInstruction(
      b, loc, tile, tile,
      [&](OpBuilder &b, mlir::ValueRange x) {
        Value end = slopes ? Value(arith::AddIOp::create(b, loc, x[1], limit)) : limit;
        return unlessBehind(b, loc, x[0], x[2], end, value);
      },
      /*coordinates=*/true);
}

void fillRowsFrom(OpBuilder &b, mlir::Location loc, Value tile, Value limit, double value) {
  createInstruction(
      b, loc, tile, tile,
      [&](OpBuilder &b, mlir::ValueRange x) {
        return unlessBehind(b, loc, x[0], x[1], limit, value);
      },
      /*coordinates=*/true);
}

} // namespace sluice

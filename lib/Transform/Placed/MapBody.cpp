#include "Transform/Placed/MapBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;
using mlir::OpBuilder;
using mlir::Value;
namespace arith = mlir::arith;

bool MapBody::isUniform(Value v) const {
  if (v.getParentBlock() != &block_)
    return true;
  auto *def = v.getDefiningOp();
  return def && llvm::all_of(def->getOperands(), [&](Value o) { return isUniform(o); });
}

bool MapBody::isUniformFloat(Value v) const {
  return mlir::isa<mlir::FloatType>(v.getType()) && isUniform(v);
}

Value MapBody::copied(OpBuilder &b, Value v) const {
  auto *def = v.getDefiningOp();
  if (v.getParentBlock() != &block_)
    return v;
  mlir::IRMapping operands;
  for (Value o : def->getOperands())
    operands.map(o, copied(b, o));
  return b.clone(*def, operands)->getResult(0);
}

template <typename Op> Value MapBody::combined(Value x, Value y) {
  auto loc = map_.getLoc();
  Value zero = x && y ? Value() : constantIndex(b_, loc, 0);
  return Op::create(b_, loc, x ? x : zero, y ? y : zero);
}

std::optional<MapBody::Affine> MapBody::affine(Value v) {
  const unsigned arguments = block_.getNumArguments();
  if (v == block_.getArgument(arguments - 1))
    return Affine{1, 0, {}};
  if (v == block_.getArgument(arguments - 2))
    return Affine{0, 1, {}};
  if (isUniform(v))
    return Affine{0, 0, copied(b_, v)};
  auto *def = v.getDefiningOp();
  if (!def || !isa<arith::AddIOp, arith::SubIOp>(def))
    return std::nullopt;
  const auto x = affine(def->getOperand(0)), y = affine(def->getOperand(1));
  if (!x || !y)
    return std::nullopt;
  const bool add = isa<arith::AddIOp>(def);
  const int64_t sign = add ? 1 : -1;
  return Affine{x->column + sign * y->column, x->row + sign * y->row,
                add ? combined<arith::AddIOp>(x->rest, y->rest)
                    : combined<arith::SubIOp>(x->rest, y->rest)};
}

std::optional<Below> MapBody::below(Value condition, bool opposite) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || !compare.getLhs().getType().isIndex())
    return std::nullopt;
  using P = arith::CmpIPredicate;
  P predicate = compare.getPredicate();
  if (opposite)
    predicate = arith::invertPredicate(predicate);
  Value x = compare.getLhs(), y = compare.getRhs();
  if (predicate == P::sgt || predicate == P::sge) {
    std::swap(x, y);
    predicate = predicate == P::sgt ? P::slt : P::sle;
  }
  if (predicate != P::slt && predicate != P::sle)
    return std::nullopt;
  const auto l = affine(x), r = affine(y);
  if (!l || !r)
    return std::nullopt;
  const int64_t column = l->column - r->column, row = l->row - r->row;
  const bool ofColumns = column == 1 && (row == 0 || row == -1), ofRows = column == 0 && row == 1;
  if (!ofColumns && !ofRows)
    return std::nullopt;
  Value limit = combined<arith::SubIOp>(r->rest, l->rest);
  if (predicate == P::sle)
    limit = combined<arith::AddIOp>(limit, constantIndex(b_, map_.getLoc(), 1));
  return Below{ofColumns ? 1 : 0, row == -1, limit};
}

std::optional<Value> MapBody::behindColumn(Value index) {
  const auto place = map_.getCoordinates() ? affine(index) : std::nullopt;
  if (!place || place->column != 1 || place->row != 0)
    return std::nullopt;
  return place->rest;
}

std::optional<double> constantFloat(Value v) {
  auto constant = v.getDefiningOp<arith::ConstantOp>();
  auto number = constant ? dyn_cast<mlir::FloatAttr>(constant.getValue()) : mlir::FloatAttr();
  return number ? std::optional(number.getValueAsDouble()) : std::nullopt;
}

} // namespace sluice

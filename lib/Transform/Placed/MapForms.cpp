#include "Transform/Placed/MapForms.h"

#include "Transform/KernelRanges.h"
#include "Transform/Placed/ElementInstructions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

namespace sluice {

using namespace ir;
using mlir::cast;
using mlir::dyn_cast;
using mlir::isa;
using mlir::Value;
namespace arith = mlir::arith;
namespace math = mlir::math;

Shape shapeOf(Value tile) {
  const auto shape = cast<BufferType>(tile.getType()).getShape();
  return {shape[0], shape[1]};
}

bool isOfTwo(mlir::Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::MaximumFOp,
             arith::MaxNumFOp, arith::MinimumFOp, arith::MinNumFOp>(op);
}

bool takesNumber(mlir::Operation *op) {
  return isOfTwo(op) && !isa<arith::SubFOp, arith::DivFOp>(op);
}

bool isOfOne(mlir::Operation *op) {
  return isa<math::ExpOp, math::LogOp, math::SqrtOp, math::AbsFOp>(op);
}

/// What may be approximate (docs/semantics.md): 2^x with the error of e^x, tanh, erf.
static bool isApproximate(mlir::Operation *op) {
  auto function = dyn_cast<arith::ArithFastMathInterface>(op);
  return isa<math::Exp2Op, math::TanhOp, math::ErfOp>(op) && function.getFastMathFlagsAttr() &&
         bitEnumContainsAll(function.getFastMathFlagsAttr().getValue(), arith::FastMathFlags::afn);
}

static bool isTurned(mlir::Operation *op) { // in other words: by several instructions
  return isa<arith::NegFOp, math::RsqrtOp>(op) || isApproximate(op);
}

bool isConversion(mlir::Operation *op) {
  return isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::FPToSIOp>(op);
}

static bool isFloat(mlir::Type type) {
  return type.isF32() || type.isF16() || type.isBF16();
}

static bool isComputed(mlir::Type type) {
  return isFloat(type) || type.isInteger(32);
}

static bool isOrdered(arith::CmpFOp op) {
  using P = arith::CmpFPredicate;
  return op &&
         llvm::is_contained({P::OLT, P::OLE, P::OGT, P::OGE, P::OEQ, P::UNE}, op.getPredicate());
}
bool MapForms::isPossible() {
  if (!llvm::all_of(map_->getOperands(), [](Value tile) {
        auto type = cast<BufferType>(tile.getType());
        return type.getSpace() == Space::ub && isComputed(type.getElementType());
      }))
    return false;
  for (auto [i, in] : llvm::enumerate(map_.getInputs()))
    shapes[block_.getArgument(i)] = shapeOf(in);
  for (mlir::Operation &op : block_.without_terminator()) {
    if (op.getNumResults() != 1)
      return false;
    if (!isUniform(op.getResult(0)) && !isForConditions(op.getResult(0)) && !isPossible(&op))
      return false;
  }
  return !yieldsWhatItOverwrites() &&
         llvm::all_of(block_.getTerminator()->getOperands(),
                      [&](Value v) { return shapes.contains(v) || isUniformFloat(v); });
}

/// An element of a tile goes to one output, and the tile is another.
bool MapForms::yieldsWhatItOverwrites() {
  const auto yielded = block_.getTerminator()->getOperands();
  return llvm::any_of(llvm::zip(yielded, map_.getOutputs()), [&](auto pair) {
    auto [value, out] = pair;
    auto argument = dyn_cast<mlir::BlockArgument>(value);
    if (!argument || argument.getOwner() != &block_ ||
        argument.getArgNumber() >= map_.getInputs().size())
      return false;
    Value in = map_.getInputs()[argument.getArgNumber()];
    return llvm::any_of(map_.getOutputs(),
                        [&](Value other) { return other != out && rootOf(other) == rootOf(in); });
  });
}

/// An index or truth value that depends on the place of the element.
bool MapForms::isForConditions(Value v) {
  auto compare = v.getDefiningOp<arith::CmpIOp>();
  auto both = v.getDefiningOp<arith::AndIOp>();
  return v.getType().isIndex() || (compare && compare.getLhs().getType().isIndex()) ||
         (both && v.getType().isInteger(1) &&
          llvm::all_of(both->getOperands(), [&](Value o) { return isForConditions(o); }));
}

bool MapForms::isPossible(mlir::Operation *op) {
  Value result = op->getResult(0);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return isFloat(result.getType()) && (isFilling(select) || isChoice(select));
  if (result.getType().isInteger(1))
    return isTruth(op);
  if (auto number = dyn_cast<arith::IndexCastOp>(op))
    return isColumnNumber(number);
  if (isConversion(op))
    return isComputed(result.getType()) && isComputed(op->getOperand(0).getType()) &&
           joinShapes(op->getOperands(), result);
  return isFloat(result.getType()) && (isOfTwo(op) || isOfOne(op) || isTurned(op)) &&
         joinShapes(op->getOperands(), result);
}

/// The shape of what an instruction makes of these.
bool MapForms::joinShapes(mlir::ValueRange operands, Value result, int repeated) {
  Shape shape = {1, 1};
  for (Value o : operands) {
    if (isUniformFloat(o))
      continue;
    if (!shapes.contains(o))
      return false;
    const Shape own = shapes.lookup(o);
    shape = {std::max(shape.first, own.first), std::max(shape.second, own.second)};
  }
  int widest = 0; // operands that have the shape of the result
  for (Value o : operands) {
    if (isUniformFloat(o)) {
      ++widest;
      continue;
    }
    const Shape own = shapes.lookup(o);
    widest += own == shape;
    const bool ofRows = own == Shape(shape.first, 1), ofColumns = own == Shape(1, shape.second);
    if (own != shape && !ofRows && !ofColumns)
      return false;
    if (own != shape && ofRows && !canSpread(o))
      return false;
  }
  shapes[result] = shape;
  return widest + repeated >= int(operands.size());
}

/// A comparison of data, or two of them joined.
bool MapForms::isTruth(mlir::Operation *op) {
  if (isa<arith::AndIOp, arith::OrIOp>(op)) {
    const Value x = op->getOperand(0), y = op->getOperand(1);
    shapes[op->getResult(0)] = shapes.lookup(x);
    return shapes.contains(x) && shapes.contains(y) && shapes.lookup(x) == shapes.lookup(y);
  }
  auto integers = dyn_cast<arith::CmpIOp>(op);
  const bool equal = integers && integers.getLhs().getType().isInteger(32) &&
                     (integers.getPredicate() == arith::CmpIPredicate::eq ||
                      integers.getPredicate() == arith::CmpIPredicate::ne);
  return (equal && joinShapes(op->getOperands(), op->getResult(0), /*repeated=*/2)) ||
         (isOrdered(dyn_cast<arith::CmpFOp>(op)) &&
          joinShapes(op->getOperands(), op->getResult(0)));
}

/// select by data, in the shape of the map.
bool MapForms::isChoice(mlir::Operation *op) {
  auto select = cast<arith::SelectOp>(op);
  const Shape whole = shapeOf(map_.getOutputs()[0]);
  const auto fits = [&](Value v) {
    const Shape own = shapes.lookup(v);
    const bool column = own == Shape(whole.first, 1) && own != whole;
    return own == whole || (column ? canSpread(v) : own == Shape(1, whole.second));
  };
  shapes[select] = whole;
  return shapes.contains(select.getCondition()) && fits(select.getCondition()) &&
         llvm::all_of(mlir::ValueRange{select.getTrueValue(), select.getFalseValue()},
                      [&](Value v) { return isUniformFloat(v) || fits(v); });
}

/// The element's column and a number, where 32 bits hold the sum.
bool MapForms::isColumnNumber(mlir::Operation *op) {
  auto number = cast<arith::IndexCastOp>(op);
  constexpr int64_t most = INT32_MAX - (1 << 20); // tiles are smaller
  const auto behind = behindColumn(number.getIn());
  if (!behind || !number.getType().isInteger(32))
    return false;
  if (*behind) {
    const auto range = KernelRanges(map_->getParentOfType<KernelOp>()).of(*behind);
    if (range.least < -most || range.most > most)
      return false;
  }
  columns[number] = *behind;
  shapes[number] = {1, shapeOf(map_.getOutputs()[0]).second};
  return true;
}

/// Room for whole groups of rows behind one number a row, if none but vector cores fill the tile.
bool MapForms::canSpread(Value v) {
  auto argument = dyn_cast<mlir::BlockArgument>(v);
  if (!argument || shapes.lookup(v).first % spreadRows == 0)
    return true;
  AllocOp tile = rootOf(map_.getInputs()[argument.getArgNumber()]);
  return llvm::all_of(accessesOf(tile), [](const TileAccess &access) {
    return isa<MapOp, ReduceOp, StoreOp>(access.op);
  });
}

/// select of a value or a constant by the place of the element.
bool MapForms::isFilling(mlir::Operation *op) {
  auto select = cast<arith::SelectOp>(op);
  const bool opposite = constantFloat(select.getTrueValue()).has_value();
  Value kept = opposite ? select.getFalseValue() : select.getTrueValue();
  Value other = opposite ? select.getTrueValue() : select.getFalseValue();
  if (!constantFloat(other) || !shapes.contains(kept))
    return false;
  std::vector<Value> conditions = {select.getCondition()};
  if (auto both = select.getCondition().getDefiningOp<arith::AndIOp>(); both && !opposite)
    conditions = {both.getLhs(), both.getRhs()};
  std::vector<Below> found;
  for (Value condition : conditions) {
    auto below = this->below(condition, opposite);
    if (!below)
      return false;
    found.push_back(*below);
  }
  const Shape whole = shapeOf(map_.getOutputs()[0]);
  if (shapes.lookup(kept) != whole)
    return false;
  fillings[select] = {kept, *constantFloat(other), found};
  shapes[select.getResult()] = whole;
  return true;
}

} // namespace sluice

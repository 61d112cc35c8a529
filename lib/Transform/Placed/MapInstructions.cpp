#include "Transform/Placed/ElementInstructions.h"
#include "Transform/Placed/MapBody.h"
#include "Transform/Placed/OddQuotient.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <numbers>

namespace sluice {

using namespace ir;
using mlir::cast;
using mlir::dyn_cast;
using mlir::isa;
using mlir::OpBuilder;
using mlir::Value;
namespace arith = mlir::arith;
namespace math = mlir::math;

namespace {

using Shape = std::pair<int64_t, int64_t>;

bool isPowerOfTwo(double x) {
  int exponent;
  return std::isfinite(x) && std::fabs(std::frexp(x, &exponent)) == 0.5 && std::abs(exponent) < 100;
}

/// x / y and so on: an instruction of two tiles.
bool isOfTwo(mlir::Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::MaximumFOp,
             arith::MaxNumFOp, arith::MinimumFOp, arith::MinNumFOp>(op);
}
/// An instruction of a tile and a number.
bool takesNumber(mlir::Operation *op) {
  return isOfTwo(op) && !isa<arith::SubFOp, arith::DivFOp>(op);
}
bool isOfOne(mlir::Operation *op) {
  return isa<math::ExpOp, math::LogOp, math::SqrtOp, math::AbsFOp>(op);
}
/// What may be approximate (docs/semantics.md): 2^x with the error of e^x, tanh, erf.
bool isApproximate(mlir::Operation *op) {
  auto function = dyn_cast<arith::ArithFastMathInterface>(op);
  return isa<math::Exp2Op, math::TanhOp, math::ErfOp>(op) && function.getFastMathFlagsAttr() &&
         bitEnumContainsAll(function.getFastMathFlagsAttr().getValue(), arith::FastMathFlags::afn);
}
bool isTurned(mlir::Operation *op) { // in other words: by several instructions
  return isa<arith::NegFOp, math::RsqrtOp>(op) || isApproximate(op);
}
bool isFloatCast(mlir::Operation *op) {
  return isa<arith::ExtFOp, arith::TruncFOp>(op);
}

class Splitter {
public:
  Splitter(MapOp map, Scratch &scratch)
      : map_(map), block_(map.getBody().front()), scratch_(scratch), known_(map), b_(map) {}

  bool run() {
    if (!isPossible())
      return false;
    b_.setInsertionPoint(map_);
    chooseDestinations();
    for (mlir::Operation &op : block_.without_terminator())
      for (Value o : op.getOperands())
        ++uses_[o];
    for (Value v : block_.getTerminator()->getOperands())
      ++uses_[v];
    for (mlir::Operation &op : block_.without_terminator())
      if (shapes_.contains(op.getResult(0)))
        compute(&op);
    for (auto [value, out] : llvm::zip(block_.getTerminator()->getOperands(), map_.getOutputs()))
      finish(value, out);
    for (Value tile : owned_)
      scratch_.give(tile);
    map_.erase();
    return true;
  }

private:
  // ---- Whether there are instructions for all of it
  bool isPossible() {
    if (!llvm::all_of(map_->getOperands(), [](Value tile) {
          auto type = cast<BufferType>(tile.getType());
          return type.getSpace() == Space::ub && isFloat(type.getElementType());
        }))
      return false;
    for (auto [i, in] : llvm::enumerate(map_.getInputs()))
      shapes_[block_.getArgument(i)] = shapeOf(in);
    for (mlir::Operation &op : block_.without_terminator()) {
      if (op.getNumResults() != 1)
        return false;
      if (!known_.isUniform(op.getResult(0)) && !isForConditions(op.getResult(0)) &&
          !isPossible(&op))
        return false;
    }
    return !yieldsWhatItOverwrites() &&
           llvm::all_of(block_.getTerminator()->getOperands(),
                        [&](Value v) { return shapes_.contains(v) || known_.isUniformFloat(v); });
  }
  /// An element of a tile goes to one output, and the tile is another.
  bool yieldsWhatItOverwrites() {
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
  static bool isFloat(mlir::Type type) { return type.isF32() || type.isF16() || type.isBF16(); }
  static Shape shapeOf(Value tile) {
    const auto shape = cast<BufferType>(tile.getType()).getShape();
    return {shape[0], shape[1]};
  }
  /// An index or truth value that depends on the place of the element.
  bool isForConditions(Value v) {
    return v.getType().isIndex() ||
           (v.getType().isInteger(1) && v.getDefiningOp<arith::CmpIOp>()) ||
           (v.getType().isInteger(1) && v.getDefiningOp<arith::AndIOp>());
  }
  bool isPossible(mlir::Operation *op) {
    Value result = op->getResult(0);
    if (!isFloat(result.getType()))
      return false;
    if (auto select = dyn_cast<arith::SelectOp>(op))
      return isFilling(select);
    if (!isOfTwo(op) && !isOfOne(op) && !isTurned(op) && !isFloatCast(op))
      return false;
    if (isFloatCast(op) && !isFloat(op->getOperand(0).getType()))
      return false;
    Shape shape = {1, 1};
    for (Value o : op->getOperands()) {
      if (known_.isUniformFloat(o))
        continue;
      if (!shapes_.contains(o))
        return false;
      const Shape own = shapes_.lookup(o);
      shape = {std::max(shape.first, own.first), std::max(shape.second, own.second)};
    }
    int widest = 0; // operands that have the shape of the result
    for (Value o : op->getOperands()) {
      if (known_.isUniformFloat(o)) {
        ++widest;
        continue;
      }
      const Shape own = shapes_.lookup(o);
      widest += own == shape;
      const bool ofRows = own == Shape(shape.first, 1), ofColumns = own == Shape(1, shape.second);
      if (own != shape && !ofRows && !ofColumns)
        return false;
      if (own != shape && ofRows && !canSpread(o))
        return false;
    }
    shapes_[result] = shape;
    return widest + 1 >= int(op->getNumOperands());
  }
  /// Room for whole groups of rows behind one number a row, if none but vector cores fill the tile.
  bool canSpread(Value v) {
    auto argument = dyn_cast<mlir::BlockArgument>(v);
    if (!argument || shapes_.lookup(v).first % spreadRows == 0)
      return true;
    AllocOp tile = rootOf(map_.getInputs()[argument.getArgNumber()]);
    return llvm::all_of(accessesOf(tile), [](const TileAccess &access) {
      return isa<MapOp, ReduceOp, StoreOp>(access.op);
    });
  }
  /// select of a value or a constant by the place of the element.
  bool isFilling(arith::SelectOp select) {
    const bool opposite = constantFloat(select.getTrueValue()).has_value();
    Value kept = opposite ? select.getFalseValue() : select.getTrueValue();
    Value other = opposite ? select.getTrueValue() : select.getFalseValue();
    if (!constantFloat(other) || !shapes_.contains(kept))
      return false;
    std::vector<Value> conditions = {select.getCondition()};
    if (auto both = select.getCondition().getDefiningOp<arith::AndIOp>(); both && !opposite)
      conditions = {both.getLhs(), both.getRhs()};
    std::vector<Below> found;
    for (Value condition : conditions) {
      auto below = known_.below(condition, opposite);
      if (!below)
        return false;
      found.push_back(*below);
    }
    const Shape whole = shapeOf(map_.getOutputs()[0]);
    if (shapes_.lookup(kept) != whole)
      return false;
    fillings_[select] = {kept, *constantFloat(other), found};
    shapes_[select.getResult()] = whole;
    return true;
  }

  // ---- Where values come to lie
  /// What is yielded comes to lie in the tile that it is for, and so does what it is computed of,
  /// if it may be written that early.
  void chooseDestinations() {
    for (auto [value, out] : llvm::zip(block_.getTerminator()->getOperands(), map_.getOutputs())) {
      if (!shapes_.contains(value) || shapes_.lookup(value) != shapeOf(out))
        continue;
      mlir::Operation *last = lastReaderOf(out);
      const auto isFree = [&](Value v) {
        auto *def = v.getDefiningOp();
        return def && shapes_.contains(v) && shapes_.lookup(v) == shapeOf(out) &&
               !places_.contains(v) && (!last || !def->isBeforeInBlock(last));
      };
      for (Value v = value; v && isFree(v); v = onlyOperandOf(v, isFree))
        places_[v] = out;
    }
  }
  /// The last operation of the body that needs what the tile held before; null: none.
  mlir::Operation *lastReaderOf(Value out) {
    mlir::Operation *last = nullptr;
    for (auto [i, in] : llvm::enumerate(map_.getInputs())) {
      if (rootOf(in) != rootOf(out))
        continue;
      for (mlir::Operation *user : block_.getArgument(i).getUsers()) {
        mlir::Operation *reader = in == out ? user : block_.getTerminator(); // another part of it
        if (!last || last->isBeforeInBlock(reader))
          last = reader;
      }
    }
    return last;
  }
  /// An operand that nothing but the operation of `v` needs.
  template <typename Condition> Value onlyOperandOf(Value v, Condition isFree) {
    auto filling = fillings_.find(v.getDefiningOp());
    if (filling != fillings_.end())
      return filling->second.kept.hasOneUse() ? filling->second.kept : Value();
    for (Value o : v.getDefiningOp()->getOperands())
      if (o.hasOneUse() && isFree(o))
        return o;
    return {};
  }
  /// The tile of a value of the body.
  Value tileOf(Value v) {
    if (auto argument = dyn_cast<mlir::BlockArgument>(v))
      return map_.getInputs()[argument.getArgNumber()];
    return tiles_.lookup(v);
  }
  bool isOwned(Value tile) const { return llvm::is_contained(owned_, tile); }
  Value fresh(Shape shape, mlir::Type type) {
    Value tile = scratch_.take(shape.first, shape.second, type);
    owned_.push_back(tile);
    return tile;
  }
  void drop(Value tile) {
    if (auto at = llvm::find(owned_, tile); at != owned_.end()) {
      owned_.erase(at);
      scratch_.give(tile);
    }
  }
  /// Where `result` goes, as elements of `type`: the place that is chosen, a tile of an operand
  /// that nobody needs any more, or a new one.
  Value place(Value result, mlir::Type type, llvm::ArrayRef<Value> spare) {
    const Shape shape = shapes_.lookup(result);
    const auto fits = [&](Value tile) {
      return tile && shapeOf(tile) == shape &&
             cast<BufferType>(tile.getType()).getElementType() == type;
    };
    if (Value chosen = places_.lookup(result); fits(chosen))
      return chosen;
    for (Value tile : spare)
      if (fits(tile) && isOwned(tile))
        return taken(tile);
    return fresh(shape, type);
  }
  /// The tile of an operand lives on as the result.
  Value taken(Value tile) {
    for (auto *of : {&tiles_, &widened_})
      for (auto &[value, own] : *of)
        if (own == tile)
          own = Value();
    return tile;
  }
  void release(Value v) {
    if (--uses_[v] > 0)
      return;
    if (Value tile = tiles_.lookup(v))
      drop(tile);
    if (Value tile = widened_.lookup(v))
      drop(tile);
  }

  // ---- Instructions
  mlir::Location loc() { return map_.getLoc(); }
  Value asF32(Value v) {
    Value tile = tileOf(v);
    if (isInUbOfF32(tile))
      return tile;
    Value &wide = widened_[v];
    if (!wide) {
      Value to = fresh(shapes_.lookup(v), b_.getF32Type());
      createMove(b_, loc(), tile, to);
      wide = to;
    }
    return wide;
  }
  Value filled(Value number, Shape shape) {
    Value tile = fresh(shape, b_.getF32Type());
    createInstruction(b_, loc(), {}, tile,
                      [&](OpBuilder &b, mlir::ValueRange) { return numberIn(b, number); });
    return tile;
  }
  /// A number as f32 in another body.
  Value numberIn(OpBuilder &b, Value number) {
    Value copy = known_.copied(b, number);
    return copy.getType().isF32() ? copy
                                  : Value(arith::ExtFOp::create(b, loc(), b.getF32Type(), copy));
  }
  /// One number a row, spread over 32 bytes: the column of them that instructions take.
  Value spread(Value tile) {
    const int64_t rows = shapeOf(tile).first;
    Value wide = fresh({rows, spreadRows}, b_.getF32Type());
    spreads_.push_back(wide);
    createMove(b_, loc(), roomBehind(tile), wide);
    Value zero = constantIndex(b_, loc(), 0);
    return SubviewOp::create(b_, loc(), cast<BufferType>(wide.getType()).withShape({rows, 1}), wide,
                             mlir::ValueRange{zero, zero});
  }
  /// The tile, declared with room for whole groups of rows.
  Value roomBehind(Value tile) {
    AllocOp alloc = tile.getDefiningOp<AllocOp>();
    const int64_t rows = shapeOf(tile).first;
    if (!alloc || rows % spreadRows == 0)
      return tile;
    auto type = alloc.getBuffer().getType();
    alloc.getBuffer().setType(
        type.withShape({(rows + spreadRows - 1) / spreadRows * spreadRows, 1}));
    OpBuilder b(alloc);
    b.setInsertionPointAfter(alloc);
    Value zero = constantIndex(b, loc(), 0);
    auto view = SubviewOp::create(b, loc(), type, alloc.getBuffer(), mlir::ValueRange{zero, zero});
    alloc.getBuffer().replaceAllUsesExcept(view, view);
    return view;
  }
  Value operand(Value v, Shape shape) {
    Value tile = asF32(v);
    const Shape own = shapes_.lookup(v);
    return own != shape && own.second == 1 ? spread(tile) : tile;
  }
  Value binary(mlir::Operation *op, OpBuilder &b, Value x, Value y) {
    mlir::Operation *copy =
        b.create(loc(), op->getName().getIdentifier(), {x, y}, {b.getF32Type()}, op->getAttrs());
    return copy->getResult(0);
  }

  void compute(mlir::Operation *op) {
    Value result = op->getResult(0);
    if (auto filling = fillings_.find(op); filling != fillings_.end())
      fill(result, filling->second);
    else if (isFloatCast(op))
      tiles_[result] = convert(result, op->getOperand(0));
    else
      tiles_[result] = rounded(result, inF32(op));
    for (Value o : op->getOperands())
      release(o);
  }
  /// Of another type.
  Value convert(Value result, Value from) {
    Value tile = tileOf(from);
    Value to = place(result, result.getType(), {});
    const auto source = cast<BufferType>(tile.getType()).getElementType();
    if (source.isF32() || result.getType().isF32()) {
      createMove(b_, loc(), tile, to);
      return to;
    }
    createMove(b_, loc(), asF32(from), to); // from one 16-bit type to the other
    return to;
  }
  /// What was computed in f32, as the type of the result.
  Value rounded(Value result, Value tile) {
    if (result.getType().isF32())
      return tile;
    Value to = place(result, result.getType(), {});
    createMove(b_, loc(), tile, to);
    drop(tile);
    return to;
  }
  /// Tiles of operands that have their last use here.
  std::vector<Value> spareOf(mlir::Operation *op) {
    std::vector<Value> spare;
    for (Value o : op->getOperands()) {
      if (known_.isUniform(o) || uses_[o] != llvm::count(op->getOperands(), o))
        continue;
      for (Value tile : {tiles_.lookup(o), widened_.lookup(o)})
        if (tile)
          spare.push_back(tile);
    }
    return spare;
  }
  Value inF32(mlir::Operation *op) {
    Value result = op->getResult(0);
    const Shape shape = shapes_.lookup(result);
    std::vector<Value> numbers, operands;
    for (Value o : op->getOperands())
      (known_.isUniformFloat(o) ? numbers : operands).push_back(o);
    std::vector<Value> tiles;
    for (Value o : operands)
      tiles.push_back(operand(o, shape));
    const auto f32 = b_.getF32Type();
    Value out = place(result, f32, spareOf(op));
    if (isa<math::RsqrtOp>(op))
      reciprocalRoot(tiles[0], out, shape);
    else if (isa<arith::NegFOp>(op))
      times(-1, tiles[0], out);
    else if (isa<math::Exp2Op>(op))
      powerOf2(tiles[0], out);
    else if (const OddQuotient *quotient = oddQuotientOf(op))
      odd(*quotient, tiles[0], out, shape);
    else if (isOfOne(op))
      createInstruction(b_, loc(), tiles[0], out, [&](OpBuilder &b, mlir::ValueRange x) {
        return b.create(loc(), op->getName().getIdentifier(), x, {f32}, op->getAttrs())
            ->getResult(0);
      });
    else if (numbers.empty())
      createInstruction(
          b_, loc(), {tiles[0], tiles[1]}, out,
          [&](OpBuilder &b, mlir::ValueRange x) { return binary(op, b, x[0], x[1]); });
    else
      withNumber(op, tiles[0], numbers[0], out, shape);
    for (Value column : std::exchange(spreads_, {}))
      drop(column);
    return out;
  }

  void times(double factor, Value in, Value out) {
    createInstruction(b_, loc(), in, out, [&](OpBuilder &b, mlir::ValueRange x) -> Value {
      Value number = arith::ConstantOp::create(b, loc(), b.getF32FloatAttr(float(factor)));
      return arith::MulFOp::create(b, loc(), x[0], number);
    });
  }
  /// e^(x ln 2).
  void powerOf2(Value in, Value out) {
    times(std::numbers::ln2, in, out);
    createInstruction(b_, loc(), out, out, [&](OpBuilder &b, mlir::ValueRange x) -> Value {
      return math::ExpOp::create(b, loc(), x[0]);
    });
  }
  using Body = std::function<Value(OpBuilder &, Value)>;
  void one(Value in, Value out, const Body &body) {
    createInstruction(b_, loc(), in, out,
                      [&](OpBuilder &b, mlir::ValueRange x) { return body(b, x[0]); });
  }
  template <typename Op> void withConstant(Value in, Value out, double number) {
    one(in, out, [&](OpBuilder &b, Value x) -> Value {
      Value c = arith::ConstantOp::create(b, loc(), b.getF32FloatAttr(float(number)));
      return Op::create(b, loc(), x, c);
    });
  }
  template <typename Op> void ofTwo(Value x, Value y, Value out) {
    createInstruction(b_, loc(), {x, y}, out, [&](OpBuilder &b, mlir::ValueRange e) -> Value {
      return Op::create(b, loc(), e[0], e[1]);
    });
  }
  /// out = a polynomial of `t`, by Horner's rule.
  void polynomial(llvm::ArrayRef<double> factors, Value t, Value out) {
    times(factors.back(), t, out);
    for (const double factor : llvm::reverse(factors.drop_front().drop_back())) {
      withConstant<arith::AddFOp>(out, out, factor);
      ofTwo<arith::MulFOp>(out, t, out);
    }
    withConstant<arith::AddFOp>(out, out, factors.front());
  }
  void odd(const OddQuotient &f, Value in, Value out, Shape shape) {
    Value x = fresh(shape, b_.getF32Type()), square = fresh(shape, b_.getF32Type());
    withConstant<arith::MinimumFOp>(in, x, f.reach);
    withConstant<arith::MaximumFOp>(x, x, -f.reach);
    ofTwo<arith::MulFOp>(x, x, square);
    polynomial(f.above, square, out);
    ofTwo<arith::MulFOp>(out, x, out);
    polynomial(f.below, square, x);
    ofTwo<arith::DivFOp>(out, x, out);
    drop(x);
    drop(square);
  }
  void reciprocalRoot(Value in, Value out, Shape shape) {
    Value one = fresh(shape, b_.getF32Type());
    createInstruction(b_, loc(), {}, one, [&](OpBuilder &b, mlir::ValueRange) -> Value {
      return arith::ConstantOp::create(b, loc(), b.getF32FloatAttr(1));
    });
    createInstruction(b_, loc(), in, out, [&](OpBuilder &b, mlir::ValueRange x) -> Value {
      return math::SqrtOp::create(b, loc(), x[0]);
    });
    createInstruction(b_, loc(), {one, out}, out, [&](OpBuilder &b, mlir::ValueRange x) -> Value {
      return arith::DivFOp::create(b, loc(), x[0], x[1]);
    });
    drop(one);
  }
  void withNumber(mlir::Operation *op, Value tile, Value number, Value out, Shape shape) {
    const bool first = known_.isUniformFloat(op->getOperand(0));
    const auto constant = constantFloat(number);
    if (takesNumber(op)) {
      createInstruction(b_, loc(), tile, out, [&](OpBuilder &b, mlir::ValueRange x) {
        return binary(op, b, x[0], numberIn(b, number));
      });
    } else if (isa<arith::SubFOp>(op) && !first) { // x - c = x + -c
      createInstruction(b_, loc(), tile, out, [&](OpBuilder &b, mlir::ValueRange x) -> Value {
        Value minus =
            constant
                ? Value(arith::ConstantOp::create(b, loc(), b.getF32FloatAttr(float(-*constant))))
                : arith::NegFOp::create(b, loc(), numberIn(b, number));
        return arith::AddFOp::create(b, loc(), x[0], minus);
      });
    } else if (isa<arith::SubFOp>(op)) { // c - x = -x + c
      times(-1, tile, out);
      createInstruction(b_, loc(), out, out, [&](OpBuilder &b, mlir::ValueRange x) -> Value {
        return arith::AddFOp::create(b, loc(), x[0], numberIn(b, number));
      });
    } else if (!first && constant && isPowerOfTwo(*constant)) {
      times(1 / *constant, tile, out);
    } else {
      Value same = filled(number, shape);
      createInstruction(
          b_, loc(), first ? mlir::ValueRange{same, tile} : mlir::ValueRange{tile, same}, out,
          [&](OpBuilder &b, mlir::ValueRange x) { return binary(op, b, x[0], x[1]); });
      drop(same);
    }
  }

  struct Filling {
    Value kept;
    double value;
    std::vector<Below> where;
  };
  void fill(Value result, const Filling &f) {
    Value from = tileOf(f.kept);
    const bool last = uses_[f.kept] == 1;
    Value out = last && isYielded(result, from)
                    ? from
                    : place(result, result.getType(), last ? from : Value());
    if (out != from)
      createMove(b_, loc(), from, out);
    for (const Below &below : f.where)
      if (below.axis == 1)
        fillColumnsFrom(b_, loc(), out, below.limit, below.slopes, f.value);
      else
        fillRowsFrom(b_, loc(), out, below.limit, f.value);
    tiles_[result] = out;
  }
  /// Whether that tile is what the value is for.
  bool isYielded(Value value, Value tile) {
    return llvm::any_of(
        llvm::zip(block_.getTerminator()->getOperands(), map_.getOutputs()),
        [&](auto pair) { return std::get<0>(pair) == value && std::get<1>(pair) == tile; });
  }
  void finish(Value value, Value out) {
    if (!shapes_.contains(value)) {
      createInstruction(b_, loc(), {}, out,
                        [&](OpBuilder &b, mlir::ValueRange) { return known_.copied(b, value); });
      return;
    }
    Value tile = tileOf(value);
    if (tile == out)
      return;
    if (shapeOf(tile) == shapeOf(out) || shapeOf(tile).first == 1)
      return createMove(b_, loc(), tile, out);
    Value column = spread(tile);
    createMove(b_, loc(), column, out);
  }

  MapOp map_;
  mlir::Block &block_;
  Scratch &scratch_;
  MapBody known_;
  OpBuilder b_;
  llvm::DenseMap<Value, Shape> shapes_; // of values that differ from element to element
  llvm::DenseMap<Value, Value> tiles_, widened_, places_;
  llvm::DenseMap<Value, int> uses_;
  std::map<mlir::Operation *, Filling> fillings_;
  std::vector<Value> owned_;
  std::vector<Value> spreads_; // of the operands of one operation
};

} // namespace

bool splitMap(MapOp map, Scratch &scratch) {
  return Splitter(map, scratch).run();
}

} // namespace sluice

#include "Transform/Placed/ElementInstructions.h"
#include "Transform/Placed/MapForms.h"
#include "Transform/Placed/Sequences.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

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

bool isPowerOfTwo(double x) {
  int exponent;
  return std::isfinite(x) && std::fabs(std::frexp(x, &exponent)) == 0.5 && std::abs(exponent) < 100;
}

class Splitter {
public:
  Splitter(MapOp map, llvm::ArrayRef<Value> ending, Scratch &scratch)
      : map_(map), block_(map.getBody().front()), scratch_(scratch), known_(map), b_(map),
        sequences_(b_, map.getLoc(), scratch), owned_(ending) {
    for (auto [i, input] : llvm::enumerate(map.getInputs()))
      if (isOwned(input))
        tiles_[block_.getArgument(i)] = input;
  }

  bool run() {
    if (!known_.isPossible())
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
        mlir::Operation *here = isForSum(user) ? *user->user_begin() : user;
        mlir::Operation *reader = in == out ? here : block_.getTerminator(); // another part of it
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
    if (postponed_.erase(v)) {
      Value from = v.getDefiningOp()->getOperand(0);
      tiles_[v] = convert(v, from);
      release(from);
    }
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
    const auto element = cast<BufferType>(tile.getType()).getElementType();
    Value wide = fresh({rows, spreadRows}, element);
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
  Value operand(Value v, Shape shape) { return over(asF32(v), shape); }
  /// As an instruction takes it whose result has this shape.
  Value over(Value tile, Shape shape) {
    return shapeOf(tile) != shape && shapeOf(tile).second == 1 ? spread(tile) : tile;
  }
  Value binary(mlir::Operation *op, OpBuilder &b, Value x, Value y) {
    mlir::Operation *copy =
        b.create(loc(), op->getName().getIdentifier(), {x, y}, {b.getF32Type()}, op->getAttrs());
    return copy->getResult(0);
  }

  /// Elements of f16 that a sum alone needs: it may be an instruction that widens them.
  bool isForSum(mlir::Operation *op) {
    auto wide = dyn_cast<arith::ExtFOp>(op);
    return wide && wide.getIn().getType().isF16() && shapes_.contains(wide.getIn()) &&
           wide->hasOneUse() && isa<arith::AddFOp>(*wide->user_begin());
  }
  static bool isWholeTile(Value tile) { return tile.getDefiningOp<AllocOp>() != nullptr; }
  /// x + f16, where x lies in the place of the sum or nothing else needs it; else null.
  Value wideningSum(mlir::Operation *op) {
    auto sum = dyn_cast<arith::AddFOp>(op);
    if (!sum)
      return {};
    const Value result = sum.getResult(), sides[] = {sum.getLhs(), sum.getRhs()};
    const Shape shape = shapes_.lookup(result);
    for (const int side : {1, 0}) {
      const Value wide = sides[side], other = sides[1 - side];
      if (!postponed_.contains(wide) || known_.isUniformFloat(other) ||
          shapes_.lookup(wide) != shape || shapes_.lookup(other) != shape)
        continue;
      const Value from = wide.getDefiningOp()->getOperand(0), x = asF32(other);
      const Value chosen = places_.lookup(result), tile = tileOf(from);
      const bool there =
          chosen && isInUbOfF32(chosen) ? chosen == x : isOwned(x) && uses_[other] == 1;
      if (!there || !isWholeTile(x) || !isWholeTile(tile))
        continue;
      taken(x);
      postponed_.erase(wide);
      createInstruction(b_, loc(), {x, tile}, x, [&](OpBuilder &b, mlir::ValueRange e) -> Value {
        Value y = arith::ExtFOp::create(b, loc(), b.getF32Type(), e[1]);
        return arith::AddFOp::create(b, loc(), e[0], y);
      });
      release(from);
      return x;
    }
    return {};
  }

  void compute(mlir::Operation *op) {
    if (isForSum(op)) {
      postponed_.insert(op->getResult(0));
      return;
    }
    Value result = op->getResult(0);
    if (auto filling = fillings_.find(op); filling != fillings_.end())
      fill(result, filling->second);
    else if (isConversion(op))
      tiles_[result] = convert(result, op->getOperand(0));
    else if (auto number = columns_.find(op); number != columns_.end())
      tiles_[result] = columnNumber(result, number->second);
    else if (auto floats = dyn_cast<arith::CmpFOp>(op))
      tiles_[result] = compared(floats);
    else if (result.getType().isInteger(1))
      tiles_[result] = truth(op);
    else if (auto select = dyn_cast<arith::SelectOp>(op))
      tiles_[result] = rounded(result, chosen(select));
    else
      tiles_[result] = rounded(result, inF32(op));
    dropSpreads();
    for (Value o : op->getOperands())
      release(o);
  }
  void dropSpreads() {
    for (Value column : std::exchange(spreads_, {}))
      drop(column);
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
    if (Value sum = wideningSum(op))
      return sum;
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
      sequences_.reciprocalRoot(tiles[0], out);
    else if (isa<arith::NegFOp>(op))
      sequences_.times(-1, tiles[0], out);
    else if (isa<math::Exp2Op>(op))
      sequences_.powerOf2(tiles[0], out);
    else if (const OddQuotient *quotient = oddQuotientOf(op))
      sequences_.odd(*quotient, tiles[0], out);
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
    dropSpreads();
    return out;
  }

  // ---- Truth values: tiles of i32
  Value truths(Shape shape) { return fresh(shape, b_.getI32Type()); }
  Value columnNumber(Value result, Value behind) {
    const Shape shape = shapes_.lookup(result);
    Value all = scratch_.columnNumbers(shape.second);
    if (!behind)
      return all;
    Value out = truths(shape);
    createInstruction(b_, loc(), all, out, [&](OpBuilder &b, mlir::ValueRange x) -> Value {
      Value number = arith::IndexCastOp::create(b, loc(), b.getI32Type(), behind);
      return arith::AddIOp::create(b, loc(), x[0], number);
    });
    return out;
  }
  /// Of integers, and of truth values.
  Value truth(mlir::Operation *op) {
    const Shape shape = shapes_.lookup(op->getResult(0));
    Value x = over(tileOf(op->getOperand(0)), shape), y = over(tileOf(op->getOperand(1)), shape);
    Value out = truths(shape);
    if (shapeOf(x) != shape && shapeOf(y) != shape) { // an instruction repeats one of them
      sequences_.fill(out, 0);
      sequences_.repeated(y, out);
      y = out;
    }
    if (isa<arith::AndIOp>(op))
      sequences_.both(x, y, out);
    else if (isa<arith::OrIOp>(op))
      sequences_.either(x, y, out);
    else
      sequences_.differ(x, y, out);
    auto compare = dyn_cast<arith::CmpIOp>(op);
    if (compare && compare.getPredicate() == arith::CmpIPredicate::eq)
      sequences_.opposite(out);
    return out;
  }
  Value canonical(Value v, Shape shape) {
    const bool number = known_.isUniformFloat(v);
    Value from = number ? filled(v, shape) : asF32(v);
    Value to = number ? from : fresh(shapes_.lookup(v), b_.getF32Type());
    sequences_.canonical(from, to);
    return to;
  }
  Value compared(arith::CmpFOp op) {
    using P = arith::CmpFPredicate;
    const P p = op.getPredicate();
    const bool turned = p == P::OLT || p == P::OLE, equal = p == P::OEQ || p == P::UNE;
    const Shape shape = shapes_.lookup(op);
    Value given[] = {turned ? op.getRhs() : op.getLhs(), turned ? op.getLhs() : op.getRhs()};
    Value x = canonical(given[0], shape), y = canonical(given[1], shape), out = truths(shape);
    Value xs = over(x, shape), ys = over(y, shape);
    if (equal) {
      sequences_.differ(xs, ys, out);
    } else {
      const bool greater = p == P::OGT || p == P::OLT;
      Value larger = fresh(shape, b_.getF32Type());
      sequences_.greater(greater ? xs : ys, greater ? ys : xs, larger, out);
      drop(larger);
    }
    if (equal || p == P::OGE || p == P::OLE)
      sequences_.opposite(out);
    const bool first = shapeOf(x) == shape; // of equal numbers one is asked, the smaller tile
    if (!equal || !first)
      excludeNaN(given[0], x, out);
    if (!equal || first)
      excludeNaN(given[1], y, out);
    if (p == P::UNE)
      sequences_.opposite(out);
    drop(x);
    drop(y);
    return out;
  }
  void excludeNaN(Value given, Value tile, Value out) {
    if (auto constant = constantFloat(given); constant && !std::isnan(*constant))
      return;
    Value bits = truths(shapeOf(tile)), ordered = truths(shapeOf(tile));
    sequences_.ordered(tile, bits, ordered);
    sequences_.both(out, over(ordered, shapeOf(out)), out);
    drop(bits);
    drop(ordered);
  }
  /// In the shape of the map.
  Value whole(Value tile, Shape shape) {
    if (shapeOf(tile) == shape)
      return tile;
    Value out = truths(shape);
    sequences_.fill(out, 0);
    sequences_.repeated(over(tile, shape), out);
    return out;
  }
  Value chosen(arith::SelectOp op) {
    const Shape shape = shapes_.lookup(op);
    const auto ofValue = [&](Value v) {
      return known_.isUniformFloat(v) ? filled(v, shape) : whole(asF32(v), shape);
    };
    Value truth = whole(tileOf(op.getCondition()), shape), x = ofValue(op.getTrueValue());
    const auto constant = constantFloat(op.getFalseValue());
    const bool zero = constant && *constant == 0 && !std::signbit(*constant);
    Value y = zero ? Value() : ofValue(op.getFalseValue());
    Value mask = truths(shape), rest = zero ? Value() : truths(shape);
    Value out = place(op, b_.getF32Type(), {});
    sequences_.choose(truth, x, y, mask, rest, out);
    for (Value own : {truth, x, y, mask, rest})
      if (own && own != tileOf(op.getCondition()) && !isOfValue(own))
        drop(own);
    return out;
  }
  /// Whether a value of the body lies in the tile, which goes when that does.
  bool isOfValue(Value tile) const {
    const auto holds = [&](const auto &all) {
      return llvm::any_of(all, [&](const auto &pair) { return pair.second == tile; });
    };
    return holds(tiles_) || holds(widened_);
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
      sequences_.times(-1, tile, out);
      createInstruction(b_, loc(), out, out, [&](OpBuilder &b, mlir::ValueRange x) -> Value {
        return arith::AddFOp::create(b, loc(), x[0], numberIn(b, number));
      });
    } else if (!first && constant && isPowerOfTwo(*constant)) {
      sequences_.times(1 / *constant, tile, out);
    } else {
      Value same = filled(number, shape);
      createInstruction(
          b_, loc(), first ? mlir::ValueRange{same, tile} : mlir::ValueRange{tile, same}, out,
          [&](OpBuilder &b, mlir::ValueRange x) { return binary(op, b, x[0], x[1]); });
      drop(same);
    }
  }

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
  MapForms known_;
  llvm::DenseMap<Value, Shape> &shapes_ = known_.shapes;
  std::map<mlir::Operation *, Filling> &fillings_ = known_.fillings;
  std::map<mlir::Operation *, Value> &columns_ = known_.columns;
  OpBuilder b_;
  Sequences sequences_;
  llvm::DenseMap<Value, Value> tiles_, widened_, places_;
  llvm::DenseMap<Value, int> uses_;
  llvm::DenseSet<Value> postponed_; // elements that are widened where they are needed
  std::vector<Value> owned_;        // scratch, and inputs that nobody needs behind this function
  std::vector<Value> spreads_;      // of the operands of one operation
};

} // namespace

bool splitMap(MapOp map, llvm::ArrayRef<Value> ending, Scratch &scratch) {
  return Splitter(map, ending, scratch).run();
}

} // namespace sluice

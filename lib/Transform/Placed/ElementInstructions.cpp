// Ascend, placed level: functions of elements become instructions of the vector cores, one for each
// operation. What a function computes that no instruction does stays as it is: it is proven and
// simulated, and not printed. So does everything where scratch has no room.
#include "Transform/Placed/ElementInstructions.h"
#include "Transform/Passes.h"
#include "Transform/Placed/LoadedRows.h"
#include "Transform/Placed/VectorInstructions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>

namespace sluice {

using namespace ir;
using mlir::cast;
using mlir::isa;
using mlir::OpBuilder;
using mlir::Value;
namespace arith = mlir::arith;

namespace {

bool isInUb(Value tile) {
  return cast<BufferType>(tile.getType()).getSpace() == Space::ub;
}

/// The body of a fold: the state joined with a function of the element.
struct Fold {
  mlir::Operation *join = nullptr;
  Value element;
  double neutral = 0; // what changes nothing
  double start = 0;
};

bool usesArgument(Value v, mlir::BlockArgument argument) {
  if (v == argument)
    return true;
  auto *def = v.getDefiningOp();
  return def && def->getBlock() == argument.getOwner() &&
         llvm::any_of(def->getOperands(), [&](Value o) { return usesArgument(o, argument); });
}

/// A sum of f32 from 0, a largest or a smallest number from any; else none.
std::optional<Fold> foldOf(ReduceOp fold) {
  mlir::Block &body = fold.getBody().front();
  const mlir::BlockArgument state = body.getArgument(0);
  auto *join = body.getTerminator()->getOperand(0).getDefiningOp();
  if (fold.getInputs().size() != 1 || fold.getOutputs().size() != 1 || fold.getAxis() != 1 ||
      cast<BufferType>(fold.getOutputs()[0].getType()).getShape()[1] != 1 ||
      !state.getType().isF32() || !join || join->getNumOperands() != 2)
    return std::nullopt;
  Fold result{join, {}, 0};
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(join))
    result.neutral = -infinity;
  else if (isa<arith::MinimumFOp, arith::MinNumFOp>(join))
    result.neutral = infinity;
  else if (!isa<arith::AddFOp>(join))
    return std::nullopt;
  const bool left = join->getOperand(0) == state;
  result.element = join->getOperand(left ? 1 : 0);
  if (join->getOperand(left ? 0 : 1) != state || usesArgument(result.element, state) ||
      std::isnan(fold.getIdentities()[0]) ||
      (isa<arith::AddFOp>(join) && fold.getIdentities()[0] != result.neutral))
    return std::nullopt;
  result.start = fold.getIdentities()[0];
  return result;
}

/// Folds rows of a tile of f32: halves are joined until an instruction folds what is left of every
/// row.
class RowFold {
public:
  RowFold(ReduceOp fold, const Fold &how, Scratch &scratch)
      : b_(fold), loc_(fold.getLoc()), fold_(fold), how_(how), scratch_(scratch) {}

  /// `own`: nobody needs the tile behind the fold, so that its halves are joined in their place.
  void run(Value in, bool own) {
    const auto shape = cast<BufferType>(in.getType()).getShape();
    const int64_t rows = shape[0];
    int64_t columns = shape[1];
    Value halves = own ? in : Value();
    while (columns > foldedColumns) {
      const int64_t half = (columns / 2 + foldedColumns - 1) / foldedColumns * foldedColumns,
                    rest = columns - half;
      if (!halves)
        halves = scratch_.take(rows, scratch_.wholeFolds() ? columns : half, b_.getF32Type());
      if (halves != in && rest < half) // the columns that have no partner
        createMove(b_, loc_, part(in, rows, rest, half - rest),
                   part(halves, rows, rest, half - rest));
      join(part(in, rows, 0, rest), part(in, rows, half, rest), part(halves, rows, 0, rest));
      in = halves;
      columns = half;
    }
    const Value rest = part(in, rows, 0, columns);
    for (int64_t first = 0; first < rows; first += foldedRows)
      foldRest(rowsOf(rest, first), rowsOf(fold_.getOutputs()[0], first));
    if (how_.start != how_.neutral)
      joinStart(fold_.getOutputs()[0]);
    if (halves)
      scratch_.give(halves); // the owner's tile too
  }

private:
  Value part(Value tile, int64_t rows, int64_t first, int64_t columns) {
    auto type = cast<BufferType>(tile.getType());
    if (type.getShape()[1] == columns)
      return tile;
    return SubviewOp::create(
        b_, loc_, type.withShape({rows, columns}), tile,
        mlir::ValueRange{constantIndex(b_, loc_, 0), constantIndex(b_, loc_, first)});
  }
  Value joined(OpBuilder &b, Value x, Value y) {
    mlir::Operation *op = b.clone(*how_.join);
    op->setOperands({x, y});
    return op->getResult(0);
  }
  void join(Value x, Value y, Value out) {
    createInstruction(b_, loc_, {x, y}, out,
                      [&](OpBuilder &b, mlir::ValueRange e) { return joined(b, e[0], e[1]); });
  }
  void joinStart(Value out) {
    createInstruction(b_, loc_, out, out, [&](OpBuilder &b, mlir::ValueRange e) {
      Value start = arith::ConstantOp::create(b, loc_, b.getF32FloatAttr(float(how_.start)));
      return joined(b, e[0], start);
    });
  }
  /// As many rows as a call folds, or what is left of them.
  Value rowsOf(Value tile, int64_t first) {
    auto type = cast<BufferType>(tile.getType());
    const int64_t rows = std::min(type.getShape()[0] - first, foldedRows);
    if (rows == type.getShape()[0])
      return tile;
    return SubviewOp::create(
        b_, loc_, type.withShape({rows, type.getShape()[1]}), tile,
        mlir::ValueRange{constantIndex(b_, loc_, first), constantIndex(b_, loc_, 0)});
  }
  void foldRest(Value in, Value out) {
    auto rest = ReduceOp::create(b_, loc_, mlir::ValueRange(in), mlir::ValueRange(out), 1,
                                 llvm::ArrayRef<double>(how_.neutral));
    OpBuilder::InsertionGuard guard(b_);
    mlir::Block &block =
        rest.getBody().empty() ? rest.getBody().emplaceBlock() : rest.getBody().front();
    block.addArguments({b_.getF32Type(), b_.getF32Type()}, {loc_, loc_});
    b_.setInsertionPointToEnd(&block);
    YieldOp::create(b_, loc_, joined(b_, block.getArgument(0), block.getArgument(1)));
  }

  OpBuilder b_;
  mlir::Location loc_;
  ReduceOp fold_;
  const Fold &how_;
  Scratch &scratch_;
};

/// The function of the element that a fold joins, as a map into a tile.
MapOp mapOfElement(OpBuilder &b, ReduceOp fold, const Fold &how, Value out) {
  auto loc = fold.getLoc();
  mlir::Block &body = fold.getBody().front();
  auto map = MapOp::create(b, loc, fold.getInputs(), mlir::ValueRange(out), /*coordinates=*/false);
  OpBuilder::InsertionGuard guard(b);
  mlir::Block &block = map.getBody().empty() ? map.getBody().emplaceBlock() : map.getBody().front();
  mlir::IRMapping copies;
  copies.map(body.getArgument(1), block.addArgument(body.getArgument(1).getType(), loc));
  b.setInsertionPointToEnd(&block);
  for (mlir::Operation &op : body.without_terminator())
    if (&op != how.join && !usesArgument(op.getResult(0), body.getArgument(0)))
      b.clone(op, copies);
  YieldOp::create(b, loc, copies.lookup(how.element));
  return map;
}

/// Tiles that this function is the last to read, before the first of their functions writes them
/// anew: nobody else needs what they hold behind it.
std::vector<Value> endingAt(mlir::Operation *function, mlir::ValueRange inputs) {
  const auto isWritten = [](const TileAccess &a) { return a.writes && !a.reads; };
  const auto ends = [&](Value input) {
    AllocOp tile = rootOf(input);
    if (!isInUb(input) || tile.getBuffer() != input || llvm::count(inputs, input) > 1 ||
        cast<BufferType>(input.getType()).getShape()[1] <= spreadRows)
      return false;
    const auto accesses = accessesOf(tile);
    mlir::Operation *first = accesses.front().op;
    return isWritten(accesses.front()) && accesses.back().op == function &&
           !accesses.back().writes && llvm::all_of(accesses, [&](const TileAccess &access) {
             auto *here = ancestorIn(function->getBlock(), access.op);
             return mlir::isa<MapOp, ReduceOp>(access.op) && access.view == input && here &&
                    (here == first || first->isBeforeInBlock(here));
           });
  };
  std::vector<Value> ending;
  for (Value input : inputs)
    if (!llvm::is_contained(ending, input) && ends(input)) {
      ending.push_back(input);
      rootOf(input)->moveBefore(&function->getParentOfType<KernelOp>().getBody().front().front());
    }
  return ending;
}

void splitFold(ReduceOp fold, Scratch &scratch) {
  if (!llvm::all_of(fold->getOperands(), isInUb))
    return;
  const auto how = foldOf(fold);
  if (!how || !isInUbOfF32(fold.getOutputs()[0]))
    return;
  Value in = fold.getInputs()[0];
  mlir::Block &body = fold.getBody().front();
  const auto shape = cast<BufferType>(in.getType()).getShape();
  const bool asItIs = how->element == body.getArgument(1) && isInUbOfF32(in);
  if (asItIs && shape[0] <= foldedRows && shape[1] <= foldedColumns && how->start == how->neutral)
    return; // an instruction
  OpBuilder b(fold);
  Value elements = in;
  if (!asItIs) {
    if (auto *def = how->element.getDefiningOp(); def && def->getBlock() != &body)
      return; // the same number for every element
    elements = scratch.take(shape[0], shape[1], b.getF32Type());
    MapOp map = mapOfElement(b, fold, *how, elements);
    if (!splitMap(map, {}, scratch)) {
      map.erase();
      scratch.give(elements);
      return;
    }
  }
  const bool own = !asItIs || !endingAt(fold, fold.getInputs()).empty();
  RowFold(fold, *how, scratch).run(elements, own);
  fold.erase();
}

/// One slot of every tile, in whole fractals.
int64_t bytesOfUb(KernelOp kernel) {
  int64_t bytes = 0;
  kernel.walk([&](AllocOp tile) {
    auto type = tile.getBuffer().getType();
    constexpr int64_t alignment = 512;
    if (type.getSpace() == Space::ub)
      bytes += (*byteSizeOf(type) + alignment - 1) / alignment * alignment;
  });
  return bytes;
}

void split(KernelOp kernel, bool wholeFolds) {
  Scratch scratch(kernel, wholeFolds);
  std::vector<mlir::Operation *> functions;
  kernel.walk([&](mlir::Operation *op) {
    if (isa<MapOp, ReduceOp>(op))
      functions.push_back(op);
  });
  for (mlir::Operation *function : functions)
    if (auto fold = mlir::dyn_cast<ReduceOp>(function))
      splitFold(fold, scratch);
    else {
      auto map = cast<MapOp>(function);
      splitMap(map, endingAt(map, map.getInputs()), scratch);
    }
}

} // namespace

bool isInUbOfF32(Value tile) {
  auto type = cast<BufferType>(tile.getType());
  return type.getSpace() == Space::ub && type.getElementType().isF32();
}

mlir::LogicalResult splitElementFunctions(KernelOp kernel, const Arch &arch) {
  if (mlir::failed(zeroWhatLoadsLeave(kernel)))
    return mlir::failure();
  for (const bool wholeFolds : {false, true}) {
    mlir::OwningOpRef<KernelOp> trial = kernel.clone();
    split(*trial, wholeFolds);
    if (bytesOfUb(*trial) <= arch.capacity(Space::ub)) {
      kernel.getBody().takeBody(trial->getBody());
      break;
    }
  }
  return mlir::success();
}

} // namespace sluice

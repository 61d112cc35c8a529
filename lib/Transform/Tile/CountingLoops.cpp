// Loops with a condition that only count become loops with bounds: the proof then follows their
// trip counts, and printed code shows what they are.
#include "Transform/KernelRanges.h"
#include "Transform/Passes.h"
#include "Transform/Tile/RotatedLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace sluice {
namespace {

using mlir::arith::CmpIPredicate;

/// What a condition compares: a variable of the loop with a bound from outside of it. As MLIR has
/// it the variable may be on either side; here it is on the left.
struct Counter {
  mlir::BlockArgument before, after; // the variable in both regions of the loop
  unsigned place = 0;                // among the values that the condition hands to the body
  CmpIPredicate predicate;
  mlir::Value bound;
  int64_t step = 0; // never 0
  mlir::Value by;   // null: that number; else an argument or an extent of the grid, counted up by
};

/// Of the same operands in the other order.
CmpIPredicate swapped(CmpIPredicate p) {
  switch (p) {
  case CmpIPredicate::slt:
    return CmpIPredicate::sgt;
  case CmpIPredicate::sle:
    return CmpIPredicate::sge;
  case CmpIPredicate::sgt:
    return CmpIPredicate::slt;
  case CmpIPredicate::sge:
    return CmpIPredicate::sle;
  default:
    return p;
  }
}

std::optional<int64_t> constantOf(mlir::Value v) {
  mlir::APInt number;
  if (!mlir::matchPattern(v, mlir::m_ConstantInt(&number)))
    return {};
  return number.getSExtValue();
}

/// An argument or an extent of the grid: every launch has to have it at least 1, as a loop's step.
bool isStepOfLaunch(mlir::Value v) {
  auto argument = mlir::dyn_cast<mlir::BlockArgument>(v);
  return (argument && mlir::isa<ir::KernelOp>(argument.getOwner()->getParentOp())) ||
         llvm::any_of(v.getUsers(), [](mlir::Operation *op) { return mlir::isa<ir::GridOp>(op); });
}

/// What of a launch the body adds to its variable; null: nothing such.
mlir::Value addedOfLaunch(mlir::Value next, mlir::Value variable) {
  auto add = next.getDefiningOp<mlir::arith::AddIOp>();
  if (!add || (add.getLhs() != variable && add.getRhs() != variable))
    return {};
  const mlir::Value by = add.getLhs() == variable ? add.getRhs() : add.getLhs();
  return isStepOfLaunch(by) ? by : mlir::Value();
}

/// By how much the body moves its variable on; 0: by nothing that is known here.
int64_t stepOf(mlir::Value next, mlir::Value variable) {
  if (auto add = next.getDefiningOp<mlir::arith::AddIOp>()) {
    if (add.getLhs() == variable)
      return constantOf(add.getRhs()).value_or(0);
    return add.getRhs() == variable ? constantOf(add.getLhs()).value_or(0) : 0;
  }
  auto sub = next.getDefiningOp<mlir::arith::SubIOp>();
  return sub && sub.getLhs() == variable ? -constantOf(sub.getRhs()).value_or(0) : 0;
}

mlir::arith::CmpIOp comparisonOf(mlir::scf::WhileOp loop) {
  return loop.getConditionOp().getCondition().getDefiningOp<mlir::arith::CmpIOp>();
}

std::optional<Counter> counterOf(mlir::scf::WhileOp loop) {
  auto compare = comparisonOf(loop);
  if (!compare)
    return {};
  Counter c;
  for (const bool right : {false, true}) {
    c.before = mlir::dyn_cast<mlir::BlockArgument>(right ? compare.getRhs() : compare.getLhs());
    c.bound = right ? compare.getLhs() : compare.getRhs();
    const auto handed = loop.getConditionOp().getArgs();
    const auto at = llvm::find(handed, c.before);
    if (!c.before || c.before.getOwner() != loop.getBeforeBody() || at == handed.end() ||
        loop->isAncestor(c.bound.getParentRegion()->getParentOp()))
      continue;
    c.place = unsigned(at - handed.begin());
    c.after = loop.getAfterBody()->getArgument(c.place);
    c.predicate = right ? swapped(compare.getPredicate()) : compare.getPredicate();
    const mlir::Value next = loop.getYieldOp().getOperand(c.before.getArgNumber());
    c.step = stepOf(next, c.after);
    c.by = c.step == 0 ? addedOfLaunch(next, c.after) : mlir::Value();
    if (c.by)
      c.step = 1;
    if (c.step != 0)
      return c;
  }
  return {};
}

/// What the condition computes of values from outside is computed in front of the loop.
void hoistBounds(mlir::scf::WhileOp loop) {
  for (mlir::Operation &op : llvm::make_early_inc_range(loop.getBeforeBody()->without_terminator()))
    if (mlir::isPure(&op) && llvm::all_of(op.getOperands(), [&](mlir::Value v) {
          return !loop->isAncestor(v.getParentRegion()->getParentOp());
        }))
      op.moveBefore(loop);
}

bool isUnsigned(CmpIPredicate p) {
  return p >= CmpIPredicate::ult && p <= CmpIPredicate::uge;
}

/// `variable + 2 < bound` is `variable < bound - 2`. (Unsigned it is not: a sum may be negative.)
void compareVariable(mlir::OpBuilder &b, mlir::scf::WhileOp loop) {
  auto compare = comparisonOf(loop);
  if (compare && isUnsigned(compare.getPredicate()))
    return;
  for (const unsigned side : {0u, 1u}) {
    mlir::Operation *sum = compare ? compare->getOperand(side).getDefiningOp() : nullptr;
    const bool adds = llvm::isa_and_present<mlir::arith::AddIOp>(sum);
    if (!adds && !llvm::isa_and_present<mlir::arith::SubIOp>(sum))
      continue;
    const unsigned place = adds && constantOf(sum->getOperand(0)) ? 1 : 0;
    mlir::Value variable = sum->getOperand(place), by = sum->getOperand(1 - place);
    if (variable.getParentBlock() != loop.getBeforeBody() ||
        !llvm::isa<mlir::BlockArgument>(variable) || !constantOf(by) || !sum->hasOneUse())
      continue;
    b.setInsertionPoint(compare);
    const mlir::Value bound = compare->getOperand(1 - side);
    compare->setOperand(
        1 - side, adds ? mlir::arith::SubIOp::create(b, sum->getLoc(), bound, by).getResult()
                       : mlir::arith::AddIOp::create(b, sum->getLoc(), bound, by).getResult());
    compare->setOperand(side, variable);
    sum->erase();
  }
}

/// By steps of 1, from the side that it starts on.
bool comesToBound(mlir::scf::WhileOp loop, const Counter &c) {
  if (c.by)
    return false;
  KernelRanges ranges(loop->getParentOfType<ir::KernelOp>());
  const IntegerRange start = ranges.of(loop.getInits()[c.before.getArgNumber()]),
                     bound = ranges.of(c.bound);
  return c.step == 1 ? start.most <= bound.least : c.step == -1 && bound.most <= start.least;
}

/// `variable <= bound` is `variable < bound + 1`; `variable != bound` is `variable < bound` where
/// it comes to its bound in every launch.
void compareStrictly(mlir::OpBuilder &b, mlir::scf::WhileOp loop, Counter &c) {
  auto compare = comparisonOf(loop);
  const bool up = c.step > 0, reaches = c.predicate == CmpIPredicate::ne && comesToBound(loop, c);
  if (!reaches && c.predicate != (up ? CmpIPredicate::sle : CmpIPredicate::sge))
    return;
  b.setInsertionPoint(loop);
  const auto one = mlir::IntegerAttr::get(c.bound.getType(), up ? 1 : -1);
  if (!reaches)
    c.bound = mlir::arith::AddIOp::create(b, loop.getLoc(), c.bound,
                                          mlir::arith::ConstantOp::create(b, loop.getLoc(), one));
  c.predicate = up ? CmpIPredicate::slt : CmpIPredicate::sgt;
  compare.setPredicate(c.predicate);
  compare.getLhsMutable().assign(c.before);
  compare.getRhsMutable().assign(c.bound);
}

/// What makes the numbers of a counter, of its type.
struct Numbers {
  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Type type;

  mlir::Value of(int64_t n) const {
    return mlir::arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, n));
  }
  /// How many steps of this size there are up to a distance.
  mlir::Value steps(mlir::Value distance, mlir::Value size) const {
    return mlir::arith::CeilDivSIOp::create(b, loc, distance, size);
  }
  mlir::Value minus(mlir::Value from, mlir::Value what) const {
    return mlir::arith::SubIOp::create(b, loc, from, what);
  }
};

/// Who reads the variable behind the loop reads what its start is after all steps. (MLIR gives that
/// of the last iteration, if there is one.)
void readBehind(mlir::OpBuilder &b, mlir::scf::WhileOp loop, const Counter &c) {
  mlir::Value result = loop.getResult(c.place);
  if (result.use_empty())
    return;
  b.setInsertionPoint(loop);
  const auto loc = loop.getLoc();
  const Numbers numbers{b, loc, c.bound.getType()};
  const mlir::Value start = loop.getInits()[c.before.getArgNumber()];
  const bool up = c.step > 0;
  const mlir::Value distance = up ? numbers.minus(c.bound, start) : numbers.minus(start, c.bound);
  const mlir::Value size = c.by ? c.by : numbers.of(std::abs(c.step));
  const mlir::Value count =
      mlir::arith::MaxSIOp::create(b, loc, numbers.steps(distance, size), numbers.of(0));
  const mlir::Value way = mlir::arith::MulIOp::create(b, loc, count, size);
  result.replaceAllUsesWith(up ? mlir::arith::AddIOp::create(b, loc, start, way).getResult()
                               : numbers.minus(start, way));
}

/// Down from a start to a bound: steps are counted up instead, and the variable is what the start
/// is after so many.
void countSteps(mlir::OpBuilder &b, mlir::scf::WhileOp loop, const Counter &c) {
  const auto loc = loop.getLoc();
  const mlir::Value start = loop.getInits()[c.before.getArgNumber()];
  b.setInsertionPoint(loop);
  const Numbers numbers{b, loc, c.bound.getType()};
  const mlir::Value zero = numbers.of(0), one = numbers.of(1), size = numbers.of(-c.step);
  const mlir::Value steps = numbers.steps(numbers.minus(start, c.bound), size);
  /// Who reads `count` as the variable reads what the start is after so many steps. (MLIR takes
  /// no loop whose condition has more than a comparison.)
  const auto countInstead = [&](mlir::Value count) {
    if (count.use_empty())
      return;
    auto way = mlir::arith::MulIOp::create(b, loc, count, size);
    auto variable = mlir::arith::SubIOp::create(b, loc, start, way);
    count.replaceAllUsesExcept(variable, way);
  };
  auto compare = comparisonOf(loop);
  compare.setPredicate(CmpIPredicate::slt);
  compare.getLhsMutable().assign(zero); // not to be replaced
  compare.getRhsMutable().assign(steps);
  loop.getConditionOp().getArgsMutable()[c.place].set(zero);
  for (mlir::BlockArgument variable : {c.before, c.after}) {
    b.setInsertionPointToStart(variable.getOwner());
    countInstead(variable);
  }
  compare.getLhsMutable().assign(c.before);
  loop.getConditionOp().getArgsMutable()[c.place].set(c.before);
  b.setInsertionPoint(loop.getYieldOp());
  loop.getYieldOp()->setOperand(c.before.getArgNumber(),
                                mlir::arith::AddIOp::create(b, loc, c.after, one));
  loop.getInitsMutable()[c.before.getArgNumber()].set(zero);
}

/// Makes it count from below towards a bound above, with `<`: so MLIR knows loops with bounds.
bool countsUp(mlir::OpBuilder &b, mlir::scf::WhileOp loop) {
  compareVariable(b, loop);
  hoistBounds(loop);
  auto c = counterOf(loop);
  if (!c)
    return false;
  compareStrictly(b, loop, *c);
  if (c->predicate != (c->step > 0 ? CmpIPredicate::slt : CmpIPredicate::sgt))
    return false;
  readBehind(b, loop, *c);
  if (c->step < 0)
    countSteps(b, loop, *c);
  return true;
}

/// Loops with bounds never pass the end of their type. Of index that is the end of 64 bits.
bool mayWrap(mlir::scf::WhileOp loop) {
  auto compare = comparisonOf(loop);
  auto type = compare ? mlir::dyn_cast<mlir::IntegerType>(compare.getLhs().getType()) : nullptr;
  return type && type.getWidth() < 64;
}

} // namespace

mlir::LogicalResult countLoops(ir::KernelOp kernel, const Arch & /*arch*/) {
  llvm::SmallVector<mlir::scf::WhileOp> loops;
  kernel.walk([&](mlir::scf::WhileOp loop) { loops.push_back(loop); });
  mlir::IRRewriter rewriter(kernel.getContext());
  for (mlir::scf::WhileOp loop : loops) {
    if (mayWrap(loop) || countRotated(rewriter, loop) || !countsUp(rewriter, loop))
      continue;
    rewriter.setInsertionPoint(loop); // else the new loop is in no block
    const auto marked = loop->getDiscardableAttrDictionary();
    if (auto counted = mlir::scf::upliftWhileToForLoop(rewriter, loop); mlir::succeeded(counted))
      (*counted)->setDiscardableAttrs(marked);
  }
  return mlir::success();
}

} // namespace sluice

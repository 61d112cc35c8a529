#include "Transform/Tile/RotatedLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace sluice {
namespace {

using mlir::Value;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

/// Numbers count arguments of the loop, which its first region has.
struct Rotated {
  arith::CmpIOp compare; // of the variable's next value with the bound
  Value bound, step;
  unsigned variable = 0;
  std::vector<unsigned> handedFrom; // by argument: the place among what the condition hands on
};

bool isOutside(scf::WhileOp loop, Value v) {
  return !loop->isAncestor(v.getParentRegion()->getParentOp());
}

/// The number, which is positive, that `next` is more than an argument of the loop.
std::optional<unsigned> variableOf(scf::WhileOp loop, Value next, Value &step) {
  auto sum = next.getDefiningOp<arith::AddIOp>();
  if (!sum)
    return {};
  for (const unsigned side : {0u, 1u}) {
    auto variable = mlir::dyn_cast<mlir::BlockArgument>(sum->getOperand(side));
    mlir::APInt number;
    step = sum->getOperand(1 - side);
    if (variable && variable.getOwner() == loop.getBeforeBody() && isOutside(loop, step) &&
        mlir::matchPattern(step, mlir::m_ConstantInt(&number)) && number.isStrictlyPositive())
      return variable.getArgNumber();
  }
  return {};
}

/// Where what the body hands on comes from, if it does nothing else.
std::optional<std::vector<unsigned>> handedFrom(scf::WhileOp loop) {
  if (!llvm::hasSingleElement(*loop.getAfterBody()))
    return {};
  std::vector<unsigned> from;
  for (const Value v : loop.getYieldOp().getOperands()) {
    auto argument = mlir::dyn_cast<mlir::BlockArgument>(v);
    if (!argument || argument.getOwner() != loop.getAfterBody())
      return {};
    from.push_back(argument.getArgNumber());
  }
  return from;
}

std::optional<Rotated> rotatedOf(scf::WhileOp loop) {
  auto compare = loop.getConditionOp().getCondition().getDefiningOp<arith::CmpIOp>();
  const auto from = handedFrom(loop);
  if (!compare || !from || !compare->hasOneUse())
    return {};
  const bool right = compare.getPredicate() == arith::CmpIPredicate::sgt; // bound > next
  if (!right && compare.getPredicate() != arith::CmpIPredicate::slt)
    return {};
  const Value next = right ? compare.getRhs() : compare.getLhs();
  Rotated r{compare, right ? compare.getLhs() : compare.getRhs(), {}, 0, *from};
  const auto variable = variableOf(loop, next, r.step);
  if (!variable || !isOutside(loop, r.bound) ||
      loop.getConditionOp().getArgs()[r.handedFrom[*variable]] != next)
    return {};
  r.variable = *variable;
  return r;
}

/// Of what is read behind the loop, the argument that has it after the last round; none: it is of
/// no argument, or the variable.
std::optional<unsigned> argumentOf(const Rotated &r, unsigned result) {
  for (unsigned i = 0; i < r.handedFrom.size(); ++i)
    if (i != r.variable && r.handedFrom[i] == result)
      return i;
  return {};
}

} // namespace

bool countRotated(mlir::IRRewriter &b, scf::WhileOp loop) {
  const auto r = rotatedOf(loop);
  if (!r)
    return false;
  for (mlir::OpResult result : loop.getResults())
    if (!result.use_empty() && !argumentOf(*r, result.getResultNumber()))
      return false;
  const auto loc = loop.getLoc();
  b.setInsertionPoint(loop);
  const Value start = loop.getInits()[r->variable];
  const Value one = arith::ConstantOp::create(b, loc, b.getIntegerAttr(start.getType(), 1));
  const Value end =
      arith::MaxSIOp::create(b, loc, r->bound, arith::AddIOp::create(b, loc, start, one));
  std::vector<Value> inits;
  std::vector<unsigned> place(r->handedFrom.size()); // among what the new loop hands on
  for (unsigned i = 0; i < place.size(); ++i)
    if (i != r->variable) {
      place[i] = unsigned(inits.size());
      inits.push_back(loop.getInits()[i]);
    }
  auto counted = scf::ForOp::create(b, loc, start, end, r->step, inits);
  counted->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  mlir::IRMapping map;
  for (unsigned i = 0; i < place.size(); ++i)
    map.map(loop.getBeforeBody()->getArgument(i),
            i == r->variable ? counted.getInductionVar() : counted.getRegionIterArg(place[i]));
  if (inits.empty())
    counted.getBody()->getTerminator()->erase();
  b.setInsertionPointToEnd(counted.getBody());
  for (mlir::Operation &op : loop.getBeforeBody()->without_terminator())
    if (&op != r->compare)
      b.clone(op, map);
  std::vector<Value> yields(inits.size());
  for (unsigned i = 0; i < place.size(); ++i)
    if (i != r->variable)
      yields[place[i]] = map.lookupOrDefault(loop.getConditionOp().getArgs()[r->handedFrom[i]]);
  scf::YieldOp::create(b, loc, yields);
  for (mlir::OpResult result : loop.getResults())
    if (const auto i = argumentOf(*r, result.getResultNumber()))
      result.replaceAllUsesWith(counted.getResult(place[*i]));
  b.eraseOp(loop);
  return true;
}

} // namespace sluice

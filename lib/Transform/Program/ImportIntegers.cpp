// What integers of the input mean. The machine program counts with signed numbers of 64 bits that
// never wrap; an operation that MLIR defines otherwise is imported only where the two agree in
// every launch.
#include "Program/Ranges.h"
#include "Transform/Program/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace sluice {

using mlir::isa;
namespace arith = mlir::arith;

namespace {

bool isUnsigned(arith::CmpIPredicate p) {
  return p >= arith::CmpIPredicate::ult && p <= arith::CmpIPredicate::uge;
}

bool isTruth(mlir::Type type) {
  return type.isInteger(1);
}

/// Bits of what is not an index; 64: as many as the machine program has.
unsigned widthOf(mlir::Type type) {
  auto integer = mlir::dyn_cast<mlir::IntegerType>(type);
  return integer ? std::min(integer.getWidth(), 64u) : 64;
}

bool fits(const IntegerRange &r, unsigned width) {
  return width >= 64 ||
         (r.least >= -(int64_t{1} << (width - 1)) && r.most < int64_t{1} << (width - 1));
}

std::string nameOf(mlir::Operation &op) {
  return "'" + op.getName().getStringRef().str() + "'";
}

/// What goes into, or is compared with, a number of 32 bits in memory; null: nothing.
mlir::Value storedNumber(mlir::Operation &op) {
  if (auto write = mlir::dyn_cast<ir::ScalarWriteOp>(op))
    return write.getValue();
  if (auto add = mlir::dyn_cast<ir::CounterAddOp>(op))
    return add.getValue();
  auto wait = mlir::dyn_cast<ir::CounterWaitOp>(op);
  return wait ? wait.getValue() : mlir::Value();
}

/// Operations on truth values that do not take them for 0 and 1.
bool bendsTruth(mlir::Operation &op) {
  if (auto compare = mlir::dyn_cast<arith::CmpIOp>(op)) {
    const arith::CmpIPredicate p = compare.getPredicate();
    const bool equality = p == arith::CmpIPredicate::eq || p == arith::CmpIPredicate::ne;
    return isTruth(compare.getLhs().getType()) && !equality && !isUnsigned(p);
  }
  const bool counts = isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp,
                          arith::ShRSIOp, arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
                          arith::MinSIOp, arith::MaxSIOp, arith::ExtSIOp, arith::IndexCastOp>(op);
  return counts && isTruth(op.getOperand(0).getType());
}

} // namespace

bool readsUnsigned(mlir::Operation &op) {
  if (auto compare = mlir::dyn_cast<arith::CmpIOp>(op))
    return isUnsigned(compare.getPredicate());
  return isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp, arith::MinUIOp, arith::MaxUIOp,
             arith::ShRUIOp, arith::ExtUIOp, arith::IndexCastUIOp>(op);
}

/// The proof adds numbers of the program to each other, and has 64 bits for that.
static bool isFarOut(mlir::Operation &op) {
  constexpr int64_t farthest = int64_t{1} << 48;
  mlir::APInt number;
  return mlir::matchPattern(&op, mlir::m_ConstantInt(&number)) &&
         (number.getSignificantBits() > 64 || number.getSExtValue() > farthest ||
          number.getSExtValue() < -farthest);
}

void Importer::noteInteger(mlir::Operation &op) {
  if (isFarOut(op))
    return fail(op, nameOf(op) + " is beyond 2^48, or below -2^48; the proof does not count so "
                                 "far");
  if (bendsTruth(op))
    return fail(op, nameOf(op) + " takes a truth value for a number, of which 1 is -1; use "
                                 "arith.extui, or arith.select between two numbers");
  const bool wraps = op.getNumResults() == 1 && widthOf(op.getResult(0).getType()) < 64 &&
                     !isTruth(op.getResult(0).getType());
  if (readsUnsigned(op) || wraps)
    integers_.push_back(&op);
}

void Importer::checkIntegers() {
  if (integers_.empty())
    return;
  const Ranges ranges(program_);
  for (mlir::Operation *op : integers_) {
    if (const mlir::Value stored = storedNumber(*op)) {
      const IntegerRange number = ranges.of(index(stored));
      if (!number.fits32())
        return fail(*op, nameOf(*op) + " has 32 bits for a number of " +
                             std::to_string(number.least) + " to " + std::to_string(number.most) +
                             "; assume what keeps it small");
      continue;
    }
    for (mlir::Value v : op->getOperands())
      if (readsUnsigned(*op) && !isTruth(v.getType()) && ranges.of(scalars_.id(v)).least < 0)
        return fail(*op, nameOf(*op) +
                             " takes its operands as unsigned, and one may be negative, " +
                             std::to_string(ranges.of(scalars_.id(v)).least) +
                             "; use the signed form, or assume what keeps it from there");
    const unsigned width = op->getNumResults() == 1 ? widthOf(op->getResult(0).getType()) : 64;
    const IntegerRange result = ranges.of(scalars_.id(op->getResult(0)));
    if (!isa<arith::CmpIOp>(*op) && !fits(result, width))
      return fail(*op, nameOf(*op) + " may wrap around: " + std::to_string(width) +
                           " bits do not hold " + std::to_string(result.least) + " to " +
                           std::to_string(result.most) +
                           "; compute it as index, or assume what keeps it small");
  }
}

} // namespace sluice

#include "Transform/Program/ElementFnImport.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

namespace sluice {

namespace arith = mlir::arith;
namespace math = mlir::math;
using Kind = std::optional<ElementOp>;

static Kind comparison(mlir::Operation *op) {
  if (auto f = llvm::dyn_cast<arith::CmpFOp>(op)) {
    switch (f.getPredicate()) {
    case arith::CmpFPredicate::OLT:
      return ElementOp::lt;
    case arith::CmpFPredicate::OLE:
      return ElementOp::le;
    case arith::CmpFPredicate::OGT:
      return ElementOp::gt;
    case arith::CmpFPredicate::OGE:
      return ElementOp::ge;
    case arith::CmpFPredicate::OEQ:
      return ElementOp::eq;
    case arith::CmpFPredicate::UNE:
      return ElementOp::ne;
    default:
      return std::nullopt;
    }
  }
  auto integers = llvm::cast<arith::CmpIOp>(op);
  const bool truth = integers.getLhs().getType().isInteger(1); // signed, true is -1: below false
  switch (integers.getPredicate()) {
  case arith::CmpIPredicate::slt:
    return truth ? ElementOp::gt : ElementOp::lt;
  case arith::CmpIPredicate::sle:
    return truth ? ElementOp::ge : ElementOp::le;
  case arith::CmpIPredicate::sgt:
    return truth ? ElementOp::lt : ElementOp::gt;
  case arith::CmpIPredicate::sge:
    return truth ? ElementOp::le : ElementOp::ge;
  case arith::CmpIPredicate::eq:
    return ElementOp::eq;
  case arith::CmpIPredicate::ne:
    return ElementOp::ne;
  default:
    return std::nullopt;
  }
}

/// A truth value is 0 or 1 on every target: as a signed integer of one bit it would be 0 or -1.
static Kind ifTruth(mlir::Value value) {
  return value.getType().isInteger(1) ? Kind(ElementOp::cast) : std::nullopt;
}
static Kind unlessTruth(mlir::Value value) {
  return value.getType().isInteger(1) ? std::nullopt : Kind(ElementOp::cast);
}

/// Arithmetic on one bit is logic.
static Kind ofIntegers(mlir::Value value, ElementOp kind, ElementOp ofTruths) {
  return value.getType().isInteger(1) ? ofTruths : kind;
}

static Kind kindOf(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, Kind>(op)
      .Case<arith::AddFOp>([](auto) { return ElementOp::add; })
      .Case<arith::SubFOp>([](auto) { return ElementOp::sub; })
      .Case<arith::MulFOp>([](auto) { return ElementOp::mul; })
      .Case<arith::DivFOp>([](auto) { return ElementOp::div; })
      .Case<arith::AddIOp>([](auto o) { return ofIntegers(o, ElementOp::add, ElementOp::xorI); })
      .Case<arith::SubIOp>([](auto o) { return ofIntegers(o, ElementOp::sub, ElementOp::xorI); })
      .Case<arith::MulIOp>([](auto o) { return ofIntegers(o, ElementOp::mul, ElementOp::andI); })
      .Case<arith::MaxSIOp>([](auto o) { return ofIntegers(o, ElementOp::max, ElementOp::andI); })
      .Case<arith::MinSIOp>([](auto o) { return ofIntegers(o, ElementOp::min, ElementOp::orI); })
      .Case<arith::MaxNumFOp>([](auto) { return ElementOp::max; })
      .Case<arith::MinNumFOp>([](auto) { return ElementOp::min; })
      .Case<arith::MaximumFOp>([](auto) { return ElementOp::maximum; })
      .Case<arith::MinimumFOp>([](auto) { return ElementOp::minimum; })
      .Case<arith::NegFOp>([](auto) { return ElementOp::neg; })
      .Case<arith::SelectOp>([](auto) { return ElementOp::select; })
      .Case<arith::AndIOp>([](auto) { return ElementOp::andI; })
      .Case<arith::OrIOp>([](auto) { return ElementOp::orI; })
      .Case<arith::XOrIOp>([](auto) { return ElementOp::xorI; })
      .Case<arith::CmpFOp, arith::CmpIOp>([](auto o) { return comparison(o); })
      .Case<arith::ExtFOp, arith::TruncFOp, arith::IndexCastOp>(
          [](auto) { return ElementOp::cast; })
      .Case<arith::SIToFPOp, arith::ExtSIOp>([](auto o) { return unlessTruth(o.getIn()); })
      .Case<arith::FPToSIOp, arith::TruncIOp>([](auto o) { return unlessTruth(o.getOut()); })
      .Case<arith::UIToFPOp, arith::ExtUIOp>([](auto o) { return ifTruth(o.getIn()); })
      .Case<arith::BitcastOp>([](auto o) {
        const auto from = o.getIn().getType(), to = o.getOut().getType();
        const bool known = (from.isF32() && to.isInteger(32)) || (from.isInteger(32) && to.isF32());
        return known ? Kind(ElementOp::bits) : std::nullopt;
      })
      .Case<math::AbsFOp>([](auto) { return ElementOp::abs; })
      .Case<math::FmaOp>([](auto) { return ElementOp::fma; })
      .Case<math::ExpOp>([](auto) { return ElementOp::exp; })
      .Case<math::Exp2Op>([](auto) { return ElementOp::exp2; })
      .Case<math::LogOp>([](auto) { return ElementOp::log; })
      .Case<math::Log2Op>([](auto) { return ElementOp::log2; })
      .Case<math::TanhOp>([](auto) { return ElementOp::tanh; })
      .Case<math::ErfOp>([](auto) { return ElementOp::erf; })
      .Case<math::SqrtOp>([](auto) { return ElementOp::sqrt; })
      .Case<math::RsqrtOp>([](auto) { return ElementOp::rsqrt; })
      .Case<ir::RandomOp>([](auto) { return ElementOp::random; })
      .Default([](auto) { return Kind(); });
}

/// Why an operation whose kind is known is not computed as it is written; empty: it is.
static std::string unmeant(mlir::Operation *op) {
  constexpr int64_t exact = int64_t(1) << 53; // numbers are handed on as double
  if (auto constant = llvm::dyn_cast<arith::ConstantOp>(op))
    if (auto integer = llvm::dyn_cast<mlir::IntegerAttr>(constant.getValue());
        integer && std::abs(integer.getInt()) > exact)
      return "numbers of element functions are at most 2^53";
  auto rounding = op->getAttrOfType<arith::RoundingModeAttr>("roundingmode");
  return rounding && rounding.getValue() != arith::RoundingMode::to_nearest_even
             ? "element functions round to nearest even"
             : "";
}

/// In the order in which a node has them.
static llvm::SmallVector<mlir::Value> operandsOf(mlir::Operation &op) {
  if (auto random = llvm::dyn_cast<ir::RandomOp>(op))
    return {random.getSeed0(), random.getSeed1(), random.getStream(), random.getRow(),
            random.getColumn()};
  return llvm::to_vector(op.getOperands());
}

static arith::FastMathFlags fastMathOf(mlir::Operation *op) {
  auto fast = llvm::dyn_cast<arith::ArithFastMathInterface>(op);
  auto flags = fast ? fast.getFastMathFlagsAttr() : arith::FastMathFlagsAttr();
  return flags ? flags.getValue() : arith::FastMathFlags::none;
}

static double constantOf(arith::ConstantOp op) {
  if (auto f = llvm::dyn_cast<mlir::FloatAttr>(op.getValue()))
    return f.getValueAsDouble();
  return double(llvm::cast<mlir::IntegerAttr>(op.getValue()).getInt());
}

std::optional<ElementFn> importElementFn(mlir::Block &body, int inputs, bool coordinates,
                                         const ElementParameters &parameters, std::string &reason,
                                         std::vector<mlir::Value> *shared) {
  ElementFn fn;
  fn.inputs = inputs;
  fn.coordinates = coordinates;
  llvm::DenseMap<mlir::Value, int> number;
  auto add = [&](mlir::Value value, ElementNode node) {
    number[value] = int(fn.nodes.size());
    fn.nodes.push_back(std::move(node));
  };
  // A parameter or a constant of the kernel becomes a node where it is first used.
  auto numberOf = [&](mlir::Value value) -> std::optional<int> {
    auto constant = value.getDefiningOp<arith::ConstantOp>(); // of the kernel, if it is new here
    auto type = constant ? ir::dtypeOf(value.getType()) : std::nullopt;
    if (type && !number.count(value) && unmeant(constant).empty())
      add(value, {ElementOp::constant, *type, {}, 0, constantOf(constant)});
    if (auto known = parameters.find(value); known != parameters.end() && !number.count(value))
      add(value, {ElementOp::parameter, DType::f32, {}, known->second, 0});
    const bool inside = value.getParentRegion() == body.getParent();
    if (shared && !inside && value.getType().isIndex() && !number.count(value)) {
      add(value, {ElementOp::argument, DType::index, {}, fn.arguments(), 0});
      shared->push_back(value);
      ++fn.shared;
    }
    if (auto at = number.find(value); at != number.end())
      return at->second;
    reason = std::string("the body uses a value from outside; only elements, constants, ") +
             (shared ? "indices and " : "and ") + "f32 arguments of the kernel may be used";
    return std::nullopt;
  };
  for (auto argument : body.getArguments())
    add(argument, {ElementOp::argument,
                   *ir::dtypeOf(argument.getType()),
                   {},
                   int(argument.getArgNumber()),
                   0});
  for (mlir::Operation &op : body) {
    if (llvm::isa<ir::YieldOp>(op)) {
      for (mlir::Value v : op.getOperands())
        fn.results.push_back(numberOf(v).value_or(-1));
      if (llvm::is_contained(fn.results, -1))
        return std::nullopt;
      continue;
    }
    auto type = op.getNumResults() == 1 ? ir::dtypeOf(op.getResult(0).getType()) : std::nullopt;
    auto constant = llvm::dyn_cast<arith::ConstantOp>(op);
    auto kind = constant ? Kind(ElementOp::constant) : kindOf(&op);
    if (!kind || !type) {
      reason = "no target computes '" + op.getName().getStringRef().str() + "' on elements";
      return std::nullopt;
    }
    reason = unmeant(&op);
    if (!reason.empty())
      return std::nullopt;
    ElementNode node{*kind, *type, {}, 0, constant ? constantOf(constant) : 0};
    node.approximate = bitEnumContainsAll(fastMathOf(&op), arith::FastMathFlags::afn);
    node.contract = bitEnumContainsAll(fastMathOf(&op), arith::FastMathFlags::contract);
    for (mlir::Value v : operandsOf(op)) {
      auto operand = numberOf(v);
      if (!operand)
        return std::nullopt;
      node.operands.push_back(*operand);
    }
    add(op.getResult(0), std::move(node));
  }
  return fn;
}

} // namespace sluice

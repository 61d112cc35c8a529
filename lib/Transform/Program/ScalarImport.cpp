#include "Transform/Program/ScalarImport.h"

#include "Dialect/ValueNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace sluice {

namespace arith = mlir::arith;

ValueId ScalarImport::id(mlir::Value value) {
  auto [it, isNew] = ids_.try_emplace(value, program_.values);
  if (isNew) {
    ++program_.values;
    program_.valueNames.emplace_back();
  }
  return it->second;
}

void ScalarImport::name(mlir::Value value, const std::string &text) {
  program_.valueNames[id(value)] = text;
}

ValueId ScalarImport::fresh() {
  program_.valueNames.emplace_back();
  return program_.values++;
}

Index ScalarImport::index(mlir::Value value) {
  llvm::APInt constant;
  if (mlir::matchPattern(value, mlir::m_ConstantInt(&constant)))
    return {kNone, constant.getSExtValue()};
  return {id(value), 0};
}

static std::optional<ScalarOp> binary(mlir::Operation &op) {
  using R = std::optional<ScalarOp>;
  return llvm::TypeSwitch<mlir::Operation *, R>(&op)
      .Case<arith::AddIOp>([](auto) { return ScalarOp::add; })
      .Case<arith::SubIOp>([](auto) { return ScalarOp::sub; })
      .Case<arith::MulIOp>([](auto) { return ScalarOp::mul; })
      .Case<arith::DivSIOp, arith::DivUIOp>([](auto) { return ScalarOp::divS; })
      .Case<arith::RemSIOp, arith::RemUIOp>([](auto) { return ScalarOp::remS; })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>([](auto) { return ScalarOp::ceilDiv; })
      .Case<arith::MinSIOp, arith::MinUIOp>([](auto) { return ScalarOp::minS; })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([](auto) { return ScalarOp::maxS; })
      .Case<arith::AndIOp>([](auto) { return ScalarOp::andI; })
      .Case<arith::OrIOp>([](auto) { return ScalarOp::orI; })
      .Case<arith::XOrIOp>([](auto) { return ScalarOp::xorI; })
      .Case<arith::ShLIOp>([](auto) { return ScalarOp::shl; })
      .Case<arith::ShRSIOp, arith::ShRUIOp>([](auto) { return ScalarOp::shrS; })
      .Case<arith::SelectOp>([](auto) { return ScalarOp::select; })
      .Default([](auto) { return R(); });
}

static ScalarOp comparison(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return ScalarOp::eq;
  case arith::CmpIPredicate::ne:
    return ScalarOp::ne;
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return ScalarOp::lt;
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return ScalarOp::le;
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return ScalarOp::gt;
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return ScalarOp::ge;
  }
  return ScalarOp::eq;
}

static int64_t slotsOf(mlir::Value cursor) {
  return llvm::cast<ir::CursorType>(cursor.getType()).getSlots();
}

std::optional<Scalar> ScalarImport::import(mlir::Operation &op,
                                           const llvm::DenseMap<mlir::Value, int> &tensors) {
  Scalar s{};
  if (auto constant = llvm::dyn_cast<arith::ConstantOp>(op)) {
    auto value = llvm::dyn_cast<mlir::IntegerAttr>(constant.getValue());
    if (!value)
      return std::nullopt;
    s.op = ScalarOp::constant;
    s.imm = value.getType().isInteger(1) ? value.getValue().getZExtValue()
                                         : value.getValue().getSExtValue();
  } else if (auto kind = binary(op)) {
    s.op = *kind;
  } else if (auto compare = llvm::dyn_cast<arith::CmpIOp>(op)) {
    s.op = comparison(compare.getPredicate());
  } else if (auto dim = llvm::dyn_cast<ir::DimOp>(op)) {
    s = {ScalarOp::dim,
         id(dim.getExtent()),
         {},
         int64_t(dim.getDimension()),
         tensors.lookup(dim.getTensor())};
    return s;
  } else if (auto load = llvm::dyn_cast<ir::ScalarLoadOp>(op)) {
    s = {ScalarOp::load, id(load.getValue()), {}, 0, tensors.lookup(load.getSource())};
    for (mlir::Value offset : load.getOffsets())
      s.operands.push_back(id(offset));
    return s;
  } else if (auto init = llvm::dyn_cast<ir::CursorOp>(op)) {
    s.op = ScalarOp::cursorInit;
    s.imm = slotsOf(init.getCursor());
  } else if (auto advance = llvm::dyn_cast<ir::CursorAdvanceOp>(op)) {
    s.op = ScalarOp::cursorAdvance;
    s.imm = slotsOf(advance.getCursor()); // `by` comes as a second operand from the importer
  } else if (auto dynamic = llvm::dyn_cast<ir::CursorAdvanceDynOp>(op)) {
    s.op = ScalarOp::cursorAdvance;
    s.imm = slotsOf(dynamic.getCursor());
  } else if (auto slot = llvm::dyn_cast<ir::CursorSlotOp>(op)) {
    s.op = ScalarOp::cursorSlot;
    s.imm = slotsOf(slot.getCursor());
  } else if (auto phase = llvm::dyn_cast<ir::CursorPhaseOp>(op)) {
    s.op = ScalarOp::cursorPhase;
    s.imm = slotsOf(phase.getCursor());
  } else if (llvm::isa<ir::ClusterRankOp>(op)) {
    s.op = ScalarOp::clusterRank;
  } else if (llvm::isa<ir::WarpOp>(op)) {
    s.op = ScalarOp::warpInRole;
  } else if (llvm::isa<ir::SubblockOp>(op)) {
    s.op = ScalarOp::subblock;
  } else {
    return std::nullopt;
  }
  s.result = id(op.getResult(0));
  for (mlir::Value operand : op.getOperands())
    s.operands.push_back(id(operand));
  return s;
}

bool ScalarImport::importAlias(mlir::Operation &op) {
  if (!llvm::isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp, arith::ExtSIOp,
                 ir::UniformOp>(op))
    return false;
  alias(op.getResult(0), op.getOperand(0));
  std::string &known = program_.valueNames[id(op.getOperand(0))];
  if (known.empty())
    known = ir::valueName(op.getResult(0));
  return true;
}

Location locationOf(mlir::Location loc) {
  Location found;
  loc->walk([&](mlir::Location inner) {
    auto file = llvm::dyn_cast<mlir::FileLineColLoc>(inner);
    if (!file)
      return mlir::WalkResult::advance();
    found = {file.getFilename().str(), int(file.getLine()), int(file.getColumn())};
    return mlir::WalkResult::interrupt();
  });
  return found;
}

} // namespace sluice

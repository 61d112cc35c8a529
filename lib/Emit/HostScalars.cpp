#include "Emit/HostScalars.h"

#include "Emit/Infix.h"
#include "Program/Agent.h"
#include "Program/Joined.h"

#include <algorithm>

namespace sluice {

HostScalars::HostScalars(const Program &program) : program_(program) {
  walk(program.body, [&](const Stmt &s) {
    if (auto *scalar = std::get_if<Scalar>(&s.op))
      definitions_[scalar->result] = scalar;
    if (auto *grid = std::get_if<Grid>(&s.op))
      grid_ = grid;
  });
}

std::vector<std::string> HostScalars::grid() {
  const Extent extent = [this](const Scalar &s) {
    const Tensor &tensor = program_.tensors[s.object];
    const Scalar as = passed(program_.tensors, s);
    if (tensor.isLine && s.imm == 0)
      return "host::ceilDiv(" + tensor.name + ".elements(), " + std::to_string(tensor.extents[1]) +
             ")";
    return as.op == ScalarOp::constant
               ? std::to_string(as.imm)
               : program_.tensors[s.object].name + ".extent(" + std::to_string(as.imm) + ")";
  };
  std::vector<std::string> sides;
  for (size_t d = 0; grid_ && d < grid_->extents.size(); ++d)
    sides.push_back(text(grid_->extents[d], definitions_, extent));
  return sides;
}

std::string HostScalars::condition(const Assumption &assumption, const Extent &extent) {
  Definitions definitions;
  for (const Scalar &s : assumption.scalars)
    definitions[s.result] = &s;
  return text(assumption.scalars.back().result, definitions, extent);
}

/// In brackets unless it is a name, a number or a call.
std::string HostScalars::text(ValueId v, const Definitions &definitions, const Extent &extent) {
  auto found = definitions.find(v);
  if (found == definitions.end()) {
    known_ = false;
    return "0";
  }
  const Scalar &s = *found->second;
  if (s.op == ScalarOp::constant)
    return std::to_string(s.imm);
  if (s.op == ScalarOp::dim)
    return extent(s);
  if (s.op == ScalarOp::argument)
    return program_.arguments[s.object].name;
  std::vector<std::string> operands;
  for (ValueId operand : s.operands)
    operands.push_back(text(operand, definitions, extent));
  const bool computes = s.op >= ScalarOp::add && s.op <= ScalarOp::remS;
  if (computes && isNarrow(s.operands[0], definitions) && isNarrow(s.operands[1], definitions))
    operands[0] = "i64(" + operands[0] + ")";
  return operation(s, operands);
}

/// C++ has it in 32 bits or fewer: a number, a comparison, what is chosen or joined of these.
bool HostScalars::isNarrow(ValueId v, const Definitions &definitions) {
  const auto found = definitions.find(v);
  if (found == definitions.end())
    return true;
  const Scalar &s = *found->second;
  const bool joins = s.op == ScalarOp::andI || s.op == ScalarOp::orI || s.op == ScalarOp::xorI ||
                     s.op == ScalarOp::select;
  const size_t first = s.op == ScalarOp::select ? 1 : 0;
  const bool compares = s.op >= ScalarOp::eq && s.op <= ScalarOp::ge;
  return s.op == ScalarOp::constant || compares ||
         (joins && std::all_of(s.operands.begin() + first, s.operands.end(),
                               [&](ValueId x) { return isNarrow(x, definitions); }));
}

std::string HostScalars::operation(const Scalar &s, const std::vector<std::string> &operands) {
  const auto call = [&](const char *function) {
    return std::string(function) + "(" + operands[0] + ", " + operands[1] + ")";
  };
  const bool dividesPlainly = operands.size() > 1 && isPositive(operands[1]);
  switch (s.op) {
  case ScalarOp::ceilDiv:
    return call("host::ceilDiv");
  case ScalarOp::divS:
    return dividesPlainly ? infix(s, operands) : call("host::quotientOf");
  case ScalarOp::remS:
    return dividesPlainly ? infix(s, operands) : call("host::remainderOf");
  case ScalarOp::minS:
    return call("std::min<i64>");
  case ScalarOp::maxS:
    return call("std::max<i64>");
  case ScalarOp::shl:
    return call("host::shiftedLeft");
  case ScalarOp::shrS:
    return call("host::shiftedRight");
  case ScalarOp::select:
    return "(" + operands[0] + " ? " + operands[1] + " : " + operands[2] + ")";
  default:
    return infix(s, operands);
  }
}

std::string HostScalars::infix(const Scalar &s, const std::vector<std::string> &operands) {
  const char *infix = emit::infixOf(s.op);
  if (!infix) {
    known_ = false;
    return "0";
  }
  return "(" + operands[0] + infix + operands[1] + ")";
}

bool HostScalars::isPositive(const std::string &operand) {
  return operand != "0" && operand.find_first_not_of("0123456789") == std::string::npos;
}

} // namespace sluice

#include "Emit/Cuda/HostScalars.h"

#include "Emit/Cuda/Infix.h"
#include "Program/Agent.h"

namespace sluice::cuda {

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
    return program_.tensors[s.object].name + ".extent(" + std::to_string(s.imm) + ")";
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
  return operation(s, operands);
}

std::string HostScalars::operation(const Scalar &s, const std::vector<std::string> &operands) {
  if (s.op == ScalarOp::ceilDiv)
    return "host::ceilDiv(" + operands[0] + ", " + operands[1] + ")";
  if (s.op == ScalarOp::minS || s.op == ScalarOp::maxS)
    return std::string(s.op == ScalarOp::minS ? "std::min" : "std::max") + "<i64>(" + operands[0] +
           ", " + operands[1] + ")";
  if (s.op == ScalarOp::select)
    return "(" + operands[0] + " ? " + operands[1] + " : " + operands[2] + ")";
  const bool divides = s.op == ScalarOp::divS || s.op == ScalarOp::remS;
  if (divides && operands[1].find_first_not_of("0123456789") != std::string::npos)
    return std::string(s.op == ScalarOp::divS ? "host::quotientOf(" : "host::remainderOf(") +
           operands[0] + ", " + operands[1] + ")";
  if (const char *infix = infixOf(s.op))
    return "(" + operands[0] + infix + operands[1] + ")";
  known_ = false;
  return "0";
}

} // namespace sluice::cuda

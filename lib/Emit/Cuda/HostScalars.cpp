#include "Emit/Cuda/HostScalars.h"

#include "Machine/Agent.h"

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
  std::vector<std::string> sides;
  for (size_t d = 0; grid_ && d < grid_->extents.size(); ++d)
    sides.push_back(text(grid_->extents[d]));
  return sides;
}

/// In brackets unless it is a name, a number or a call.
std::string HostScalars::text(ValueId v) {
  auto found = definitions_.find(v);
  if (found == definitions_.end()) {
    known_ = false;
    return "0";
  }
  const Scalar &s = *found->second;
  auto at = [&](size_t i) { return text(s.operands[i]); };
  auto infix = [&](const char *op) { return "(" + at(0) + op + at(1) + ")"; };
  switch (s.op) {
  case ScalarOp::constant:
    return std::to_string(s.imm);
  case ScalarOp::dim:
    return program_.tensors[s.object].name + ".extent(" + std::to_string(s.imm) + ")";
  case ScalarOp::argument:
    return program_.arguments[s.object].name;
  case ScalarOp::add:
    return infix(" + ");
  case ScalarOp::sub:
    return infix(" - ");
  case ScalarOp::mul:
    return infix(" * ");
  case ScalarOp::divS:
    return infix(" / ");
  case ScalarOp::remS:
    return infix(" % ");
  case ScalarOp::ceilDiv:
    return "host::ceilDiv(" + at(0) + ", " + at(1) + ")";
  case ScalarOp::minS:
    return "std::min<i64>(" + at(0) + ", " + at(1) + ")";
  case ScalarOp::maxS:
    return "std::max<i64>(" + at(0) + ", " + at(1) + ")";
  default:
    known_ = false;
    return "0";
  }
}

} // namespace sluice::cuda

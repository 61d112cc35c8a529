#include "Machine/ElementFn.h"

#include "Machine/Rounding.h"

#include <array>
#include <cmath>

namespace sluice {
namespace {

constexpr std::array<std::string_view, 28> opNames = {
    "argument", "constant", "add",  "sub", "mul",  "div",    "max",  "min",  "neg",   "abs",
    "fma",      "exp",      "exp2", "log", "log2", "tanh",   "erf",  "sqrt", "rsqrt", "lt",
    "le",       "gt",       "ge",   "eq",  "ne",   "select", "andI", "orI"};

double divide(DType type, double a, double b) {
  if (isFloat(type))
    return a / b;
  return b == 0 ? 0 : std::trunc(a / b);
}

/// `a` are the operands of the node.
double apply(const ElementNode &n, const std::array<double, 3> &a) {
  switch (n.op) {
  case ElementOp::add:
    return a[0] + a[1];
  case ElementOp::sub:
    return a[0] - a[1];
  case ElementOp::mul:
    return a[0] * a[1];
  case ElementOp::div:
    return divide(n.type, a[0], a[1]);
  case ElementOp::max:
    return std::fmax(a[0], a[1]);
  case ElementOp::min:
    return std::fmin(a[0], a[1]);
  case ElementOp::neg:
    return -a[0];
  case ElementOp::abs:
    return std::fabs(a[0]);
  case ElementOp::fma:
    return std::fma(a[0], a[1], a[2]);
  case ElementOp::exp:
    return std::exp(a[0]);
  case ElementOp::exp2:
    return std::exp2(a[0]);
  case ElementOp::log:
    return std::log(a[0]);
  case ElementOp::log2:
    return std::log2(a[0]);
  case ElementOp::tanh:
    return std::tanh(a[0]);
  case ElementOp::erf:
    return std::erf(a[0]);
  case ElementOp::sqrt:
    return std::sqrt(a[0]);
  case ElementOp::rsqrt:
    return 1 / std::sqrt(a[0]);
  case ElementOp::lt:
    return a[0] < a[1];
  case ElementOp::le:
    return a[0] <= a[1];
  case ElementOp::gt:
    return a[0] > a[1];
  case ElementOp::ge:
    return a[0] >= a[1];
  case ElementOp::eq:
    return a[0] == a[1];
  case ElementOp::ne:
    return a[0] != a[1];
  case ElementOp::select:
    return a[0] != 0 ? a[1] : a[2];
  case ElementOp::andI:
    return static_cast<double>(static_cast<int64_t>(a[0]) & static_cast<int64_t>(a[1]));
  case ElementOp::orI:
    return static_cast<double>(static_cast<int64_t>(a[0]) | static_cast<int64_t>(a[1]));
  default: // cast; argument and constant do not come here
    return a[0];
  }
}

} // namespace

std::string_view name(ElementOp op) {
  return op == ElementOp::cast ? "cast" : opNames[static_cast<size_t>(op)];
}

void evaluate(const ElementFn &fn, const double *arguments, std::vector<double> &results) {
  std::vector<double> values(fn.nodes.size());
  for (size_t i = 0; i < fn.nodes.size(); ++i) {
    const ElementNode &n = fn.nodes[i];
    if (n.op == ElementOp::argument) {
      values[i] = arguments[n.imm];
      continue;
    }
    std::array<double, 3> operands{n.value, 0, 0};
    for (size_t k = 0; k < n.operands.size() && k < 3; ++k)
      operands[k] = values[n.operands[k]];
    values[i] = roundTo(n.type, n.op == ElementOp::constant ? n.value : apply(n, operands));
  }
  results.clear();
  for (int r : fn.results)
    results.push_back(values[r]);
}

} // namespace sluice

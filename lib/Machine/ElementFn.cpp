#include "Machine/ElementFn.h"

#include "Machine/Rounding.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace sluice {
namespace {

constexpr std::array<std::string_view, 29> opNames = {
    "argument", "parameter", "constant", "add",  "sub", "mul",  "div",    "max",  "min",  "neg",
    "abs",      "fma",       "exp",      "exp2", "log", "log2", "tanh",   "erf",  "sqrt", "rsqrt",
    "lt",       "le",        "gt",       "ge",   "eq",  "ne",   "select", "andI", "orI"};

/// In two's complement, where signed overflow has no meaning in C++.
int64_t wrapping(ElementOp op, int64_t a, int64_t b) {
  auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  return static_cast<int64_t>(op == ElementOp::add ? x + y : op == ElementOp::sub ? x - y : x * y);
}

int64_t quotient(int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  return b == -1 ? wrapping(ElementOp::sub, 0, a) : a / b;
}

/// Real numbers and truth values; `a` are the operands of the node.
double apply(const ElementNode &n, const std::array<double, 3> &a) {
  switch (n.op) {
  case ElementOp::add:
    return a[0] + a[1];
  case ElementOp::sub:
    return a[0] - a[1];
  case ElementOp::mul:
    return a[0] * a[1];
  case ElementOp::div:
    return a[0] / a[1];
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

/// Integer operands are exact in a double.
double applyInteger(const ElementNode &n, const std::array<double, 3> &a) {
  return static_cast<double>(evaluateInteger(
      n, {static_cast<int64_t>(a[0]), static_cast<int64_t>(a[1]), static_cast<int64_t>(a[2])}));
}

} // namespace

bool isExactInteger(DType type) {
  return type == DType::s8 || type == DType::i32 || type == DType::index;
}

int64_t wrapTo(DType type, int64_t value) {
  if (type == DType::s8)
    return static_cast<int8_t>(value);
  return type == DType::i32 ? static_cast<int32_t>(value) : value;
}

int64_t evaluateInteger(const ElementNode &n, const std::array<int64_t, 3> &a) {
  switch (n.op) {
  case ElementOp::add:
  case ElementOp::sub:
  case ElementOp::mul:
    return wrapTo(n.type, wrapping(n.op, a[0], a[1]));
  case ElementOp::div:
    return wrapTo(n.type, quotient(a[0], a[1]));
  case ElementOp::max:
    return std::max(a[0], a[1]);
  case ElementOp::min:
    return std::min(a[0], a[1]);
  case ElementOp::neg:
    return wrapTo(n.type, wrapping(ElementOp::sub, 0, a[0]));
  case ElementOp::abs:
    return a[0] < 0 ? wrapTo(n.type, wrapping(ElementOp::sub, 0, a[0])) : a[0];
  case ElementOp::fma:
    return wrapTo(n.type, wrapping(ElementOp::add, wrapping(ElementOp::mul, a[0], a[1]), a[2]));
  case ElementOp::select:
    return a[0] != 0 ? a[1] : a[2];
  case ElementOp::andI:
    return a[0] & a[1];
  case ElementOp::orI:
    return a[0] | a[1];
  default: // exp, sqrt ...: through the real number
    return static_cast<int64_t>(roundTo(n.type, apply(n, {double(a[0]), double(a[1]), 0})));
  }
}

std::string_view name(ElementOp op) {
  return op == ElementOp::cast ? "cast" : opNames[static_cast<size_t>(op)];
}

int64_t argumentOf(float value) {
  return std::bit_cast<int32_t>(value);
}

float floatOfArgument(int64_t argument) {
  return std::bit_cast<float>(static_cast<int32_t>(argument));
}

ElementFn boundTo(const std::vector<int64_t> &arguments, ElementFn fn) {
  for (ElementNode &n : fn.nodes)
    if (n.op == ElementOp::parameter) {
      n.op = ElementOp::constant;
      n.value = floatOfArgument(arguments[n.imm]);
    }
  return fn;
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
    bool integer = isExactInteger(n.type) && n.op != ElementOp::constant;
    if (n.op == ElementOp::cast && integer)
      values[i] = static_cast<double>(isExactInteger(fn.nodes[n.operands[0]].type)
                                          ? wrapTo(n.type, static_cast<int64_t>(operands[0]))
                                          : truncateTo(n.type, operands[0]));
    else if (integer && n.op != ElementOp::cast)
      values[i] = applyInteger(n, operands);
    else
      values[i] = roundTo(n.type, n.op == ElementOp::constant ? n.value : apply(n, operands));
  }
  results.clear();
  for (int r : fn.results)
    results.push_back(values[r]);
}

} // namespace sluice

#include "Program/ElementFn.h"

#include "Support/Rounding.h"

#include <algorithm>
#include <bit>

namespace sluice {
namespace {

constexpr std::array<std::string_view, 35> opNames = {
    "argument", "parameter", "constant", "add",   "sub",  "mul",  "div",  "max",   "min",
    "maximum",  "minimum",   "neg",      "abs",   "fma",  "exp",  "exp2", "log",   "log2",
    "tanh",     "erf",       "sqrt",     "rsqrt", "lt",   "le",   "gt",   "ge",    "eq",
    "ne",       "select",    "andI",     "orI",   "xorI", "cast", "bits", "random"};

/// In two's complement, where signed overflow has no meaning in C++.
int64_t wrapping(ElementOp op, int64_t a, int64_t b) {
  auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  return static_cast<int64_t>(op == ElementOp::add ? x + y : op == ElementOp::sub ? x - y : x * y);
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
  case ElementOp::max:
    return std::max(a[0], a[1]);
  case ElementOp::min:
    return std::min(a[0], a[1]);
  case ElementOp::select:
    return a[0] != 0 ? a[1] : a[2];
  case ElementOp::andI:
    return a[0] & a[1];
  case ElementOp::orI:
    return a[0] | a[1];
  case ElementOp::xorI:
    return a[0] ^ a[1];
  default:
    return wrapTo(n.type, wrapping(n.op, a[0], a[1]));
  }
}

bool isCombine(ElementOp op) {
  switch (op) {
  case ElementOp::add:
  case ElementOp::mul:
  case ElementOp::max:
  case ElementOp::min:
  case ElementOp::maximum:
  case ElementOp::minimum:
  case ElementOp::andI:
  case ElementOp::orI:
  case ElementOp::xorI:
    return true;
  default:
    return false;
  }
}

bool isStart(ElementOp op, double value) {
  if (op == ElementOp::mul)
    return value == 1;
  return value == 0 || (op != ElementOp::add && op != ElementOp::xorI);
}

std::string_view name(ElementOp op) {
  return opNames[static_cast<size_t>(op)];
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

} // namespace sluice

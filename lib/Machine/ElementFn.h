// A function of single elements: the body of `map` and the combiner of `reduce`.
#pragma once

#include "Machine/Types.h"

#include <array>
#include <string_view>
#include <vector>

namespace sluice {

enum class ElementOp : uint8_t {
  argument,  // `imm` = its number
  parameter, // scalar argument `imm` of the kernel, known at launch
  constant,  // `value`
  add,
  sub,
  mul,
  div,
  max,
  min,
  neg,
  abs,
  fma,
  exp,
  exp2,
  log,
  log2,
  tanh,
  erf,
  sqrt,
  rsqrt,
  lt,
  le,
  gt,
  ge,
  eq,
  ne,
  select,
  andI,
  orI,
  cast, // to `type`, rounding to nearest even
};

/// One value; operands are numbers of earlier nodes. Its arithmetic rounds to `type`.
struct ElementNode {
  ElementOp op;
  DType type;
  std::vector<int> operands;
  int imm = 0;
  double value = 0;
};

struct ElementFn {
  int inputs = 0;           // arguments without the coordinates
  bool coordinates = false; // then arguments `inputs` and `inputs` + 1 are row and column
  std::vector<ElementNode> nodes;
  std::vector<int> results; // nodes, one per output
};

std::string_view name(ElementOp op);

/// An f32 argument as a launch passes it: its bits as a 32-bit integer.
int64_t argumentOf(float value);
float floatOfArgument(int64_t argument);
/// The function at a launch with these scalar arguments: its parameters are constants.
ElementFn boundTo(const std::vector<int64_t> &arguments, ElementFn fn);

/// i8, i32 and index: their arithmetic is exact and wraps around.
bool isExactInteger(DType type);
/// The lower bits of `value` as a value of an integer type.
int64_t wrapTo(DType type, int64_t value);
/// An operation with integer operands and an integer result of n.type. Division rounds towards
/// zero and gives 0 for a divisor of 0. Not for conversions and comparisons.
int64_t evaluateInteger(const ElementNode &n, const std::array<int64_t, 3> &operands);

/// Evaluates in double precision with every real node rounded to its type and every integer node
/// exact (index up to 2^53). `results` is resized.
void evaluate(const ElementFn &fn, const double *arguments, std::vector<double> &results);

} // namespace sluice

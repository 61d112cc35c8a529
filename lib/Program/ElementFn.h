// A function of single elements: the body of `map`, and what `reduce` folds. What each operation
// computes is written in docs/semantics.md, "Elements"; all who compute keep to it.
#pragma once

#include "Program/Types.h"

#include <array>
#include <cmath>
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
  max, // of a number and NaN: the number
  min,
  maximum, // NaN where an operand is
  minimum,
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
  xorI,
  cast,   // to `type`
  bits,   // of f32 as i32, of i32 as f32
  random, // of seed (lower, upper half), stream, row, column: i32 all bits, f32 uniform in [0, 1)
};

/// One value; operands are numbers of earlier nodes. Its arithmetic rounds to `type`.
struct ElementNode {
  ElementOp op;
  DType type;
  std::vector<int> operands;
  int imm = 0;
  double value = 0;
  bool approximate = false; // may be, as far as docs/semantics.md says (fastmath<afn>)
  bool contract = false;    // a product and the sum it goes to may round once (fastmath<contract>)
};

struct ElementFn {
  int inputs = 0;           // arguments that are elements of tiles
  bool coordinates = false; // then arguments `inputs` and `inputs` + 1 are row and column
  std::vector<ElementNode> nodes;
  std::vector<int> results; // nodes, one per output
  int shared = 0;           // arguments behind these: indices that are the same for all elements

  int arguments() const { return inputs + (coordinates ? 2 : 0) + shared; }
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
/// add, sub, mul, max, min, select, andI, orI or xorI of integers, with a result of n.type.
int64_t evaluateInteger(const ElementNode &n, const std::array<int64_t, 3> &operands);

/// The larger and the smaller of two real numbers, -0 below 0. NaN is the larger and the smaller of
/// all, or of a number and NaN it is the number.
inline float larger(float a, float b, bool keepsNaN) {
  if (a != a || b != b)
    return (a != a) == keepsNaN ? a : b;
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}
inline float smaller(float a, float b, bool keepsNaN) {
  return -larger(-a, -b, keepsNaN);
}

/// Whether partial results of a fold may be folded with it in any order and grouping.
bool isCombine(ElementOp op);
/// What a fold with `op` may start from as often as there are partial results: the values that
/// change nothing. Of an operation that takes a value twice as once (max ...) every value.
bool isStart(ElementOp op, double value);

} // namespace sluice

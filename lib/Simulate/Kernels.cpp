#include "Simulate/Kernels.h"

#include "Program/Philox.h"
#include "Support/HostTensor.h"
#include "Support/Rounding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

// The loops below become vector code; the processor's best version is chosen when the program
// starts.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__)
#define SLUICE_VECTOR __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define SLUICE_VECTOR
#endif

namespace sluice {
namespace {

constexpr int64_t blockRows = 4, blockColumns = 32;

/// A full block of the product, its sums in registers.
SLUICE_VECTOR void multiplyBlock(int64_t n, int64_t k, const float *__restrict a,
                                 const float *__restrict b, float *__restrict c) {
  float sum[blockRows][blockColumns];
  for (int64_t i = 0; i < blockRows; ++i)
    for (int64_t j = 0; j < blockColumns; ++j)
      sum[i][j] = c[i * n + j];
  for (int64_t p = 0; p < k; ++p)
    for (int64_t i = 0; i < blockRows; ++i)
      for (int64_t j = 0; j < blockColumns; ++j)
        sum[i][j] += a[i * k + p] * b[p * n + j];
  for (int64_t i = 0; i < blockRows; ++i)
    for (int64_t j = 0; j < blockColumns; ++j)
      c[i * n + j] = sum[i][j];
}

void multiplyEdge(int64_t rows, int64_t columns, int64_t n, int64_t k, const float *a,
                  const float *b, float *c) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t p = 0; p < k; ++p)
      for (int64_t j = 0; j < columns; ++j)
        c[i * n + j] += a[i * k + p] * b[p * n + j];
}

template <typename F> void unary(int64_t count, const float *a, float *out, F f) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = f(a[i]);
}
template <typename T, typename F>
void binary(int64_t count, const T *a, const T *b, float *out, F f) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = f(a[i], b[i]);
}

/// Of truth values.
float bitwise(ElementOp op, bool a, bool b) {
  return float(op == ElementOp::andI ? a && b : op == ElementOp::orI ? a || b : a != b);
}

bool isComparison(ElementOp op) {
  return op >= ElementOp::lt && op <= ElementOp::ne;
}

/// 1 where the comparison holds, else 0.
template <typename T> void compare(ElementOp op, int64_t n, const T *a, const T *b, float *out) {
  switch (op) {
  case ElementOp::lt:
    return binary(n, a, b, out, [](T x, T y) { return x < y ? 1.0f : 0.0f; });
  case ElementOp::le:
    return binary(n, a, b, out, [](T x, T y) { return x <= y ? 1.0f : 0.0f; });
  case ElementOp::gt:
    return binary(n, a, b, out, [](T x, T y) { return x > y ? 1.0f : 0.0f; });
  case ElementOp::ge:
    return binary(n, a, b, out, [](T x, T y) { return x >= y ? 1.0f : 0.0f; });
  case ElementOp::eq:
    return binary(n, a, b, out, [](T x, T y) { return x == y ? 1.0f : 0.0f; });
  default:
    return binary(n, a, b, out, [](T x, T y) { return x != y ? 1.0f : 0.0f; });
  }
}

void applyUnary(ElementOp op, int64_t n, const float *a, float *out) {
  switch (op) {
  case ElementOp::neg:
    return unary(n, a, out, [](float x) { return -x; });
  case ElementOp::abs:
    return unary(n, a, out, [](float x) { return std::fabs(x); });
  case ElementOp::exp:
    return unary(n, a, out, [](float x) { return std::exp(x); });
  case ElementOp::exp2:
    return unary(n, a, out, [](float x) { return std::exp2(x); });
  case ElementOp::log:
    return unary(n, a, out, [](float x) { return std::log(x); });
  case ElementOp::log2:
    return unary(n, a, out, [](float x) { return std::log2(x); });
  case ElementOp::tanh:
    return unary(n, a, out, [](float x) { return std::tanh(x); });
  case ElementOp::erf:
    return unary(n, a, out, [](float x) { return std::erf(x); });
  case ElementOp::sqrt:
    return unary(n, a, out, [](float x) { return std::sqrt(x); });
  case ElementOp::rsqrt:
    return unary(n, a, out, [](float x) { return 1 / std::sqrt(x); });
  default: // cast
    std::memmove(out, a, n * sizeof(float));
  }
}

void applyBinary(ElementOp op, int64_t n, const float *a, const float *b, float *out) {
  switch (op) {
  case ElementOp::add:
    return binary(n, a, b, out, [](float x, float y) { return x + y; });
  case ElementOp::sub:
    return binary(n, a, b, out, [](float x, float y) { return x - y; });
  case ElementOp::mul:
    return binary(n, a, b, out, [](float x, float y) { return x * y; });
  case ElementOp::div:
    return binary(n, a, b, out, [](float x, float y) { return x / y; });
  case ElementOp::max:
    return binary(n, a, b, out, [](float x, float y) { return larger(x, y, false); });
  case ElementOp::maximum:
    return binary(n, a, b, out, [](float x, float y) { return larger(x, y, true); });
  case ElementOp::min:
    return binary(n, a, b, out, [](float x, float y) { return smaller(x, y, false); });
  case ElementOp::minimum:
    return binary(n, a, b, out, [](float x, float y) { return smaller(x, y, true); });
  default:
    return binary(n, a, b, out, [&](float x, float y) { return bitwise(op, x != 0, y != 0); });
  }
}

void applyTernary(ElementOp op, int64_t n, const float *a, const float *b, const float *c,
                  float *out) {
  if (op == ElementOp::select)
    for (int64_t i = 0; i < n; ++i)
      out[i] = a[i] != 0 ? b[i] : c[i];
  else
    for (int64_t i = 0; i < n; ++i)
      out[i] = std::fma(a[i], b[i], c[i]);
}

/// An operation on real numbers and truth values.
void applyReal(const ElementNode &node, const std::vector<const Elements *> &o, Elements &out) {
  int64_t n = out.size();
  float *to = out.reals.data();
  if (isComparison(node.op))
    compare(node.op, n, o[0]->reals.data(), o[1]->reals.data(), to);
  else if (o.size() == 1)
    applyUnary(node.op, n, o[0]->reals.data(), to);
  else if (o.size() == 2)
    applyBinary(node.op, n, o[0]->reals.data(), o[1]->reals.data(), to);
  else
    applyTernary(node.op, n, o[0]->reals.data(), o[1]->reals.data(), o[2]->reals.data(), to);
  roundAll(node.type, to, n);
}

/// An operation on integers; the condition of a selection is a truth value.
void applyInteger(const ElementNode &node, const std::vector<const Elements *> &o, Elements &out) {
  auto operand = [&](size_t k, int64_t i) -> int64_t {
    if (k >= o.size())
      return 0;
    return isExactInteger(o[k]->type) ? o[k]->integers[i] : o[k]->reals[i] != 0;
  };
  for (int64_t i = 0; i < out.size(); ++i)
    out.integers[i] = evaluateInteger(node, {operand(0, i), operand(1, i), operand(2, i)});
}

void applyRandom(const std::vector<const Elements *> &o, Elements &out) {
  const auto of = [&](size_t k, int64_t i) { return o[k]->integers[i]; };
  for (int64_t i = 0; i < out.size(); ++i) {
    const uint32_t bits = randomBits({of(0, i), of(1, i), of(2, i), of(3, i), of(4, i)});
    if (out.type == DType::i32)
      out.integers[i] = static_cast<int32_t>(bits);
    else
      out.reals[i] = uniformOf(bits);
  }
}

void applyBits(const Elements &from, Elements &out) {
  for (int64_t i = 0; i < out.size(); ++i)
    if (out.type == DType::i32)
      out.integers[i] = std::bit_cast<int32_t>(from.reals[i]);
    else
      out.reals[i] = std::bit_cast<float>(static_cast<int32_t>(from.integers[i]));
}

Elements apply(const ElementNode &node, int64_t count, const std::vector<const Elements *> &o) {
  Elements out(node.type, count);
  if (node.op == ElementOp::random) {
    applyRandom(o, out);
    return out;
  }
  if (node.op == ElementOp::bits) {
    applyBits(*o[0], out);
    return out;
  }
  if (node.op == ElementOp::cast && isExactInteger(node.type) && !isExactInteger(o[0]->type)) {
    for (int64_t i = 0; i < count; ++i)
      out.integers[i] = truncateTo(node.type, static_cast<double>(o[0]->reals[i]));
    return out;
  }
  if (node.op == ElementOp::cast)
    return converted(*o[0], node.type);
  if (isExactInteger(node.type))
    applyInteger(node, o, out);
  else if (isComparison(node.op) && isExactInteger(o[0]->type))
    compare(node.op, count, o[0]->integers.data(), o[1]->integers.data(), out.reals.data());
  else
    applyReal(node, o, out);
  return out;
}

/// a = a op b, the numbers of a 16-bit type in f32.
void combine(ElementOp op, Elements &a, const Elements &b) {
  Elements out(a.type, a.size());
  const ElementNode node{op, a.type, {0, 1}};
  isExactInteger(a.type)
      ? applyInteger(node, {&a, &b}, out)
      : applyBinary(op, a.size(), a.reals.data(), b.reals.data(), out.reals.data());
  a = std::move(out);
}

} // namespace

void multiplyAdd(int64_t m, int64_t n, int64_t k, const float *a, const float *b, float *c) {
  int64_t i = 0;
  for (; i + blockRows <= m; i += blockRows) {
    int64_t j = 0;
    for (; j + blockColumns <= n; j += blockColumns)
      multiplyBlock(n, k, a + i * k, b + j, c + i * n + j);
    multiplyEdge(blockRows, n - j, n, k, a + i * k, b + j, c + i * n + j);
  }
  multiplyEdge(m - i, n, n, k, a + i * k, b, c + i * n);
}

void roundAll(DType type, float *values, int64_t count) {
  if (type == DType::f32)
    return;
  if (type == DType::f16 || type == DType::bf16) {
    std::vector<std::byte> raw(count * 2);
    storeElements(type, values, count, raw.data());
    loadElements(type, raw.data(), count, values);
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    values[i] = roundTo(type, values[i]);
}

std::vector<Elements> evaluateAll(const ElementFn &fn, int64_t count,
                                  const std::vector<const Elements *> &arguments) {
  std::vector<Elements> computed(fn.nodes.size());
  std::vector<const Elements *> values(fn.nodes.size());
  for (size_t i = 0; i < fn.nodes.size(); ++i) {
    const ElementNode &node = fn.nodes[i];
    values[i] = &computed[i];
    if (node.op == ElementOp::argument && arguments[node.imm]->type == node.type) {
      values[i] = arguments[node.imm];
    } else if (node.op == ElementOp::argument) {
      computed[i] = converted(*arguments[node.imm], node.type);
    } else if (node.op == ElementOp::constant) {
      computed[i] = Elements(node.type, count, node.value);
    } else {
      std::vector<const Elements *> operands;
      for (int o : node.operands)
        operands.push_back(values[o]);
      computed[i] = apply(node, count, operands);
    }
  }
  std::vector<Elements> results;
  for (int r : fn.results)
    results.push_back(*values[r]);
  return results;
}

/// Into n columns: nobody shares any of them.
static Elements foldOnto(const Reduce &how, int64_t rows, int64_t cols, int64_t n,
                         const Elements &in) {
  const int64_t period = n * how.together;
  Elements all(in.type, 0), line(in.type, n);
  for (int64_t row = 0; row < rows; ++row) {
    Elements part(in.type, n, how.identity);
    for (int64_t first = 0; first < cols; first += period)
      for (int64_t beside = 0; beside < how.together; ++beside) {
        line.take(in, row * cols + first + beside, how.together);
        combine(how.combine, part, line);
      }
    all.append(part);
  }
  return all;
}

Elements fold(const Reduce &how, int64_t rows, int64_t cols, Elements in,
              const LanesOfRow &shared) {
  if (how.element)
    in = std::move(evaluateAll(*how.element, in.size(), {&in})[0]);
  const DType type = isFloat(in.type) ? DType::f32 : in.type;
  in.type = type;
  if (const int64_t n = how.out.cols(); how.axis == 1 && n > 1)
    return foldOnto(how, rows, cols, n, in);
  const int64_t lines = how.axis == 1 ? rows : cols, steps = how.axis == 1 ? cols : rows;
  const int lanes = shared.lanes;
  std::vector<Elements> parts(lanes, Elements(type, lines, how.identity));
  Elements line(type, lines);
  for (int64_t i = 0; i < steps; ++i) {
    line.take(in, how.axis == 1 ? i : i * cols, how.axis == 1 ? cols : 1);
    combine(how.combine, parts[i / shared.together % lanes], line);
  }
  for (int apart = 1; apart < lanes; apart *= 2)
    for (int lane = 0; lane < lanes; lane += 2 * apart)
      combine(how.combine, parts[lane], parts[lane + apart]);
  return parts[0];
}

} // namespace sluice

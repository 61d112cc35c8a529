#include "Simulate/Kernels.h"

#include "Machine/HostTensor.h"
#include "Machine/Rounding.h"

#include <algorithm>
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

float divide(DType type, float a, float b) {
  if (isFloat(type))
    return a / b;
  return b == 0 ? 0 : std::trunc(a / b);
}

template <typename F> void unary(int64_t count, const float *a, float *out, F f) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = f(a[i]);
}
template <typename F> void binary(int64_t count, const float *a, const float *b, float *out, F f) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = f(a[i], b[i]);
}

float bitwise(float a, float b, bool isAnd) {
  auto x = static_cast<int64_t>(a), y = static_cast<int64_t>(b);
  return static_cast<float>(isAnd ? x & y : x | y);
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

void applyBinary(const ElementNode &node, int64_t n, const float *a, const float *b, float *out) {
  switch (node.op) {
  case ElementOp::add:
    return binary(n, a, b, out, [](float x, float y) { return x + y; });
  case ElementOp::sub:
    return binary(n, a, b, out, [](float x, float y) { return x - y; });
  case ElementOp::mul:
    return binary(n, a, b, out, [](float x, float y) { return x * y; });
  case ElementOp::div:
    return binary(n, a, b, out, [&](float x, float y) { return divide(node.type, x, y); });
  case ElementOp::max:
    return binary(n, a, b, out, [](float x, float y) { return x != x || x > y ? x : y; });
  case ElementOp::min:
    return binary(n, a, b, out, [](float x, float y) { return x != x || x < y ? x : y; });
  case ElementOp::lt:
    return binary(n, a, b, out, [](float x, float y) { return x < y ? 1.0f : 0.0f; });
  case ElementOp::le:
    return binary(n, a, b, out, [](float x, float y) { return x <= y ? 1.0f : 0.0f; });
  case ElementOp::gt:
    return binary(n, a, b, out, [](float x, float y) { return x > y ? 1.0f : 0.0f; });
  case ElementOp::ge:
    return binary(n, a, b, out, [](float x, float y) { return x >= y ? 1.0f : 0.0f; });
  case ElementOp::eq:
    return binary(n, a, b, out, [](float x, float y) { return x == y ? 1.0f : 0.0f; });
  case ElementOp::ne:
    return binary(n, a, b, out, [](float x, float y) { return x != y ? 1.0f : 0.0f; });
  default:
    return binary(n, a, b, out,
                  [&](float x, float y) { return bitwise(x, y, node.op == ElementOp::andI); });
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

/// The node when fn is one f32 operation of its two arguments that foldLine knows.
const ElementNode *singleOperation(const ElementFn &fn) {
  if (fn.nodes.size() != 3 || fn.results != std::vector<int>{2})
    return nullptr;
  const ElementNode &first = fn.nodes[0], &second = fn.nodes[1], &node = fn.nodes[2];
  bool arguments = first.op == ElementOp::argument && second.op == ElementOp::argument &&
                   first.imm != second.imm && node.operands.size() == 2 &&
                   node.operands[0] != node.operands[1];
  bool known = node.op == ElementOp::add || node.op == ElementOp::mul ||
               node.op == ElementOp::max || node.op == ElementOp::min;
  return arguments && known && node.type == DType::f32 ? &node : nullptr;
}

float foldLine(ElementOp op, int64_t count, const float *in, float value) {
  for (int64_t i = 0; i < count; ++i) {
    float x = in[i];
    if (op == ElementOp::add)
      value += x;
    else if (op == ElementOp::mul)
      value *= x;
    else if (op == ElementOp::max)
      value = value != value || value > x ? value : x;
    else
      value = value != value || value < x ? value : x;
  }
  return value;
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

void evaluateAll(const ElementFn &fn, int64_t count, const std::vector<const float *> &arguments,
                 const std::vector<float *> &results) {
  std::vector<std::vector<float>> computed(fn.nodes.size());
  std::vector<const float *> values(fn.nodes.size());
  for (size_t i = 0; i < fn.nodes.size(); ++i) {
    const ElementNode &node = fn.nodes[i];
    if (node.op == ElementOp::argument) {
      values[i] = arguments[node.imm];
      continue;
    }
    computed[i].resize(count);
    float *out = computed[i].data();
    values[i] = out;
    if (node.op == ElementOp::constant) {
      std::fill_n(out, count, static_cast<float>(roundTo(node.type, node.value)));
      continue;
    }
    const auto &o = node.operands;
    if (o.size() == 1)
      applyUnary(node.op, count, values[o[0]], out);
    else if (o.size() == 2)
      applyBinary(node, count, values[o[0]], values[o[1]], out);
    else
      applyTernary(node.op, count, values[o[0]], values[o[1]], values[o[2]], out);
    roundAll(node.type, out, count);
  }
  for (size_t r = 0; r < fn.results.size() && r < results.size(); ++r)
    std::memmove(results[r], values[fn.results[r]], count * sizeof(float));
}

void foldRows(const ElementFn &fn, double identity, int64_t rows, int64_t cols, const float *in,
              float *out) {
  std::vector<float> column(rows);
  std::fill_n(out, rows, static_cast<float>(identity));
  if (const ElementNode *node = singleOperation(fn)) {
    for (int64_t r = 0; r < rows; ++r)
      out[r] = foldLine(node->op, cols, in + r * cols, out[r]);
    return;
  }
  for (int64_t c = 0; c < cols; ++c) {
    for (int64_t r = 0; r < rows; ++r)
      column[r] = in[r * cols + c];
    evaluateAll(fn, rows, {out, column.data()}, {out});
  }
}

void foldColumns(const ElementFn &fn, double identity, int64_t rows, int64_t cols, const float *in,
                 float *out) {
  std::fill_n(out, cols, static_cast<float>(identity));
  for (int64_t r = 0; r < rows; ++r)
    evaluateAll(fn, cols, {out, in + r * cols}, {out});
}

} // namespace sluice

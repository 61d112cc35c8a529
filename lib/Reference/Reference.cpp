#include "Reference/Reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace sluice {
namespace {

std::string shapeOf(const char *name, const Matrix &m) {
  return std::string(name) + "[" + std::to_string(m.rows()) + "," + std::to_string(m.cols()) + "]";
}

Error mismatch(const char *what, const std::string &a, const std::string &b) {
  return inputError(std::string(what) + ": " + a + " and " + b + " do not fit together");
}

/// Keys that query `row` sees.
int64_t visibleKeys(int64_t row, int64_t queries, int64_t keys, bool causal) {
  return causal ? std::clamp<int64_t>(row + 1 + keys - queries, 0, keys) : keys;
}

/// Softmax of every row over its visible keys; the others become 0.
void softmaxRows(Matrix &s, bool causal) {
  int64_t queries = s.rows(), keys = s.cols();
  for (int64_t i = 0; i < queries; ++i) {
    int64_t visible = visibleKeys(i, queries, keys, causal);
    s.row(i).tail(keys - visible).setZero();
    if (visible == 0)
      continue;
    auto row = s.row(i).head(visible);
    row = (row.array() - row.maxCoeff()).exp().matrix();
    row /= row.sum();
  }
}

} // namespace

Matrix toMatrix(const HostTensor &tensor) {
  int64_t cols = tensor.extents.empty() ? 1 : tensor.extents.back();
  int64_t rows = 1;
  for (size_t d = 0; d + 1 < tensor.extents.size(); ++d)
    rows *= tensor.extents[d];
  Matrix m(rows, cols);
  if (m.size() == 0)
    return m;
  int64_t size = byteSize(tensor.type);
  int64_t step = tensor.extents.empty() ? 0 : tensor.strides.back();
  std::vector<int64_t> index(tensor.extents.empty() ? 0 : tensor.extents.size() - 1, 0);
  for (int64_t r = 0; r < rows; ++r) {
    int64_t at = 0;
    for (size_t d = 0; d < index.size(); ++d)
      at += index[d] * tensor.strides[d];
    for (int64_t c = 0; c < cols; ++c)
      m(r, c) = loadElement(tensor.type, tensor.bytes.data() + (at + c * step) * size);
    for (size_t d = index.size(); d-- > 0 && ++index[d] == tensor.extents[d];)
      index[d] = 0;
  }
  return m;
}

double activate(Activation activation, double x) {
  switch (activation) {
  case Activation::none:
    return x;
  case Activation::relu:
    return x < 0 ? 0 : x; // a NaN stays one
  case Activation::geluTanh: {
    double inner = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
    return 0.5 * x * (1 + std::tanh(inner));
  }
  case Activation::geluErf:
    return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2));
  }
  return x;
}

/// Rows and columns by their factors.
static std::optional<Error> scale(Matrix &c, const GemmReference &how) {
  const Matrix &rows = how.rowScale, &cols = how.colScale;
  if (rows.size() != 0 && (rows.rows() != c.rows() || rows.cols() != 1))
    return mismatch("gemm", shapeOf("rowScale", rows), shapeOf("C", c));
  if (cols.size() != 0 && (cols.cols() != c.cols() || cols.rows() != 1))
    return mismatch("gemm", shapeOf("colScale", cols), shapeOf("C", c));
  if (rows.size() != 0)
    c.array().colwise() *= rows.col(0).array();
  if (cols.size() != 0)
    c.array().rowwise() *= cols.row(0).array();
  return std::nullopt;
}

Result<Matrix> referenceGemm(const Matrix &a, const Matrix &b, const GemmReference &how) {
  if (a.cols() != b.rows())
    return mismatch("gemm", shapeOf("A", a), shapeOf("B", b));
  Matrix c = Matrix::Zero(a.rows(), b.cols());
  c.noalias() += how.alpha * (a * b);
  if (auto wrong = scale(c, how))
    return *wrong;
  const Matrix &bias = how.bias, &residual = how.residual;
  if (residual.size() != 0) {
    if (residual.rows() != c.rows() || residual.cols() != c.cols())
      return mismatch("gemm", shapeOf("R", residual), shapeOf("C", c));
    c += how.beta * residual;
  }
  if (bias.size() != 0) {
    if (bias.rows() == 1 && bias.cols() == c.cols())
      c.rowwise() += bias.row(0);
    else if (bias.cols() == 1 && bias.rows() == c.rows())
      c.colwise() += bias.col(0);
    else
      return mismatch("gemm", shapeOf("bias", bias), shapeOf("C", c));
  }
  if (how.activation != Activation::none)
    c = c.unaryExpr([&](double x) { return activate(how.activation, x); });
  return c;
}

Result<Matrix> referenceQk(const Matrix &q, const Matrix &k, double scale) {
  if (q.cols() != k.cols())
    return mismatch("qk", shapeOf("Q", q), shapeOf("K", k));
  Matrix s = Matrix::Zero(q.rows(), k.rows());
  s.noalias() += scale * (q * k.transpose());
  return s;
}

Result<Matrix> referenceAttention(const Matrix &q, const Matrix &k, const Matrix &v,
                                  const AttentionReference &how) {
  if (k.rows() != v.rows())
    return mismatch("attention", shapeOf("K", k), shapeOf("V", v));
  auto s = referenceQk(q, k, how.scale);
  if (!s)
    return s.error();
  softmaxRows(*s, how.causal);
  Matrix o = Matrix::Zero(q.rows(), v.cols());
  o.noalias() += *s * v;
  return o;
}

double relativeError(const Matrix &x, const Matrix &reference) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (x.rows() != reference.rows() || x.cols() != reference.cols())
    return infinity;
  double error = 0, largest = 1e-30;
  for (int64_t i = 0; i < x.size(); ++i) {
    double value = x.data()[i], expected = reference.data()[i];
    if (!std::isfinite(value) || !std::isfinite(expected)) {
      if (value == expected || (std::isnan(value) && std::isnan(expected)))
        continue;
      return infinity;
    }
    error = std::max(error, std::fabs(value - expected));
    largest = std::max(largest, std::fabs(expected));
  }
  return x.size() == 0 ? 0 : error / largest;
}

double defaultTolerance(DType output) {
  switch (output) {
  case DType::f16:
    return 0x1p-10;
  case DType::bf16:
    return 0x1p-7;
  case DType::e4m3:
    return 0x1p-3;
  case DType::e5m2:
    return 0x1p-2;
  case DType::f32:
  case DType::tf32:
    return 1e-5;
  case DType::i1:
  case DType::ue8m0:
  case DType::e2m1x2:
  case DType::e2m1:
  case DType::e2m3:
  case DType::e3m2:
  case DType::s8:
  case DType::i32:
  case DType::index:
    return 0;
  }
  return 0;
}

double productTolerance(DType operands, int64_t k) {
  const int64_t instructions = (k + 31) / 32;
  switch (operands) {
  case DType::tf32:
    return 2 * 0x1p-10;
  case DType::e2m1:
  case DType::e2m3:
  case DType::e3m2:
  case DType::e4m3:
  case DType::e5m2:
    return 0x1p-13 * static_cast<double>(1 + instructions);
  case DType::f16:
  case DType::bf16:
    return 0x1p-24 * static_cast<double>(std::max<int64_t>(0, k - 4096) / 16);
  default:
    return 0;
  }
}

} // namespace sluice

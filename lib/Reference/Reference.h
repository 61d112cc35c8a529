// Results to compare with: plain float64 arithmetic on host tensors, random inputs, and the
// distance of a result from its reference.
#pragma once

#include "Machine/HostTensor.h"
#include "Machine/Result.h"

#include <Eigen/Core>

namespace sluice {

/// Row-major, whatever the layout of the tensor it came from.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A tensor as a matrix: the last dimension is the columns, all others together the rows; rank 0 is
/// 1 x 1.
Matrix toMatrix(const HostTensor &tensor);

enum class Activation : uint8_t { none, relu, geluTanh, geluErf };

/// C = activation(alpha A B + bias), A of M x K, B of K x N; `bias` (1 x N or M x 1) may be empty.
struct GemmReference {
  double alpha = 1;
  Matrix bias;
  Activation activation = Activation::none;
};
Result<Matrix> referenceGemm(const Matrix &a, const Matrix &b, const GemmReference &how = {});

double activate(Activation activation, double x);

/// S = scale Q K^T with Q of M x D, K of N x D.
Result<Matrix> referenceQk(const Matrix &q, const Matrix &k, double scale = 1);

/// O = softmax(scale Q K^T) V. `causal`: query i sees keys up to i + (N - M), as FlashAttention
/// aligns them; a query that sees none gives zeros.
struct AttentionReference {
  double scale = 1;
  bool causal = false;
};
Result<Matrix> referenceAttention(const Matrix &q, const Matrix &k, const Matrix &v,
                                  const AttentionReference &how = {});

/// max|x - ref| / max(max|ref|, 1e-30); 0 when empty, infinite when shapes or finiteness differ (an
/// infinity must have the same sign, a NaN must meet a NaN).
double relativeError(const Matrix &x, const Matrix &reference);

/// Largest relative error that rounding explains for results stored as `output`: two units of its
/// last place, and for float32 the accumulation in another order.
double defaultTolerance(DType output);

/// Normal values (mean 0, deviation `scale`), a function of seed, stream and element number alone:
/// the same on every platform and for every layout. `stream` separates the tensors of a run.
void fillNormal(HostTensor &tensor, uint64_t seed, uint64_t stream, double scale = 1);
/// The same, rounded to integers from -2 to 2: sums and products of a kernel are then exact.
void fillIntegers(HostTensor &tensor, uint64_t seed, uint64_t stream);

} // namespace sluice

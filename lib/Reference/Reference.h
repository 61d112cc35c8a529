// Results to compare with: plain float64 arithmetic on host tensors, random inputs, and the
// distance of a result from its reference.
#pragma once

#include "Program/Philox.h"
#include "Support/HostTensor.h"
#include "Support/Result.h"

#include <Eigen/Core>

#include <vector>

namespace sluice {

/// Row-major, whatever the layout of the tensor it came from.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A tensor as a matrix: the last dimension is the columns, all others together the rows; rank 0 is
/// 1 x 1.
Matrix toMatrix(const HostTensor &tensor);

enum class Activation : uint8_t { none, relu, geluTanh, geluErf };

/// C = activation(alpha rowScale_i colScale_j A B + beta residual + bias), A of M x K, B of K x N.
/// What is empty is left out; `bias` is 1 x N or M x 1.
struct GemmReference {
  double alpha = 1;
  Matrix bias;
  Activation activation = Activation::none;
  Matrix residual = {}; // M x N
  double beta = 1;
  Matrix rowScale = {}, colScale = {}; // M x 1, 1 x N
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

/// Images of N H W x C with filters of K R S x C, `pad` zeros around each image: N P Q x K.
struct ConvReference {
  int64_t images = 1, rows = 1, columns = 1; // N, H, W
  int64_t filterRows = 1, filterColumns = 1; // R, S
  int64_t pad = 0;
};
Result<Matrix> referenceConv(const Matrix &images, const Matrix &filters, const ConvReference &how);

/// x / (1 - p) where the random number of the element is at least p, else 0; `first` is the place
/// of element (0, 0).
Matrix referenceDropout(const Matrix &x, float p, const RandomPlace &first);

/// max|x - ref| / max(max|ref|, 1e-30); 0 when empty, infinite when shapes or finiteness differ (an
/// infinity must have the same sign, a NaN must meet a NaN).
double relativeError(const Matrix &x, const Matrix &reference);

/// Largest relative error that rounding explains for results stored as `output`: two units of its
/// last place, and for float32 the accumulation in another order.
double defaultTolerance(DType output);

/// What a matrix unit adds to that by sums of `k` products of `operands` around zero. tf32: both
/// are cut to ten bits of mantissa. f16, bf16: added in f32, toward zero, 16 products at a time
/// (Fasi et al., "Numerical behavior of NVIDIA tensor cores", PeerJ CS 7:e330), half a unit of the
/// last place each; the first 4096 products are within defaultTolerance. e4m3, e5m2: Hopper adds
/// with about 14 bits, toward zero; 2^-13 for each instruction of 32 products, and once more,
/// is 1.6 % at k = 4096, where DeepSeek-V3 saw "nearly 2 %" (arXiv 2412.19437, 3.3.2). Sums of one
/// sign lose more.
double productTolerance(DType operands, int64_t k);

/// Normal values (mean 0, deviation `scale`), a function of seed, stream and element number alone:
/// the same on every platform and for every layout. `stream` separates the tensors of a run. In
/// memory a tf32 is any f32; an s8 gets eight times the value, so that it has several bits.
void fillNormal(HostTensor &tensor, uint64_t seed, uint64_t stream, double scale = 1);
/// The same, rounded to integers from -2 to 2: sums and products of a kernel are then exact.
void fillIntegers(HostTensor &tensor, uint64_t seed, uint64_t stream);
/// Where each of `groups` groups that lie one after the other begins, and, as the last element,
/// where all end: at `rows`. About one group in eight is empty.
std::vector<int64_t> randomOffsets(int64_t groups, int64_t rows, uint64_t seed);

} // namespace sluice

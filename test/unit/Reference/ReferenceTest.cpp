#include "Reference/Reference.h"

#include <cmath>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

using namespace sluice;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

Matrix matrix(int64_t rows, int64_t cols, std::initializer_list<double> values) {
  Matrix m(rows, cols);
  std::copy(values.begin(), values.end(), m.data());
  return m;
}

TEST(Reference, GemmWithEpilogue) {
  Matrix a = matrix(2, 2, {1, 2, 3, 4}), b = matrix(2, 3, {1, 0, -1, 0, 1, -1});
  EXPECT_EQ(*referenceGemm(a, b), matrix(2, 3, {1, 2, -3, 3, 4, -7}));
  EXPECT_EQ(*referenceGemm(a, b, {2, matrix(1, 3, {1, 2, 3}), Activation::relu}),
            matrix(2, 3, {3, 6, 0, 7, 10, 0}));
  EXPECT_EQ(*referenceGemm(a, b, {1, matrix(2, 1, {10, 20}), Activation::none}),
            matrix(2, 3, {11, 12, 7, 23, 24, 13}));
}

TEST(Reference, GemmWithResidualAndFactors) {
  Matrix a = matrix(2, 1, {1, 2}), b = matrix(1, 2, {3, 4});
  GemmReference how;
  how.alpha = 2, how.beta = 10;
  how.residual = matrix(2, 2, {1, 2, 3, 4});
  EXPECT_EQ(*referenceGemm(a, b, how), matrix(2, 2, {16, 28, 42, 56}));
  how.rowScale = matrix(2, 1, {1, 10}), how.colScale = matrix(1, 2, {1, 0.5});
  EXPECT_EQ(*referenceGemm(a, b, how), matrix(2, 2, {16, 24, 150, 120}));
  how.rowScale = matrix(1, 1, {1});
  EXPECT_EQ(referenceGemm(a, b, how).error().message,
            "gemm: rowScale[1,1] and C[2,2] do not fit together");
}

TEST(Reference, GemmOverNothingIsTheBias) {
  EXPECT_EQ(*referenceGemm(Matrix(2, 0), Matrix(0, 1)), matrix(2, 1, {0, 0}));
  EXPECT_EQ(referenceGemm(Matrix(0, 3), Matrix(3, 2))->rows(), 0);
}

TEST(Reference, ShapesThatDoNotFit) {
  EXPECT_EQ(referenceGemm(Matrix(2, 3), Matrix(2, 3)).error().message,
            "gemm: A[2,3] and B[2,3] do not fit together");
  EXPECT_EQ(referenceGemm(Matrix(2, 2), Matrix(2, 3), {1, Matrix(1, 2), {}}).error().message,
            "gemm: bias[1,2] and C[2,3] do not fit together");
  EXPECT_EQ(referenceAttention(Matrix(2, 4), Matrix(3, 4), Matrix(2, 4)).error().message,
            "attention: K[3,4] and V[2,4] do not fit together");
}

TEST(Reference, Activations) {
  EXPECT_NEAR(activate(Activation::geluErf, 1), 0.841344746068543, 1e-15);
  EXPECT_NEAR(activate(Activation::geluTanh, 1), 0.841191990608276, 1e-15);
  EXPECT_EQ(activate(Activation::relu, -3), 0);
  EXPECT_TRUE(std::isnan(activate(Activation::relu, kNan)));
}

TEST(Reference, AttentionAveragesTheValues) {
  Matrix q = Matrix::Zero(2, 2), k = Matrix::Zero(2, 2), v = matrix(2, 1, {1, 3});
  EXPECT_EQ(*referenceAttention(q, k, v), matrix(2, 1, {2, 2}));
  EXPECT_EQ(*referenceAttention(q, k, v, {1, true}), matrix(2, 1, {1, 2}));
}

TEST(Reference, AttentionSurvivesLargeScores) {
  Matrix q = matrix(1, 1, {1000}), k = matrix(2, 1, {1, -1}), v = matrix(2, 1, {5, 7});
  EXPECT_EQ(*referenceAttention(q, k, v), matrix(1, 1, {5}));
}

TEST(Reference, CausalQueryWithoutKeysIsZero) {
  Matrix v = matrix(1, 1, {5});
  EXPECT_EQ(*referenceAttention(Matrix::Zero(3, 1), Matrix::Zero(1, 1), v, {1, true}),
            matrix(3, 1, {0, 0, 5}));
}

TEST(Reference, ConvolutionShiftsTheImageUnderEachTap) {
  Matrix image = matrix(4, 1, {1, 0, 0, 10}); // 2 x 2
  Matrix filter = matrix(9, 1, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  ConvReference how{.rows = 2, .columns = 2, .filterRows = 3, .filterColumns = 3, .pad = 1};
  EXPECT_EQ(*referenceConv(image, filter, how), matrix(4, 1, {95, 84, 62, 51}));
  how.pad = 0; // no place for the filter: an empty result
  EXPECT_EQ(referenceConv(image, filter, how)->rows(), 0);
  how.rows = 1, how.columns = 4; // it does not even touch
  EXPECT_FALSE(referenceConv(image, filter, how));
  how = {.images = 2, .rows = 1, .columns = 2}; // two filters of one element
  EXPECT_EQ(*referenceConv(image, matrix(2, 1, {2, 3}), how),
            matrix(4, 2, {2, 3, 0, 0, 0, 0, 20, 30}));
}

TEST(RelativeError, IsScaledByTheLargestReference) {
  EXPECT_EQ(relativeError(matrix(1, 2, {1, 9}), matrix(1, 2, {1, 10})), 0.1);
  EXPECT_EQ(relativeError(Matrix(0, 4), Matrix(0, 4)), 0);
  EXPECT_EQ(relativeError(Matrix(1, 4), Matrix(4, 1)), kInfinity);
  EXPECT_EQ(relativeError(matrix(1, 1, {1e-30}), matrix(1, 1, {0})), 1);
}

TEST(RelativeError, IsInfiniteWhenFinitenessDiffers) {
  auto error = [](double x, double reference) {
    return relativeError(matrix(1, 2, {1, x}), matrix(1, 2, {1, reference}));
  };
  EXPECT_EQ(error(kNan, 1), kInfinity);
  EXPECT_EQ(error(1, kInfinity), kInfinity);
  EXPECT_EQ(error(kInfinity, -kInfinity), kInfinity);
  EXPECT_EQ(error(kInfinity, kInfinity), 0);
  EXPECT_EQ(error(kNan, kNan), 0);
  EXPECT_EQ(error(kNan, kInfinity), kInfinity);
}

TEST(Random, IsAFunctionOfSeedStreamAndElement) {
  HostTensor rows = HostTensor::dense(DType::f32, {3, 5}, 1);
  HostTensor columns = HostTensor::dense(DType::f32, {3, 5}, 0);
  fillNormal(rows, 7, 0);
  fillNormal(columns, 7, 0);
  EXPECT_EQ(toMatrix(rows), toMatrix(columns));
  fillNormal(columns, 7, 1);
  EXPECT_NE(toMatrix(rows), toMatrix(columns));
  fillNormal(columns, 8, 0);
  EXPECT_NE(toMatrix(rows), toMatrix(columns));
}

TEST(Random, IsNormal) {
  HostTensor tensor = HostTensor::dense(DType::f32, {100, 1000}, 1);
  fillNormal(tensor, 1, 0, 2);
  Matrix m = toMatrix(tensor);
  double mean = m.mean(), variance = (m.array() - mean).square().mean();
  EXPECT_NEAR(mean, 0, 0.03);
  EXPECT_NEAR(variance, 4, 0.06);
  EXPECT_LT(m.cwiseAbs().maxCoeff(), 12);
}

TEST(Random, FillsTheTypesOfProducts) {
  HostTensor tf32 = HostTensor::dense(DType::tf32, {8, 8}, 1), f32 = tf32;
  f32.type = DType::f32;
  fillNormal(tf32, 1, 0);
  fillNormal(f32, 1, 0);
  EXPECT_EQ(tf32.bytes, f32.bytes); // more bits than a product reads
  HostTensor s8 = HostTensor::dense(DType::s8, {100, 100}, 1);
  fillNormal(s8, 1, 0);
  const Matrix m = toMatrix(s8);
  EXPECT_NEAR(m.array().square().mean(), 64, 4);
  EXPECT_EQ(m, m.array().round().matrix());
}

TEST(Tolerance, OfProducts) {
  EXPECT_EQ(productTolerance(DType::f16, 4096), 0);
  EXPECT_EQ(productTolerance(DType::s8, 4096), 0);
  EXPECT_EQ(productTolerance(DType::tf32, 8) + defaultTolerance(DType::f32), 0x1p-9 + 1e-5);
  EXPECT_EQ(productTolerance(DType::e4m3, 4096), 129 * 0x1p-13);
  EXPECT_EQ(productTolerance(DType::e5m2, 33), 3 * 0x1p-13);
}

/// Towards zero, to 13 bits behind the first of 2^exponent.
double cut(double x, int exponent) {
  return std::ldexp(std::trunc(std::ldexp(x, 13 - exponent)), exponent - 13);
}

/// A sum as Hopper is thought to add: an instruction aligns its 32 products and the sum so far to
/// the largest of them.
double narrowSum(const Matrix &a, const Matrix &b, int64_t i, int64_t j) {
  double sum = 0;
  for (int64_t first = 0; first < a.cols(); first += 32) {
    const int64_t count = std::min<int64_t>(32, a.cols() - first);
    const auto products = (a.row(i).segment(first, count).transpose().array() *
                           b.col(j).segment(first, count).array())
                              .eval();
    const double largest = std::max(std::fabs(sum), products.abs().maxCoeff());
    if (largest == 0)
      continue;
    double next = cut(sum, std::ilogb(largest));
    for (double x : products)
      next += cut(x, std::ilogb(largest));
    sum = next == 0 ? 0 : cut(next, std::ilogb(next));
  }
  return sum;
}

TEST(Tolerance, CoversSumsOfFourteenBits) {
  for (DType type : {DType::e4m3, DType::e5m2})
    for (int64_t k : {32, 80, 512}) {
      HostTensor x = HostTensor::dense(type, {64, k}, 1), y = HostTensor::dense(type, {k, 64}, 0);
      fillNormal(x, 1, 0);
      fillNormal(y, 1, 1);
      const Matrix a = toMatrix(x), b = toMatrix(y);
      const Matrix narrow =
          Matrix::NullaryExpr(64, 64, [&](auto i, auto j) { return narrowSum(a, b, i, j); });
      const double error = relativeError(narrow, a * b);
      EXPECT_LT(error, 0.8 * productTolerance(type, k)) << name(type) << " " << k;
      EXPECT_GT(error, 0.1 * productTolerance(type, k)) << name(type) << " " << k;
    }
}

TEST(ToMatrix, FoldsLeadingDimensions) {
  HostTensor tensor = HostTensor::dense(DType::i32, {2, 3, 2}, 2);
  for (int64_t i = 0; i < 12; ++i)
    tensor.set({i / 6, i / 2 % 3, i % 2}, double(i));
  Matrix m = toMatrix(tensor);
  EXPECT_EQ(m.rows(), 6);
  for (int64_t i = 0; i < 12; ++i)
    EXPECT_EQ(m(i / 2, i % 2), double(i));
}

TEST(ReferenceSlow, LargeGemmTakesAboutASecond) {
  Matrix a = Matrix::Random(1024, 1024), b = Matrix::Identity(1024, 1024);
  EXPECT_EQ(*referenceGemm(a, b), a);
}

TEST(Random, Offsets) {
  EXPECT_EQ(randomOffsets(1, 7, 0), (std::vector<int64_t>{0, 7}));
  EXPECT_EQ(randomOffsets(3, 0, 5), (std::vector<int64_t>{0, 0, 0, 0}));
  const std::vector<int64_t> offsets = randomOffsets(64, 8192, 1);
  ASSERT_EQ(offsets.size(), 65u);
  EXPECT_EQ(offsets.front(), 0);
  EXPECT_EQ(offsets.back(), 8192);
  EXPECT_TRUE(std::is_sorted(offsets.begin(), offsets.end()));
  EXPECT_NE(offsets, randomOffsets(64, 8192, 2));
  int empty = 0;
  for (size_t g = 1; g < offsets.size(); ++g)
    empty += offsets[g] == offsets[g - 1];
  EXPECT_GE(empty, 1);
}

} // namespace

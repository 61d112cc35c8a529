// Printed kernels on a GPU against double precision on the host; skipped where there is none.
#include "Bench/VendorGemm.h"
#include "Emit/Emit.h"
#include "Emit/Kernels.h"
#include "Runtime/Run.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace sluice::test {
namespace {

class Gpu : public testing::Test {
protected:
  void SetUp() override {
    if (auto device = cudaDevice(); !device)
      GTEST_SKIP() << device.error().message;
  }
};

HostTensor random(DType type, int64_t rows, int64_t cols, int minor, unsigned seed) {
  HostTensor t = HostTensor::dense(type, {rows, cols}, minor);
  std::mt19937 numbers(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> values(rows * cols);
  for (float &v : values)
    v = uniform(numbers);
  storeElements(type, values.data(), rows * cols, t.bytes.data());
  return t;
}

/// Row-major values in double.
std::vector<double> matrix(const HostTensor &t) {
  std::vector<double> m;
  for (int64_t i = 0; i < t.extents[0]; ++i)
    for (int64_t j = 0; j < t.extents[1]; ++j)
      m.push_back(t.at({i, j}));
  return m;
}

double relativeError(const std::vector<double> &seen, const std::vector<double> &expected) {
  double worst = 0, largest = 1e-30;
  for (size_t i = 0; i < seen.size(); ++i) {
    if (!std::isfinite(seen[i]))
      return INFINITY;
    worst = std::max(worst, std::fabs(seen[i] - expected[i]));
    largest = std::max(largest, std::fabs(expected[i]));
  }
  return worst / largest;
}

std::vector<double> product(const HostTensor &left, const HostTensor &right) {
  int64_t m = left.extents[0], k = left.extents[1], n = right.extents[1];
  auto a = matrix(left), b = matrix(right);
  std::vector<double> c(m * n, 0);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t t = 0; t < k; ++t)
      for (int64_t j = 0; j < n; ++j)
        c[i * n + j] += a[i * k + t] * b[t * n + j];
  return c;
}

double gemmError(const GemmOptions &o, int64_t m, int64_t n, int64_t k) {
  Program program = gemm(o);
  auto source = emitCuda(program);
  EXPECT_TRUE(source) << source.error().message;
  if (!source)
    return INFINITY;
  std::vector<HostTensor> tensors{random(o.type, m, k, o.aMinor, 1),
                                  random(o.type, k, n, o.bMinor, 2),
                                  HostTensor::dense(o.type, {m, n}, 1)};
  auto run = runOnCuda(*source, {}, tensors);
  EXPECT_TRUE(run) << run.error().message;
  if (!run)
    return INFINITY;
  return relativeError(matrix(tensors[2]), product(tensors[0], tensors[1]));
}

constexpr double f16Tolerance = 1e-3, bf16Tolerance = 8e-3; // rounding of the output

TEST_F(Gpu, GemmOfEveryMajorAndSwizzle) {
  for (Layout layout : {Layout::sw128, Layout::sw64, Layout::sw32})
    for (int aMinor : {1, 0})
      for (int bMinor : {1, 0})
        EXPECT_LT(gemmError({.aMinor = aMinor, .bMinor = bMinor, .layout = layout}, 200, 296, 136),
                  f16Tolerance)
            << name(layout) << " a minor " << aMinor << " b minor " << bMinor;
}

TEST_F(Gpu, GemmOfOddExtentsLoadedByThreads) {
  for (int major : {1, 0})
    EXPECT_LT(
        gemmError({.aMinor = major, .bMinor = 1 - major, .load = GemmOptions::threads, .align = 2},
                  77, 61, 45),
        f16Tolerance)
        << major;
}

TEST_F(Gpu, GemmLoadedByCpAsync) {
  EXPECT_LT(gemmError({.load = GemmOptions::async, .align = 8}, 132, 100, 84), f16Tolerance);
}

TEST_F(Gpu, GemmStoredByCopyEngine) {
  EXPECT_LT(gemmError({.type = DType::bf16, .store = GemmOptions::copyEngine}, 200, 296, 136),
            bf16Tolerance);
}

TEST_F(Gpu, GemmWithLateReleaseAndSetmaxnreg) {
  for (int64_t k : {64, 128, 1000}) // fewer steps than slots, and many
    EXPECT_LT(gemmError({.bn = 256, .stages = 4, .lag = true, .reallocate = true}, 300, 520, k),
              f16Tolerance)
        << k;
}

TEST_F(Gpu, GemmWithTwoBlocksOfRowsPerWarpgroup) {
  EXPECT_LT(gemmError({.bm = 256, .bn = 128, .stages = 3}, 300, 200, 256), f16Tolerance);
}

TEST_F(Gpu, GemmOfAClusterThatSharesB) {
  for (int bMinor : {1, 0})
    EXPECT_LT(gemmError({.bMinor = bMinor, .cluster = true}, 300, 264, 328), f16Tolerance)
        << bMinor;
  EXPECT_LT(
      gemmError({.bn = 256, .store = GemmOptions::copyEngine, .reallocate = true, .cluster = true},
                520, 520, 1000),
      f16Tolerance);
}

TEST_F(Gpu, VendorGemmComputesTheSameProduct) {
  for (int aMinor : {1, 0})
    for (int cMinor : {1, 0}) {
      std::vector<HostTensor> t{random(DType::bf16, 40, 24, aMinor, 1),
                                random(DType::bf16, 24, 56, 1 - aMinor, 2),
                                HostTensor::dense(DType::f32, {40, 56}, cMinor)};
      auto run = runVendorGemm(t, {});
      ASSERT_TRUE(run) << run.error().message;
      EXPECT_LT(relativeError(matrix(t[2]), product(t[0], t[1])), 1e-4) << aMinor << cMinor;
    }
}

TEST_F(Gpu, VendorGemmOfEveryTypeItHas) {
  for (auto [type, out, tolerance] : {std::tuple(DType::tf32, DType::f32, 2e-3),
                                      {DType::e4m3, DType::bf16, 1e-2},
                                      {DType::e4m3, DType::f32, 2e-3},
                                      {DType::s8, DType::i32, 0.0}}) {
    std::vector<HostTensor> t{random(type, 64, 96, 1, 1), random(type, 96, 32, 0, 2),
                              HostTensor::dense(out, {64, 32}, 1)};
    auto run = runVendorGemm(t, {});
    ASSERT_TRUE(run) << name(type) << ": " << run.error().message;
    EXPECT_LE(relativeError(matrix(t[2]), product(t[0], t[1])), tolerance) << name(type);
  }
  for (auto [type, out] :
       {std::pair(DType::e5m2, DType::bf16), {DType::s8, DType::f16}, {DType::tf32, DType::bf16}}) {
    std::vector<HostTensor> t{random(type, 64, 96, 1, 1), random(type, 96, 32, 0, 2),
                              HostTensor::dense(out, {64, 32}, 1)};
    auto run = runVendorGemm(t, {});
    ASSERT_FALSE(run) << name(type);
    EXPECT_EQ(run.error().kind, Error::unsupported) << run.error().message;
  }
}

TEST_F(Gpu, GemmOfNoSteps) {
  Program program = gemm({});
  auto source = emitCuda(program);
  ASSERT_TRUE(source);
  std::vector<HostTensor> tensors{HostTensor::dense(DType::f16, {0, 64}, 1),
                                  HostTensor::dense(DType::f16, {64, 64}, 1),
                                  HostTensor::dense(DType::f16, {0, 64}, 1)};
  auto run = runOnCuda(*source, {}, tensors);
  EXPECT_TRUE(run) << run.error().message;
}

double attentionError(const AttentionOptions &o, int64_t s, int64_t t) {
  Program program = attention(o);
  auto source = emitCuda(program);
  EXPECT_TRUE(source) << source.error().message;
  std::vector<HostTensor> tensors{random(o.type, s, o.d, 1, 1), random(o.type, t, o.d, 1, 2),
                                  random(o.type, t, o.d, 1, 3),
                                  HostTensor::dense(o.type, {s, o.d}, 1)};
  auto run = runOnCuda(*source, {}, tensors);
  EXPECT_TRUE(run) << run.error().message;
  if (!run)
    return INFINITY;
  auto q = matrix(tensors[0]), k = matrix(tensors[1]), v = matrix(tensors[2]);
  std::vector<double> expected(s * o.d, 0);
  for (int64_t i = 0; i < s; ++i) {
    std::vector<double> p(t, 0);
    double sum = 0;
    for (int64_t j = 0; j < t; ++j) {
      for (int64_t e = 0; e < o.d; ++e)
        p[j] += q[i * o.d + e] * k[j * o.d + e];
      sum += p[j] = std::exp(p[j] / std::sqrt(double(o.d)));
    }
    for (int64_t j = 0; j < t; ++j)
      for (int64_t e = 0; e < o.d; ++e)
        expected[i * o.d + e] += p[j] / sum * v[j * o.d + e];
  }
  return relativeError(matrix(tensors[3]), expected);
}

TEST_F(Gpu, Attention) {
  EXPECT_LT(attentionError({}, 200, 512), 3e-3);
  EXPECT_LT(attentionError({.d = 128, .type = DType::bf16}, 128, 256), 2e-2);
}

TEST_F(Gpu, ElementsAndThreadCopies) {
  constexpr int64_t batches = 3, rows = 77, cols = 61; // nothing divides anything
  Program program = elements();
  auto source = emitCuda(program);
  ASSERT_TRUE(source) << source.error().message;
  auto tensor = [](DType type, std::vector<int64_t> extents) {
    HostTensor t = HostTensor::dense(type, extents, int(extents.size()) - 1);
    std::mt19937 numbers(7);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<float> values(t.elements());
    for (float &v : values)
      v = uniform(numbers);
    storeElements(type, values.data(), t.elements(), t.bytes.data());
    return t;
  };
  std::vector<HostTensor> tensors{tensor(DType::f32, {batches, rows, cols}),
                                  tensor(DType::f32, {rows}), tensor(DType::f32, {cols}),
                                  tensor(DType::f16, {batches, rows, cols}),
                                  tensor(DType::f32, {batches, rows})};
  auto run = runOnCuda(*source, {}, tensors);
  ASSERT_TRUE(run) << run.error().message;
  for (int64_t b = 0; b < batches; ++b)
    for (int64_t i = 0; i < rows; ++i) {
      double largest = -INFINITY;
      for (int64_t j = 0; j < 64; ++j) { // columns outside the tensors are zeros
        double x = j < cols ? tensors[0].at({b, i, j}) : 0, t = j < cols ? tensors[2].at({j}) : 0;
        double y = x * tensors[1].at({i}) + t + double(i % 64 - j % 32) / 128;
        largest = std::max(largest, y);
        if (j < cols) {
          ASSERT_NEAR(tensors[3].at({b, i, j}), y, 1e-3) << b << " " << i << " " << j;
        }
      }
      ASSERT_NEAR(tensors[4].at({b, i}), largest, 1e-5) << b << " " << i;
    }
}

/// Not a claim about speed, but a kernel that is several times too slow shows here.
TEST_F(Gpu, LargeGemmRunsOnTensorCores) {
  constexpr int64_t n = 4096;
  std::vector<HostTensor> tensors{random(DType::f16, n, n, 1, 1), random(DType::f16, n, n, 1, 2),
                                  HostTensor::dense(DType::f16, {n, n}, 1)};
  auto vendor = runVendorGemm(tensors, {.warmups = 5, .repeats = 50});
  ASSERT_TRUE(vendor) << vendor.error().message;
  GemmOptions late{.bn = 256, .stages = 4, .lag = true, .reallocate = true};
  GemmOptions staged{.bn = 256, .store = GemmOptions::copyEngine, .lag = true, .reallocate = true};
  GemmOptions shared{
      .bn = 256, .store = GemmOptions::copyEngine, .reallocate = true, .cluster = true};
  for (auto &[name, options] :
       {std::pair{"late release", late}, {"staged store", staged}, {"cluster of two", shared}}) {
    Program program = gemm(options);
    auto source = emitCuda(program);
    ASSERT_TRUE(source) << source.error().message;
    auto run = runOnCuda(*source, {}, tensors, {.warmups = 5, .repeats = 50});
    ASSERT_TRUE(run) << run.error().message;
    double tflops = 2.0 * n * n * n / run->ms / 1e9;
    std::printf("gemm 4096 x 4096 x 4096 f16, %s: %.3f ms, %.0f TFLOPS, %.2f of the vendor's, %s\n",
                name, run->ms, tflops, vendor->ms / run->ms, run->device.c_str());
    EXPECT_GT(tflops, 200) << name;
  }
}

} // namespace
} // namespace sluice::test

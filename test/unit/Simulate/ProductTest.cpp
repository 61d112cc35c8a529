// Products of wgmma by type of the operands: what is read of them, and how sums are kept.
#include "Verify/Builder.h"

#include "Simulate/Product.h"
#include "Simulate/Simulate.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace sluice;
using namespace sluice::test;

namespace {

constexpr int64_t rows = 64, columns = 16;

/// C[64,16] = A[64,k] B[16,k]^T by `steps` instructions of 32 bytes, in one CTA.
struct Product {
  Builder b;
  std::vector<HostTensor> t;
  int64_t k;

  Product(DType type, DType sums, int steps) : k(32 / byteSize(type) * steps) {
    const int A = b.tensor("A", type, {rows, k}), B = b.tensor("B", type, {columns, k});
    const int C = b.tensor("C", sums, {rows, columns}, true);
    const Layout layout = steps % 2 ? Layout::sw32 : Layout::sw64;
    const int x = b.buffer("a", Space::smem, type, {rows, k}, layout);
    const int y = b.buffer("b", Space::smem, type, {columns, k}, layout);
    const int acc = b.buffer("acc", Space::reg, sums, {rows, columns}, Layout::acc, 1, "all");
    b.grid(1);
    b.role("all", 0, 4, [&] {
      b.emit(Copy{b.tile(x), b.box(A, {constant(0), constant(0)}, {rows, k})});
      b.emit(Copy{b.tile(y), b.box(B, {constant(0), constant(0)}, {columns, k})});
      b.emit(Fence{Fence::proxyAsync});
      b.sync(1, 4);
      View right = b.tile(y);
      right.transposed = true;
      b.emit(WgmmaFence{});
      b.emit(Wgmma{b.tile(acc), b.tile(x), right, constant(0)});
      b.emit(WgmmaCommit{});
      b.emit(WgmmaWait{0});
      b.emit(Copy{b.box(C, {constant(0), constant(0)}, {rows, columns}), b.tile(acc)});
    });
    for (size_t i = 0; i < 3; ++i)
      t.push_back(HostTensor::dense(b.program.tensors[i].type, b.launch.tensors[i].extents, 1));
  }

  void run() {
    b.place();
    auto result = simulate(b.program, *findArch("h100"), {}, t, {});
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_FALSE(result->violation) << result->violation->message;
  }
  double at(int64_t i, int64_t j) const { return t[2].at({i, j}); }
};

void set(HostTensor &t, int64_t i, int64_t k, float value) {
  storeElement(DType::f32, t.bytes.data() + (i * t.strides[0] + k) * 4, value);
}

TEST(Product, Tf32IgnoresTheLowBits) {
  EXPECT_EQ(cutToTf32(1 + 0x1p-10F), 1 + 0x1p-10F);
  EXPECT_EQ(cutToTf32(1 + 0x1.ffcp-11F), 1); // not to the nearest
  EXPECT_EQ(cutToTf32(-1 - 0x1.ffcp-11F), -1);
  Product p(DType::tf32, DType::f32, 2);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t k = 0; k < p.k; ++k)
      set(p.t[0], i, k, 1 + float(i) * 0x1p-10F + 0x1.ffcp-11F);
  for (int64_t j = 0; j < columns; ++j)
    for (int64_t k = 0; k < p.k; ++k)
      set(p.t[1], j, k, float(k == j) * (2 + 0x1.8p-10F));
  p.run();
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      EXPECT_EQ(p.at(i, j), 2 * (1 + double(i) * 0x1p-10)) << i << " " << j;
}

TEST(Product, SumsOfS8AreExact) {
  Product p(DType::s8, DType::i32, 2);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t k = 0; k < p.k; ++k)
      p.t[0].set({i, k}, i == 0 ? -128 : double((i * 37 + k * 11) % 256) - 128);
  for (int64_t j = 0; j < columns; ++j)
    for (int64_t k = 0; k < p.k; ++k)
      p.t[1].set({j, k}, j == 0 ? -128 : double((j * 53 + k * 29) % 256) - 128);
  p.run();
  EXPECT_EQ(p.at(0, 0), 64 * 16384);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < p.k; ++k)
        sum += p.t[0].at({i, k}) * p.t[1].at({j, k});
      EXPECT_EQ(p.at(i, j), sum) << i << " " << j;
    }
}

TEST(Product, EveryPairOfFloat8) {
  for (DType type : {DType::e4m3, DType::e5m2})
    for (int first = 0; first < 256; first += rows) {
      Product p(type, DType::f32, 1); // 16 codes of B at a time, one of K's products not zero
      for (int64_t i = 0; i < rows; ++i)
        p.t[0].bytes[i * p.k] = std::byte(first + i);
      for (int block = 0; block < 256; block += columns) {
        for (int64_t j = 0; j < columns; ++j)
          p.t[1].bytes[j * p.k] = std::byte(block + j);
        p.run();
        for (int64_t i = 0; i < rows; ++i)
          for (int64_t j = 0; j < columns; ++j) {
            const double want = p.t[0].at({i, 0}) * p.t[1].at({j, 0}), have = p.at(i, j);
            EXPECT_TRUE(have == want || (std::isnan(have) && std::isnan(want)))
                << first + i << " " << block + j << ": " << have << ", not " << want;
          }
      }
    }
}

} // namespace

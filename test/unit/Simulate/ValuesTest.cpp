// What the operations of warps compute: maps, reductions, copies, cp.async, stores that add,
// clusters.
#include "Verify/Builder.h"

#include "Simulate/Kernels.h"
#include "Simulate/Simulate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace sluice;
using namespace sluice::test;

namespace {

ElementNode argument(int n) {
  return {ElementOp::argument, DType::f32, {}, n, 0};
}
ElementNode node(ElementOp op, std::vector<int> operands, DType type = DType::f32) {
  return {op, type, std::move(operands), 0, 0};
}
ElementFn binary(ElementOp op) {
  return {2, false, {argument(0), argument(1), node(op, {0, 1})}, {2}};
}

std::vector<HostTensor> quarters(const Builder &b) {
  std::vector<HostTensor> all;
  for (size_t i = 0; i < b.program.tensors.size(); ++i) {
    all.push_back(HostTensor::dense(b.program.tensors[i].type, b.launch.tensors[i].extents, 1));
    for (int64_t r = 0; r < all[i].extents[0]; ++r)
      for (int64_t c = 0; c < all[i].extents[1]; ++c)
        all[i].set({r, c}, double((r * 13 + c * 7) % 17) / 4 - 2);
  }
  return all;
}

void runClean(Builder &b, std::vector<HostTensor> &t) {
  b.place();
  auto result = simulate(b.program, *findArch("h100"), {}, t, {});
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_FALSE(result->violation) << result->violation->message;
}

View box(Builder &b, int tensor, int64_t rows, int64_t cols) {
  return b.box(tensor, {constant(0), constant(0)}, {rows, cols});
}

TEST(Values, SoftmaxOfAnAccumulatorTile) {
  Builder b;
  int X = b.tensor("X", DType::f32, {64, 32}), bias = b.tensor("bias", DType::f32, {1, 32});
  int Y = b.tensor("Y", DType::f32, {64, 32}, true);
  int x = b.buffer("x", Space::reg, DType::f32, {64, 32}, Layout::acc, 1, "all");
  int w = b.buffer("w", Space::reg, DType::f32, {1, 32}, Layout::colVector, 1, "all");
  int m = b.buffer("m", Space::reg, DType::f32, {64, 1}, Layout::rowVector, 1, "all");
  b.grid(1);
  b.role("all", 0, 4, [&] {
    b.emit(Copy{b.tile(x), box(b, X, 64, 32)});
    b.emit(Copy{b.tile(w), box(b, bias, 1, 32)});
    b.emit(Map{{b.tile(x)}, {b.tile(x), b.tile(w)}, binary(ElementOp::add)});
    b.emit(Reduce{b.tile(m), b.tile(x), 1, -INFINITY, ElementOp::max});
    ElementFn shifted{
        2,
        false,
        {argument(0), argument(1), node(ElementOp::sub, {0, 1}), node(ElementOp::exp, {2})},
        {3}};
    b.emit(Map{{b.tile(x)}, {b.tile(x), b.tile(m)}, shifted});
    b.emit(Reduce{b.tile(m), b.tile(x), 1, 0, ElementOp::add});
    b.emit(Map{{b.tile(x)}, {b.tile(x), b.tile(m)}, binary(ElementOp::div)});
    b.emit(Copy{box(b, Y, 64, 32), b.tile(x)});
  });
  auto t = quarters(b);
  runClean(b, t);
  for (int64_t r = 0; r < 64; ++r) {
    double sum = 0;
    for (int64_t c = 0; c < 32; ++c)
      sum += std::exp(t[0].at({r, c}) + t[1].at({0, c}));
    for (int64_t c = 0; c < 32; ++c)
      EXPECT_NEAR(t[2].at({r, c}), std::exp(t[0].at({r, c}) + t[1].at({0, c})) / sum, 1e-6);
  }
}

TEST(Values, CoordinatesAndTransposingCopies) {
  Builder b;
  int X = b.tensor("X", DType::f16, {64, 64}), Y = b.tensor("Y", DType::f16, {64, 64}, true);
  int x = b.buffer("x", Space::smem, DType::f16, {64, 64}, Layout::sw128);
  int y = b.buffer("y", Space::reg, DType::f16, {64, 64}, Layout::acc, 1, "all");
  ElementFn mask; // column > row ? 0 : x
  mask.inputs = 1;
  mask.coordinates = true;
  mask.nodes = {argument(0),
                argument(1),
                argument(2),
                node(ElementOp::gt, {2, 1}, DType::i1),
                {ElementOp::constant, DType::f16, {}, 0, 0},
                node(ElementOp::select, {3, 4, 0})};
  mask.results = {5};
  b.grid(1);
  b.role("all", 0, 4, [&] {
    b.emit(Copy{b.tile(x), box(b, X, 64, 64)});
    b.sync(1, 4);
    View turned = b.tile(x);
    turned.transposed = true;
    b.emit(Copy{b.tile(y), turned});
    b.emit(Map{{b.tile(y)}, {b.tile(y)}, mask});
    b.emit(Copy{box(b, Y, 64, 64), b.tile(y)});
  });
  auto t = quarters(b);
  runClean(b, t);
  for (int64_t r = 0; r < 64; ++r)
    for (int64_t c = 0; c < 64; ++c)
      ASSERT_EQ(t[1].at({r, c}), c > r ? 0 : t[0].at({c, r}));
}

TEST(Values, CpAsyncArrivesOnTheBarrierWhenItsDataAreThere) {
  Builder b;
  int X = b.tensor("X", DType::f32, {30, 16}), Y = b.tensor("Y", DType::f32, {32, 16}, true);
  int x = b.buffer("x", Space::smem, DType::f32, {32, 16}, Layout::row);
  int full = b.barriers("full", 1);
  b.grid(1);
  b.initAll({{full, 64}}, 4);
  b.role("load", 0, 2, [&] {
    b.emit(Copy{b.tile(x), box(b, X, 32, 16), true});
    b.emit(CpAsyncArrive{b.at(full), true});
  });
  b.role("use", 2, 2, [&] {
    b.wait(full, {}, constant(0));
    b.emit(Copy{box(b, Y, 32, 16), b.tile(x)});
  });
  auto t = quarters(b);
  runClean(b, t);
  for (int64_t r = 0; r < 32; ++r)
    EXPECT_EQ(t[1].at({r, 3}), r < 30 ? t[0].at({r, 3}) : 0);
}

TEST(Values, StoresThatAddMeetInGlobalMemory) {
  Builder b;
  int Y = b.tensor("Y", DType::f32, {8, 32}, true);
  int y = b.buffer("y", Space::smem, DType::f32, {8, 32}, Layout::row);
  b.grid(5);
  b.role("all", 0, 1, [&] {
    b.emit(Fill{b.tile(y), 3});
    b.emit(Fence{Fence::proxyAsync});
    b.emit(WarpSync{});
    b.emit(TmaStore{box(b, Y, 8, 32), b.tile(y), true}, Exec::one);
    b.emit(BulkCommit{}, Exec::one);
    b.emit(BulkWait{0, true}, Exec::one);
  });
  std::vector<HostTensor> t = {HostTensor::dense(DType::f32, {8, 32}, 1)};
  runClean(b, t);
  EXPECT_EQ(t[0].at({7, 31}), 15);
}

/// Two CTAs; each loads half of a tile for both.
TEST(Values, MulticastFillsBothCtasOfACluster) {
  Builder b;
  int X = b.tensor("X", DType::f16, {16, 64}), Y = b.tensor("Y", DType::f16, {32, 64}, true);
  int x = b.buffer("x", Space::smem, DType::f16, {16, 64}, Layout::sw128);
  int full = b.barriers("full", 1);
  b.program.cluster[0] = 2;
  ValueId cta = b.grid(2);
  b.initAll({{full, 1}}, 1);
  b.emit(ClusterBarrier{ClusterBarrier::sync});
  Index row{b.scalar(ScalarOp::mul, {cta, b.number(8)}), 0};
  Index out{b.scalar(ScalarOp::mul, {cta, b.number(16)}), 0};
  b.role("all", 0, 1, [&] {
    b.expect(full, {}, 16 * 64 * 2);
    View half = b.tile(x);
    half.offset = {row, constant(0)};
    half.shape = {8, 64};
    b.emit(TmaLoad{half, b.box(X, {row, constant(0)}, {8, 64}), b.at(full), 3}, Exec::one);
    b.wait(full, {}, constant(0));
    b.emit(Copy{b.box(Y, {out, constant(0)}, {16, 64}), b.tile(x)});
  });
  b.emit(ClusterBarrier{ClusterBarrier::sync});
  auto t = quarters(b);
  runClean(b, t);
  for (int64_t r = 0; r < 32; ++r)
    for (int64_t c = 0; c < 64; ++c)
      ASSERT_EQ(t[1].at({r, c}), t[0].at({r % 16, c}));
}

TEST(Kernels, ProductOfEveryEdgeSize) {
  for (int64_t m : {1, 3, 4, 9})
    for (int64_t n : {1, 31, 32, 70}) {
      const int64_t k = 5;
      std::vector<float> a(m * k), b(k * n), c(m * n, 1);
      for (size_t i = 0; i < a.size(); ++i)
        a[i] = float(i % 7) - 3;
      for (size_t i = 0; i < b.size(); ++i)
        b[i] = float(i % 5) - 2;
      multiplyAdd(m, n, k, a.data(), b.data(), c.data());
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
          float sum = 1;
          for (int64_t p = 0; p < k; ++p)
            sum += a[i * k + p] * b[p * n + j];
          ASSERT_EQ(c[i * n + j], sum);
        }
    }
}

/// A fold of f32, by one lane unless said.
Elements folded(ElementOp combine, int axis, const Elements &in, double start,
                std::optional<ElementFn> element = std::nullopt, int lanes = 1) {
  const int64_t columns = in.size() / 2;
  View out;
  out.shape = axis == 1 ? std::vector<int64_t>{2, 1} : std::vector<int64_t>{1, columns};
  return fold(Reduce{out, {}, axis, start, combine, std::move(element)}, 2, columns, in,
              {lanes, lanes == 1 ? 1 : 2});
}

TEST(Kernels, FoldsJoinAFunctionOfTheElements) {
  ElementFn square{1, false, {argument(0), node(ElementOp::mul, {0, 0})}, {1}};
  Elements in(DType::f32, 6);
  in.reals = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(folded(ElementOp::add, 1, in, 0, square).reals, (std::vector<float>{14, 77}));
  EXPECT_EQ(folded(ElementOp::add, 0, in, 0).reals, (std::vector<float>{5, 7, 9}));
}

TEST(Kernels, FoldsOfMaxKeepNanOnlyWhereAsked) {
  Elements in(DType::f32, 6);
  in.reals = {1, 2, 3, 4, NAN, 6};
  EXPECT_EQ(folded(ElementOp::max, 1, in, -INFINITY).reals, (std::vector<float>{3, 6}));
  const Elements out = folded(ElementOp::maximum, 1, in, -INFINITY);
  EXPECT_EQ(out.reals[0], 3);
  EXPECT_TRUE(std::isnan(out.reals[1]));
}

TEST(Kernels, FoldsOfAQuadAddAsItsThreadsDo) {
  constexpr float big = 16777216; // 2^24: 1 is lost beside it
  Elements in(DType::f32, 32);
  in.reals.assign(32, 1);
  in.reals[0] = big;   // thread 0 of the first row: columns 0, 1, 8, 9
  in.reals[16] = -big; // and of the second
  in.reals[16 + 8] = big;
  EXPECT_EQ(folded(ElementOp::add, 1, in, 0).reals, (std::vector<float>{big, 14}));
  EXPECT_EQ(folded(ElementOp::add, 1, in, 0, std::nullopt, 4).reals,
            (std::vector<float>{big + 12, 14}));
}

TEST(Kernels, NarrowElementsAreFoldedInSinglePrecision) {
  Elements in(DType::bf16, 6);
  in.reals = {256, 1, 1, 0.5, 256, 0.5};
  EXPECT_EQ(folded(ElementOp::add, 1, in, 0).reals, (std::vector<float>{258, 257}));
}

TEST(Kernels, MaxAndMinOfNanAndZeros) {
  Elements a(DType::f32, 4), b(DType::f32, 4);
  a.reals = {NAN, 1, -0.0f, 0.0f};
  b.reals = {1, NAN, 0.0f, -0.0f};
  const auto of = [&](ElementOp op) { return evaluateAll(binary(op), 4, {&a, &b})[0].reals; };
  for (const ElementOp op : {ElementOp::max, ElementOp::min}) {
    EXPECT_EQ(of(op)[0], 1);
    EXPECT_EQ(of(op)[1], 1);
  }
  for (const ElementOp op : {ElementOp::maximum, ElementOp::minimum}) {
    EXPECT_TRUE(std::isnan(of(op)[0]));
    EXPECT_TRUE(std::isnan(of(op)[1]));
  }
  for (const int i : {2, 3}) {
    EXPECT_FALSE(std::signbit(of(ElementOp::max)[i]));
    EXPECT_FALSE(std::signbit(of(ElementOp::maximum)[i]));
    EXPECT_TRUE(std::signbit(of(ElementOp::min)[i]));
    EXPECT_TRUE(std::signbit(of(ElementOp::minimum)[i]));
  }
}

ElementFn binaryOf(DType type, ElementOp op, DType result) {
  return {2,
          false,
          {{ElementOp::argument, type, {}, 0, 0},
           {ElementOp::argument, type, {}, 1, 0},
           node(op, {0, 1}, result)},
          {2}};
}

Elements integers(DType type, std::vector<int64_t> values) {
  Elements elements(type, 0);
  elements.integers = std::move(values);
  return elements;
}

TEST(Kernels, IntegersAreExactAndWrapAround) {
  Elements a = integers(DType::i32, {16777217, 2147483647, -2147483648, 123456789});
  Elements b = integers(DType::i32, {1, 1, -1, 987654321});
  auto of = [&](ElementOp op) {
    return evaluateAll(binaryOf(DType::i32, op, DType::i32), 4, {&a, &b})[0].integers;
  };
  using Values = std::vector<int64_t>;
  EXPECT_EQ(of(ElementOp::add), (Values{16777218, -2147483648, 2147483647, 1111111110}));
  EXPECT_EQ(of(ElementOp::sub), (Values{16777216, 2147483646, -2147483647, -864197532}));
  EXPECT_EQ(of(ElementOp::mul), (Values{16777217, 2147483647, -2147483648, -67153019}));
  EXPECT_EQ(of(ElementOp::max), (Values{16777217, 2147483647, -1, 987654321}));
  EXPECT_EQ(of(ElementOp::andI), (Values{1, 1, -2147483648, 123456789 & 987654321}));
  Elements next = integers(DType::i32, {16777216, 2147483647, 0, 0});
  auto equal = evaluateAll(binaryOf(DType::i32, ElementOp::eq, DType::i1), 4, {&a, &next});
  EXPECT_EQ(equal[0].reals, (std::vector<float>{0, 1, 0, 0}));
}

TEST(Kernels, FoldsOfIntegersAreExact) {
  Elements in = integers(DType::i32, {16777216, 1, 1, 2147483647, 2, 3});
  EXPECT_EQ(folded(ElementOp::add, 1, in, 0).integers,
            (std::vector<int64_t>{16777218, -2147483644}));
  EXPECT_EQ(folded(ElementOp::add, 0, in, 0).integers, (std::vector<int64_t>{-2130706433, 3, 4}));
}

TEST(Kernels, ConversionsRoundOnceAndSaturate) {
  Elements reals(DType::f32, 0);
  reals.reals = {2.5f, -3.5f, 3e9f, NAN};
  EXPECT_EQ(converted(reals, DType::i32).integers, (std::vector<int64_t>{2, -4, 2147483647, 0}));
  Elements whole = integers(DType::i32, {16777217, 2049, -300});
  EXPECT_EQ(converted(whole, DType::f32).reals, (std::vector<float>{16777216, 2049, -300}));
  EXPECT_EQ(converted(whole, DType::f16).reals, (std::vector<float>{INFINITY, 2048, -300}));
  EXPECT_EQ(converted(whole, DType::s8).integers, (std::vector<int64_t>{1, 1, -44}));
}

TEST(Kernels, EveryNodeIsRounded) {
  ElementFn sum = binary(ElementOp::add); // f16(x + y) with the sum itself in f16
  sum.nodes[2].type = DType::f16;
  Elements a(DType::f32, 1, 2048), b(DType::f32, 1, 1);
  EXPECT_EQ(evaluateAll(sum, 1, {&a, &b})[0].reals, std::vector<float>{2048});
}

TEST(Kernels, IntegersBecomeBf16InOneRounding) { // by way of f32 it would be 2^30 + 2^23
  const Elements whole = integers(DType::i32, {(1 << 30) + (1 << 22) + 1, (1 << 30) + (1 << 22)});
  EXPECT_EQ(converted(whole, DType::bf16).reals, (std::vector<float>{0x1p30f + 0x1p23f, 0x1p30f}));
}

TEST(Kernels, CastsToIntegersGoTowardsZero) {
  Elements reals(DType::f32, 0);
  reals.reals = {2.5f, -3.5f, 0.99f, -200, 3e9f, NAN};
  const auto as = [&](DType type) {
    ElementFn cast{1, false, {argument(0), node(ElementOp::cast, {0}, type)}, {1}};
    return evaluateAll(cast, 6, {&reals})[0].integers;
  };
  EXPECT_EQ(as(DType::i32), (std::vector<int64_t>{2, -3, 0, -200, 2147483647, 0}));
  EXPECT_EQ(as(DType::s8), (std::vector<int64_t>{2, -3, 0, -128, 127, 0}));
}

TEST(Values, SumOverRowsOfOneWarp) {
  Builder b;
  int X = b.tensor("X", DType::f32, {48, 20}), S = b.tensor("S", DType::f32, {1, 20}, true);
  int x = b.buffer("x", Space::smem, DType::f32, {48, 20}, Layout::row);
  int s = b.buffer("s", Space::smem, DType::f32, {1, 20}, Layout::row);
  b.grid(1);
  b.role("one", 0, 1, [&] {
    b.emit(Copy{b.tile(x), box(b, X, 48, 20)});
    b.emit(Reduce{b.tile(s), b.tile(x), 0, 0, ElementOp::add});
    b.emit(Copy{box(b, S, 1, 20), b.tile(s)});
  });
  auto t = quarters(b);
  std::minstd_rand random(5);
  for (int64_t i = 0; i < 48 * 20; ++i)
    t[X].set({i / 20, i % 20}, double(random() % 4096) / 1024 - 2);
  runClean(b, t);
  for (int64_t c = 0; c < 20; ++c) {
    double sum = 0;
    for (int64_t r = 0; r < 48; ++r)
      sum += t[X].at({r, c});
    EXPECT_NEAR(t[S].at({0, c}), sum, 1e-5) << c;
  }
}

TEST(Values, IntegerTilesKeepEveryBit) {
  Builder b;
  int X = b.tensor("X", DType::i32, {64, 32}), Y = b.tensor("Y", DType::i32, {64, 32}, true);
  int S = b.tensor("S", DType::i32, {64, 1}, true);
  int x = b.buffer("x", Space::reg, DType::i32, {64, 32}, Layout::acc, 1, "all");
  int s = b.buffer("s", Space::reg, DType::i32, {64, 1}, Layout::rowVector, 1, "all");
  ElementFn add = binaryOf(DType::i32, ElementOp::add, DType::i32);
  b.grid(1);
  b.role("all", 0, 4, [&] {
    b.emit(Copy{b.tile(x), box(b, X, 64, 32)});
    b.emit(Reduce{b.tile(s), b.tile(x), 1, 0, ElementOp::add});
    b.emit(Copy{box(b, S, 64, 1), b.tile(s)});
    b.emit(Map{{b.tile(x)}, {b.tile(x), b.tile(s)}, add});
    b.emit(Copy{box(b, Y, 64, 32), b.tile(x)});
  });
  auto t = quarters(b);
  auto valueAt = [](int64_t r, int64_t c) { return int32_t(r * 30000001 + c * 16777259); };
  for (int64_t r = 0; r < 64; ++r)
    for (int64_t c = 0; c < 32; ++c)
      t[X].set({r, c}, valueAt(r, c));
  runClean(b, t);
  for (int64_t r = 0; r < 64; ++r) {
    uint32_t sum = 0;
    for (int64_t c = 0; c < 32; ++c)
      sum += uint32_t(valueAt(r, c));
    ASSERT_EQ(t[S].at({r, 0}), int32_t(sum));
    for (int64_t c = 0; c < 32; ++c)
      ASSERT_EQ(t[Y].at({r, c}), int32_t(sum + uint32_t(valueAt(r, c)))) << r << ' ' << c;
  }
}

/// A row kernel: load, scale, store, one row block a CTA.
TEST(Time, CtasThatFitOverlapOnAnSm) {
  Builder b;
  const int64_t blocks = 132 * 128;
  int X = b.tensor("X", DType::f32, {blocks * 4, 256});
  int Y = b.tensor("Y", DType::f32, {blocks * 4, 256}, true);
  int x = b.buffer("x", Space::reg, DType::f32, {4, 256}, Layout::blocked, 1, "all");
  ValueId block = b.grid(blocks);
  Index row{b.scalar(ScalarOp::mul, {block, b.number(4)}), 0};
  b.role("all", 0, 4, [&] {
    b.emit(Copy{b.tile(x), b.box(X, {row, constant(0)}, {4, 256})});
    b.emit(Map{{b.tile(x)}, {b.tile(x), b.tile(x)}, binary(ElementOp::add)});
    b.emit(Copy{b.box(Y, {row, constant(0)}, {4, 256}), b.tile(x)});
  });
  b.place();
  auto time = [&](int64_t sharedBytes) {
    b.program.sharedBytes = sharedBytes;
    return simulateTime(b.program, *findArch("h100"), b.launch, {})->cycles;
  };
  double together = time(1024), alone = time(200 * 1024);
  EXPECT_LT(1.3 * together, alone); // one CTA at a time shows its latencies
  double bytes = 2.0 * blocks * 4 * 256 * 4, seconds = together / 1.98e9;
  EXPECT_GT(bytes / seconds, 0.8 * 3.06e12);
  EXPECT_LT(bytes / seconds, 1.01 * 3.35e12);
}

} // namespace

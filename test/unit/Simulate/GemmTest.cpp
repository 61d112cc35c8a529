// A whole GEMM with two consumer warpgroups: values, time, and the speed of the machine itself.
#include "Gemm.h"

#include "Simulate/Place.h"
#include "Simulate/Simulate.h"

#include <gtest/gtest.h>

#include <chrono>

using namespace sluice;
using namespace sluice::test;

namespace {

std::vector<HostTensor> random(const Builder &b) {
  std::vector<HostTensor> all;
  uint32_t state = 7;
  for (const Launch::Shape &shape : b.launch.tensors) {
    all.push_back(HostTensor::dense(DType::f16, shape.extents, 1));
    std::vector<float> values(all.back().elements());
    for (float &v : values) {
      state = state * 1664525 + 1013904223;
      v = static_cast<float>(state >> 8) * 0x1p-24f - 0.5f;
    }
    storeElements(DType::f16, values.data(), all.back().elements(), all.back().bytes.data());
  }
  return all;
}

void expectProduct(const std::vector<HostTensor> &t, int64_t i, int64_t j) {
  double sum = 0;
  for (int64_t k = 0; k < t[0].extents[1]; ++k)
    sum += t[0].at({i, k}) * t[1].at({k, j});
  EXPECT_NEAR(t[2].at({i, j}), sum, 0.02) << i << ", " << j;
}

TEST(Gemm, RaggedOnBothStores) {
  for (bool tmaStore : {false, true}) {
    Builder b = gemm(200, 152, 136, 3, tmaStore);
    auto t = random(b);
    auto result = simulate(b.program, *findArch("h100"), {}, t, {});
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_FALSE(result->violation) << result->violation->message;
    for (int64_t i = 0; i < 200; i += 9)
      for (int64_t j = 0; j < 152; j += 7)
        expectProduct(t, i, j);
  }
}

#ifdef NDEBUG
constexpr int64_t large = 1024;
#else
constexpr int64_t large = 256; // without optimisation
#endif

TEST(Gemm, LargeValuesInSeconds) {
  Builder b = gemm(large, large, large, 4, true);
  auto t = random(b);
  auto start = std::chrono::steady_clock::now();
  auto result = simulate(b.program, *findArch("h100"), {}, t, {});
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  ASSERT_TRUE(result && !result->violation);
  for (int64_t i = 0; i < large; i += 101)
    for (int64_t j = 0; j < large; j += 97)
      expectProduct(t, i, j);
  RecordProperty("seconds", std::to_string(seconds.count()));
  EXPECT_LT(seconds.count(), 10);
}

Timeline traced(const Builder &b) {
  SimulateOptions options;
  options.timeline = true;
  options.onlyCta = 5;
  auto result = simulateTime(b.program, *findArch("h100"), b.launch, options);
  EXPECT_TRUE(result && !result->violation);
  return result->timeline;
}

TEST(Gemm, TensorCoreTakesItsClocksAndSharedMemoryMore) {
  Timeline t = traced(gemm(512, 512, 8192, 4, true));
  // 128 x 128 x 64: 2 warpgroups x 4 instructions of n128 = 64 clocks each. They read 48 KB, TMA
  // writes 32: 640 clocks at 128 bytes.
  double busy = 0;
  for (const TimelineEvent &e : t.events)
    if (t.rows[e.row].name == "tensor core" && e.iteration == 60)
      busy += e.end - e.begin;
  EXPECT_NEAR(busy, 512, 1);
  EXPECT_NEAR(t.initiationInterval, 640, 4);
  EXPECT_NEAR(t.utilisation["shared memory"], 0.97, 0.02);
  ASSERT_FALSE(t.notes.empty());
  EXPECT_EQ(t.notes[0],
            "shared memory: its port moves 128 bytes a cycle for TMA, wgmma and warps "
            "together and is busy 97 % of the time; larger tiles move fewer bytes for a "
            "product");
}

/// A thread has its tiles and some registers more, or as few as the author leaves it.
TEST(Gemm, CtasOfAnSm) {
  Builder b = gemm(256, 256, 64, 1, false);
  const Arch &h100 = defaultArch(Target::sm_90a);
  EXPECT_EQ(residency(b.program, h100), 2); // 9 warps of 64 + 28 registers
  b.program.ctasPerSm = 3;                  // as many as shared memory would hold
  EXPECT_EQ(residency(b.program, h100), 3);
}

TEST(Gemm, SmallTilesOnAllSmsAreBoundByL2) {
  Timeline t = traced(gemm(4096, 4096, 4096, 4, true));
  // 32 KB a step: why larger tiles and clusters pay.
  EXPECT_EQ(t.critical, "TMA load");
  EXPECT_NEAR(t.initiationInterval, 32768 / findArch("h100")->l2BytesPerCycle, 10);
}

} // namespace

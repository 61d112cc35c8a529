// libsluice_rt.so on a driver that records: what a launch passes, and what it must not do.
#include "Launch/Allocations.h"
#include "Launch/Manifests.h"

#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace sluice::test {
namespace {

using fake_cuda::record;

class Launching : public testing::Test {
protected:
  void SetUp() override { startDriver(); }
};

template <typename T> T parameter(size_t at) {
  T value;
  std::memcpy(&value, record().launch.parameters + at, sizeof value);
  return value;
}

TEST_F(Launching, PassesWhatTheManifestSays) {
  sluice_kernel *kernel = loadGemm();
  Gemm gemm(300, 512, 192);
  int stream = 0;
  ASSERT_EQ(gemm.launch(kernel, 0, &stream), SLUICE_OK) << sluice_error();
  const fake_cuda::Launch &l = record().launch;
  EXPECT_EQ(std::vector<unsigned>(l.grid, l.grid + 3), (std::vector<unsigned>{3, 4, 1}));
  EXPECT_EQ(std::vector<unsigned>(l.block, l.block + 3), (std::vector<unsigned>{288, 1, 1}));
  EXPECT_EQ(l.sharedBytes, 100000u);
  EXPECT_EQ(record().sharedBytesAllowed, 100000);
  EXPECT_EQ(record().nonPortableClusters, 0);
  EXPECT_EQ(l.stream, &stream);
  EXPECT_FALSE(l.programmatic);
  const auto a = parameter<fake_cuda::EncodedMap>(0), b = parameter<fake_cuda::EncodedMap>(128);
  EXPECT_EQ(a.address, 0x100000u);
  EXPECT_EQ(a.extents[0], 192u);
  EXPECT_EQ(a.extents[1], 300u);
  EXPECT_EQ(a.stride, 384u);
  EXPECT_EQ(a.box[1], 128u);
  EXPECT_EQ(a.swizzle, 3u);
  EXPECT_EQ(a.promotion, 2u); // 384 is no multiple of 256
  EXPECT_EQ(b.address, 0x200000u);
  EXPECT_EQ(b.promotion, 3u);
  EXPECT_EQ(parameter<int32_t>(256), 300);
  EXPECT_EQ(parameter<uint64_t>(260), 0x300000u);
  EXPECT_EQ(parameter<int64_t>(268), 512);
  sluice_release(kernel);
}

TEST_F(Launching, TakesADimensionInParts) {
  sluice_kernel *kernel = loadGemm(R"("dims": [1, 0], "box": [64, 128])",
                                   R"("dims": [[1, 64, 1], [1, 3, 64], 0], "box": [64, 3, 1])");
  Gemm gemm(300, 512, 192);
  ASSERT_EQ(gemm.launch(kernel, 0, nullptr), SLUICE_OK) << sluice_error();
  const auto a = parameter<fake_cuda::EncodedMap>(0);
  EXPECT_EQ(a.rank, 3u);
  EXPECT_EQ(a.extents[0], 64u);
  EXPECT_EQ(a.extents[1], 3u);
  EXPECT_EQ(a.stride, 128u); // bytes from one part to the next
  EXPECT_EQ(a.box[1], 3u);
  sluice_release(kernel);
}

// CUtensorMapDataType: UINT8 is 0, INT32 3, FLOAT32 7; TFLOAT32 would round.
TEST_F(Launching, CopiesElementsOfProductsAsTheyAre) {
  for (auto [name, type, map, size] : {std::tuple("tf32", SLUICE_TF32, 7u, 4u),
                                       {"tf32", SLUICE_F32, 7u, 4u},
                                       {"e4m3", SLUICE_E4M3, 0u, 1u},
                                       {"e5m2", SLUICE_E5M2, 0u, 1u},
                                       {"s8", SLUICE_S8, 0u, 1u},
                                       {"i32", SLUICE_I32, 3u, 4u}}) {
    sluice_kernel *kernel =
        loadGemm(R"("A", "type": "f16")", std::string(R"("A", "type": ")") + name + "\"");
    Gemm gemm(300, 512, 192);
    EXPECT_EQ(gemm.launch(kernel), SLUICE_FAILED) << name; // A is f16 still
    gemm.tensors[0].type = type;
    ASSERT_EQ(gemm.launch(kernel), SLUICE_OK) << sluice_error();
    const auto a = parameter<fake_cuda::EncodedMap>(0);
    EXPECT_EQ(a.type, map) << name;
    EXPECT_EQ(a.stride, 192 * size) << name;
    sluice_release(kernel);
  }
}

TEST_F(Launching, OfTheSameTensorsMakesNoNewMaps) {
  sluice_kernel *kernel = loadGemm();
  Gemm gemm(256, 256, 128), longer(256, 256, 192);
  ASSERT_EQ(gemm.launch(kernel), SLUICE_OK);
  EXPECT_EQ(record().calls.tensorMapEncode, 2);
  for (int i = 0; i < 5; ++i)
    ASSERT_EQ(gemm.launch(kernel), SLUICE_OK);
  EXPECT_EQ(record().calls.tensorMapEncode, 2);
  ASSERT_EQ(longer.launch(kernel), SLUICE_OK);
  EXPECT_EQ(record().calls.tensorMapEncode, 4);
  EXPECT_EQ(parameter<fake_cuda::EncodedMap>(0).extents[0], 192u);
  ASSERT_EQ(gemm.launch(kernel), SLUICE_OK); // still kept
  EXPECT_EQ(record().calls.tensorMapEncode, 4);
  EXPECT_EQ(parameter<fake_cuda::EncodedMap>(0).extents[0], 128u);
  sluice_release(kernel);
}

TEST_F(Launching, NeitherAllocatesNorWaits) {
  const int64_t before = allocations();
  sluice_kernel *kernel = loadGemm();
  EXPECT_GT(allocations(), before); // the count sees the library's
  ASSERT_EQ(sluice_prepare(kernel, 0), SLUICE_OK);
  Gemm gemm(256, 256, 128);
  record().calls.synchronise = record().calls.memoryAllocate = 0; // of loading
  const int64_t start = allocations();
  for (int i = 0; i < 3; ++i) // the first makes its maps
    ASSERT_EQ(gemm.launch(kernel, 0), SLUICE_OK);
  ASSERT_EQ(gemm.launch(kernel, SLUICE_CURRENT_DEVICE), SLUICE_OK);
  ASSERT_EQ(gemm.launch(kernel, 0), SLUICE_OK);
  EXPECT_EQ(allocations(), start);
  EXPECT_EQ(record().calls.synchronise, 0);
  EXPECT_EQ(record().calls.memoryAllocate, 0);
  EXPECT_EQ(record().calls.moduleLoad, 1);
  EXPECT_EQ(record().calls.contextPush, 0); // the device's context was current
  sluice_release(kernel);
  EXPECT_EQ(record().calls.moduleUnload, 1);
}

TEST_F(Launching, MoreMapsThanAreKept) {
  sluice_kernel *kernel = loadGemm();
  for (int round = 0; round < 2; ++round)
    for (int64_t m = 1; m <= 400; ++m) {
      Gemm gemm(m, 128, 64);
      ASSERT_EQ(gemm.launch(kernel, 0), SLUICE_OK);
      ASSERT_EQ(parameter<fake_cuda::EncodedMap>(0).extents[1], uint64_t(m));
    }
  sluice_release(kernel);
}

TEST_F(Launching, NothingForAnEmptyGrid) {
  sluice_kernel *kernel = loadGemm();
  EXPECT_EQ(Gemm(0, 256, 128).launch(kernel), SLUICE_OK);
  EXPECT_EQ(record().calls.launch, 0);
  sluice_release(kernel);
}

TEST_F(Launching, TensorsWithoutElementsReadAsZero) {
  sluice_kernel *kernel = loadGemm();
  Gemm sum(300, 256, 0); // of nothing; strides and address of A and B mean nothing
  sum.tensors[0].data = nullptr;
  const int64_t strange[] = {1, 7};
  sum.tensors[0].strides = strange;
  ASSERT_EQ(sum.launch(kernel), SLUICE_OK) << sluice_error();
  EXPECT_EQ(record().launch.grid[0], 3u);
  const auto a = parameter<fake_cuda::EncodedMap>(0);
  EXPECT_EQ(a.address, 4096u); // memory that the kernel has for this
  EXPECT_EQ(a.extents[0], 1u);
  EXPECT_EQ(a.extents[1], 1u);
  EXPECT_EQ(a.stride, 16u);
  sluice_release(kernel);
}

TEST_F(Launching, OnTheDeviceThatIsNamed) {
  sluice_kernel *kernel = loadGemm();
  Gemm gemm(256, 256, 128);
  ASSERT_EQ(gemm.launch(kernel, 1), SLUICE_OK);
  EXPECT_EQ(record().launch.context, fake_cuda::context(1));
  EXPECT_EQ(fake_cuda::current(), fake_cuda::context(0)); // as before
  ASSERT_EQ(gemm.launch(kernel), SLUICE_OK);
  EXPECT_EQ(record().launch.context, fake_cuda::context(0));
  EXPECT_EQ(record().calls.moduleLoad, 2);
  fake_cuda::setCurrent(nullptr); // a thread that has no context yet
  ASSERT_EQ(gemm.launch(kernel), SLUICE_OK);
  EXPECT_EQ(record().launch.context, fake_cuda::context(0));
  EXPECT_EQ(fake_cuda::current(), nullptr);
  EXPECT_EQ(record().calls.contextPush, record().calls.contextPop);
  sluice_release(kernel);
  EXPECT_EQ(record().calls.moduleUnload, 2);
}

TEST_F(Launching, PreparedOnTheCurrentDevice) {
  sluice_kernel *kernel = loadGemm();
  fake_cuda::setCurrent(fake_cuda::context(1));
  ASSERT_EQ(sluice_prepare(kernel, SLUICE_CURRENT_DEVICE), SLUICE_OK) << sluice_error();
  ASSERT_EQ(Gemm(256, 256, 128).launch(kernel, 1), SLUICE_OK);
  EXPECT_EQ(record().calls.moduleLoad, 1);
  EXPECT_EQ(record().calls.contextPush, 0);
  sluice_release(kernel);
}

TEST_F(Launching, FromManyThreads) {
  sluice_kernel *kernel = loadGemm();
  std::atomic<int> failed{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int64_t i = 0; i < 200; ++i) {
        Gemm gemm(1 + (i + t) % 7, 128, 64);
        failed += gemm.launch(kernel, int(i % 2)) != SLUICE_OK;
      }
    });
  for (std::thread &t : threads)
    t.join();
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(record().calls.moduleLoad, 2);
  sluice_release(kernel);
}

TEST_F(Launching, LargeClustersAndDependentLaunches) {
  sluice_kernel *large = loadGemm("\"cluster\": [1, 1, 1]", "\"cluster\": [16, 1, 1]");
  ASSERT_EQ(Gemm(128 * 16, 256, 128).launch(large), SLUICE_OK) << sluice_error();
  EXPECT_EQ(record().nonPortableClusters, 1);
  sluice_release(large);
  sluice_kernel *dependent =
      loadGemm("\"overlaps_previous\": false", "\"overlaps_previous\": true");
  ASSERT_EQ(Gemm(256, 256, 128).launch(dependent), SLUICE_OK) << sluice_error();
  EXPECT_TRUE(record().launch.programmatic);
  sluice_release(dependent);
}

} // namespace
} // namespace sluice::test

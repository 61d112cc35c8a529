// What the runtime says and does on a machine without a GPU.
#include "Emit/Kernels.h"
#include "Runtime/Compile.h"
#include "Runtime/Run.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

Launch launchOf(int64_t m, int64_t n, int64_t k) {
  return {{{{m, k}, {k, 1}}, {{k, n}, {n, 1}}, {{m, n}, {n, 1}}}, {}};
}

TEST(Runtime, MissingDriverIsOneClearError) {
  auto device = cudaDevice();
  if (device)
    GTEST_SKIP() << "this machine has " << device->name;
  Program program = gemm({});
  auto source = emitCuda(program);
  ASSERT_TRUE(source);
  std::vector<HostTensor> tensors{HostTensor::dense(DType::f16, {64, 64}, 1),
                                  HostTensor::dense(DType::f16, {64, 64}, 1),
                                  HostTensor::dense(DType::f16, {64, 64}, 1)};
  auto run = runOnCuda(program, *source, {}, tensors);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().message, device.error().message);
  EXPECT_NE(run.error().message.find("libcuda.so.1"), std::string::npos);
  EXPECT_NE(run.error().message.find("use a machine with an NVIDIA GPU"), std::string::npos);
}

TEST(Runtime, LaunchChecksWhatTheKernelAssumes) {
  Program program = gemm({});
  EXPECT_FALSE(checkLaunch(program, launchOf(100, 64, 64)));
  auto odd = checkLaunch(program, launchOf(100, 64, 63)); // rows of A are 126 bytes apart
  ASSERT_TRUE(odd);
  EXPECT_NE(odd->message.find("tensor A: the stride of dimension 0 is 63 elements"),
            std::string::npos)
      << odd->message;
  Launch transposed = launchOf(64, 64, 64);
  transposed.tensors[1].strides = {1, 64};
  auto minor = checkLaunch(program, transposed);
  ASSERT_TRUE(minor);
  EXPECT_NE(minor->message.find("tensor B: dimension 1 must be contiguous"), std::string::npos);
  EXPECT_TRUE(checkLaunch(program, launchOf(int64_t{1} << 31, 64, 64)));
}

TEST(Runtime, GridOfALaunch) {
  Program program = gemm({});
  auto grid = launchGrid(program, launchOf(200, 296, 64));
  ASSERT_TRUE(grid);
  EXPECT_EQ(*grid, (std::array<int64_t, 3>{2, 3, 1}));
  auto wide = launchGrid(program, launchOf(64, int64_t{128} * 70000, 64));
  ASSERT_FALSE(wide);
  EXPECT_NE(wide.error().message.find("the limit is 65535"), std::string::npos);
}

TEST(Runtime, NvrtcCompilesWithTheHeadersItCarries) {
  for (const Program &program : {gemm({}), attention({})}) {
    auto source = emitCuda(program);
    ASSERT_TRUE(source) << source.error().message;
    auto cubin = compileCuda(source->text, program.name);
    if (!cubin && cubin.error().message.find("on this machine") != std::string::npos)
      GTEST_SKIP() << cubin.error().message;
    ASSERT_TRUE(cubin) << cubin.error().message;
    EXPECT_EQ(cubin->substr(1, 3), "ELF");
  }
  auto broken = compileCuda("extern \"C\" __global__ void k() { nothing(); }", "k");
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().message.find("(kernel k)"), std::string::npos);
  EXPECT_NE(broken.error().message.find("\"nothing\" is undefined"), std::string::npos)
      << broken.error().message;
}

TEST(Runtime, ManifestListsParametersInOrder) {
  Program program = gemm({});
  auto source = emitCuda(program);
  ASSERT_TRUE(source);
  std::string text = manifest(source->plan, program);
  EXPECT_NE(text.find("{\"kind\": \"tensor_map\", \"name\": \"AMap\", \"of\": \"A\", \"map\": 0}"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("{\"tensor\": \"B\", \"dims\": [1, 0], \"box\": [64, 64], \"swizzle\": 128}"),
            std::string::npos)
      << text;
  EXPECT_LT(text.find("\"CGlobal\""), text.find("\"CStride0\""));
}

} // namespace
} // namespace sluice::test

// What the runtime says and does on a machine without a GPU.
#include "Emit/Emit.h"
#include "Emit/Kernels.h"
#include "Runtime/Compile.h"
#include "Runtime/Run.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

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
  auto run = runOnCuda(*source, {}, tensors);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().message, device.error().message);
  EXPECT_NE(run.error().message.find("libcuda.so.1"), std::string::npos);
  EXPECT_NE(run.error().message.find("use a machine with an NVIDIA GPU"), std::string::npos);
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

} // namespace
} // namespace sluice::test

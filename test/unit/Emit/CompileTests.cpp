// Printed kernels go through nvcc without a warning, without wgmma serialisation, without spills.
#include "Emit/Emit.h"
#include "Emit/Kernels.h"
#include "Emit/Nvcc.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

void compiles(const Program &program, const std::string &name) {
  auto source = emitCuda(program);
  ASSERT_TRUE(source) << source.error().message;
  if (!findNvcc())
    GTEST_SKIP() << "no nvcc on this machine: the printed text was not compiled";
  Compilation c = compile(source->text, name);
  ASSERT_EQ(c.status, 0) << source->text << c.log;
  // ptxas: C7508 setmaxnreg ignored, C7510 wgmma serialised.
  EXPECT_EQ(c.log.find("C75"), std::string::npos) << c.log;
  EXPECT_NE(c.log.find("0 bytes spill stores, 0 bytes spill loads"), std::string::npos) << c.log;
  EXPECT_NE(c.log.find("0 bytes stack frame"), std::string::npos) << c.log;
}

TEST(CompileCuda, Gemm) {
  compiles(gemm({}), "gemm");
}

TEST(CompileCuda, GemmWithLateReleaseAndSetmaxnreg) {
  compiles(gemm({.bn = 256, .stages = 4, .lag = true, .reallocate = true}), "late");
}

TEST(CompileCuda, GemmEveryMajorAndStoreByCopyEngine) {
  compiles(gemm({.type = DType::bf16, .aMinor = 0, .bMinor = 0, .store = GemmOptions::copyEngine}),
           "majors");
}

TEST(CompileCuda, GemmLoadedByThreads) {
  compiles(gemm({.stages = 2, .load = GemmOptions::threads, .align = 2}), "threads");
}

TEST(CompileCuda, GemmLoadedByCpAsync) {
  compiles(gemm({.bMinor = 0, .load = GemmOptions::async, .align = 8}), "async");
}

TEST(CompileCuda, GemmWithTwoBlocksOfRowsPerWarpgroup) {
  compiles(gemm({.bm = 256, .bn = 128}), "blocks");
}

TEST(CompileCuda, GemmOfAClusterThatSharesB) {
  compiles(gemm({.bn = 256, .store = GemmOptions::copyEngine, .reallocate = true, .cluster = true}),
           "cluster");
}

TEST(CompileCuda, GemmWithHintsForL2) {
  compiles(gemm({.store = GemmOptions::copyEngine, .cluster = true, .hints = true}), "hints");
}

TEST(CompileCuda, ElementsAndThreadCopies) {
  compiles(elements(), "elements");
}

TEST(CompileCuda, Signals) {
  compiles(signals(), "signals");
}

TEST(CompileCuda, Attention) {
  compiles(attention({}), "attention");
}

TEST(CompileCuda, AttentionOfDepth128) {
  compiles(attention({.d = 128, .type = DType::bf16}), "attention128");
}

/// The bits of a number in memory are those of its value, be it an integer or a float.
TEST(CompileCuda, NumbersOf32BitsAreNotConverted) {
  if (!findNvcc())
    GTEST_SKIP() << "no nvcc on this machine: the headers were not compiled";
  for (const std::string type : {"int", "float"}) {
    const Compilation c = compileToPtx("#include <sluice/device.cuh>\n"
                                       "using namespace sluice;\n"
                                       "extern \"C\" __global__ void k(const u32 *x, " +
                                           type +
                                           " *y) {\n"
                                           "  *y = valueOf(elementOf<" +
                                           type + ">(*x));\n}\n",
                                       "bits_" + type);
    ASSERT_EQ(c.status, 0) << c.log;
    EXPECT_NE(c.output.find(".entry k"), std::string::npos);
    EXPECT_EQ(c.output.find("cvt.rzi"), std::string::npos) << c.output;
    EXPECT_EQ(c.output.find("cvt.rn"), std::string::npos) << c.output;
  }
}

} // namespace
} // namespace sluice::test

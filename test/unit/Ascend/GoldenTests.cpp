// Printed Ascend C, word for word, against test/Emit/ascend/*.cpp. SLUICE_UPDATE=1 writes the files
// anew.
#include "Ascend/Kernels.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace sluice::test {
namespace {

void printsAs(const std::string &kernel, const Settings &settings, const std::string &file) {
  const auto program = ascendProgram(kernel, settings);
  ASSERT_TRUE(program) << program.error().message;
  EmitOptions options;
  options.places = false;
  const auto source = emitAscend(*program, options);
  ASSERT_TRUE(source) << source.error().message;
  const std::string path = SLUICE_TEST_FOLDER "/Emit/ascend/" + file;
  if (std::getenv("SLUICE_UPDATE"))
    std::ofstream(path) << source->text;
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(source->text, text.str()) << path;
}

TEST(PrintAscend, Gemm) {
  printsAs("gemm", {}, "gemm.cpp");
}

TEST(PrintAscend, GemmOfTransposedOperandsInBatches) {
  printsAs("gemm", {{"a", "col"}, {"b", "col"}, {"batch", "3"}, {"dtype", "bf16"}, {"out", "f32"}},
           "gemm_batch.cpp");
}

TEST(PrintAscend, GemmOfSmallTiles) {
  printsAs("gemm", {{"bm", "32"}, {"bn", "32"}, {"bk", "32"}, {"stages", "4"}}, "gemm_small.cpp");
}

TEST(PrintAscend, GemmByUnits) {
  printsAs("gemm", {{"bm", "128"}, {"bn", "256"}, {"bk", "128"}, {"unit", "yes"}},
           "gemm_units.cpp");
}

TEST(PrintAscend, GemmOfBytesThatAreTurned) {
  printsAs("gemm", {{"dtype", "s8"}, {"a", "col"}}, "gemm_s8.cpp");
}

TEST(PrintAscend, GemmOfF32ThatIsTurned) {
  printsAs("gemm", {{"dtype", "f32"}, {"a", "col"}, {"bk", "128"}}, "gemm_f32.cpp");
}

TEST(PrintAscend, Qk) {
  printsAs("qk", {}, "qk.cpp");
}

TEST(PrintAscend, Softmax) {
  printsAs("softmax", {{"cols", "1000"}}, "softmax.cpp");
}

TEST(PrintAscend, RmsNorm) {
  printsAs("rmsnorm", {}, "rmsnorm.cpp");
}

TEST(PrintAscend, GemmWithBias) {
  printsAs("gemm", {{"epilogue", "bias_relu"}, {"out", "f32"}}, "gemm_bias.cpp");
}

TEST(PrintAscend, Attention) {
  printsAs("attention", {{"causal", "yes"}}, "attention.cpp");
}

} // namespace
} // namespace sluice::test

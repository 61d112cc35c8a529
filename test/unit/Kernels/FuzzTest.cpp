// Bounded fuzzing of the text form: mutations of the kernels' texts are parsed and, where that
// succeeds, compiled. Whatever they hold, the answer is a program or one error with a message.
#include "sluice/Compile.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

namespace sluice {
namespace {

std::string textOf(const char *file) {
  std::ifstream in(std::filesystem::path(__FILE__).parent_path() / file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Drops, repeats, exchanges or replaces a few pieces.
std::string mutated(std::string text, std::mt19937_64 &random) {
  static const char *const pieces[] = {"0",
                                       "-1",
                                       "4096",
                                       "f16",
                                       "f32",
                                       "smem",
                                       "sw128",
                                       "%acc",
                                       ">",
                                       "{",
                                       "}",
                                       "(",
                                       ",",
                                       "x",
                                       "index",
                                       "\n",
                                       "slots 9",
                                       "minor 0",
                                       "18446744073709551616"};
  for (int edits = 1 + int(random() % 3); edits > 0 && !text.empty(); --edits) {
    size_t at = random() % text.size(), length = 1 + random() % 12;
    std::string piece = text.substr(at, length);
    switch (random() % 4) {
    case 0:
      text.erase(at, length);
      break;
    case 1:
      text.insert(at, piece);
      break;
    case 2:
      text.replace(at, length, pieces[random() % std::size(pieces)]);
      break;
    default:
      text.insert(random() % text.size(), piece);
    }
  }
  return text;
}

using Source = std::pair<const char *, Target>;
class TextFuzz : public testing::TestWithParam<Source> {};

TEST_P(TextFuzz, GivesAProgramOrOneError) {
  auto [file, target] = GetParam();
  std::string text = textOf(file);
  ASSERT_FALSE(text.empty());
  std::mt19937_64 random(1);
  int compiled = 0;
  for (int i = 0; i < 1000; ++i) {
    auto kernels = parseKernelText(mutated(text, random), "fuzz.mlir");
    if (!kernels) {
      EXPECT_FALSE(kernels.error().message.empty());
      continue;
    }
    for (const Kernel &kernel : *kernels) {
      CompileOptions options;
      options.target = kernel.target().value_or(target);
      auto program = compile(kernel, options);
      if (!program) {
        EXPECT_FALSE(program.error().message.empty());
      }
      compiled += bool(program);
    }
  }
  EXPECT_GT(compiled, 0); // the mutations are small enough that some survive
}

INSTANTIATE_TEST_SUITE_P(Kernels, TextFuzz,
                         testing::Values(Source("gemm.mlir", Target::sm_90a),
                                         Source("gemm-ascend.mlir", Target::ascend910b),
                                         Source("gemm-columns-bias.mlir", Target::sm_90a),
                                         Source("qk.mlir", Target::ascend910b),
                                         Source("attention-tile.mlir", Target::sm_90a)));

} // namespace
} // namespace sluice

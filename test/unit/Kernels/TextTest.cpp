// The kernels of the catalogue as text. SLUICE_UPDATE=1 in the environment rewrites the files.
#include "kernels/Catalog.h"
#include "sluice/Compile.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace sluice {
namespace {

using Settings = std::map<std::string, std::string>;

Result<Kernel> build(const std::string &name, const Settings &settings, Target target) {
  const KernelEntry *entry = findKernel(name);
  auto parameters = resolve(*entry, settings);
  if (!parameters)
    return parameters.error();
  return entry->build(*parameters, defaultArch(target));
}

std::string textOf(const std::string &name, const Settings &settings, Target target) {
  auto kernel = build(name, settings, target);
  return kernel ? kernel->text() : kernel.error().location.str() + ": " + kernel.error().message;
}

void expectText(const std::string &file, const std::string &text) {
  auto path = std::filesystem::path(__FILE__).parent_path() / (file + ".mlir");
  if (std::getenv("SLUICE_UPDATE"))
    std::ofstream(path) << text;
  std::stringstream expected;
  expected << std::ifstream(path).rdbuf();
  EXPECT_EQ(text, expected.str()) << path;
}

TEST(KernelTexts, Gemm) {
  expectText("gemm", textOf("gemm", {}, Target::sm_90a));
  expectText("gemm-ascend", textOf("gemm", {{"plan", "no"}}, Target::ascend910b));
  expectText("gemm-columns-bias", textOf("gemm",
                                         {{"a", "col"},
                                          {"b", "col"},
                                          {"M", "100"},
                                          {"K", "333"},
                                          {"N", "1000"},
                                          {"epilogue", "bias_gelu"},
                                          {"dtype", "bf16"},
                                          {"out", "f32"}},
                                         Target::sm_90a));
}

TEST(KernelTexts, Qk) {
  expectText("qk", textOf("qk", {}, Target::ascend910b));
  expectText("qk-hopper", textOf("qk", {{"l1_slots", "2"}}, Target::sm_90a));
}

TEST(KernelTexts, AttentionTile) {
  expectText("attention-tile", textOf("attention_tile", {}, Target::sm_90a));
}

/// `align` of the tensors A, B and C of a gemm.
TEST(KernelTexts, AlignmentFollowsTheStrides) {
  std::string text = textOf("gemm", {{"M", "100"}, {"K", "333"}, {"N", "1004"}}, Target::sm_90a);
  EXPECT_NE(text.find("%A: !sluice.tensor<?x?xf16, align 2>"), std::string::npos) << text;
  EXPECT_NE(text.find("%B: !sluice.tensor<?x?xf16, align 8>"), std::string::npos) << text;
  text = textOf("gemm", {{"a", "col"}, {"M", "104"}, {"K", "333"}}, Target::sm_90a);
  EXPECT_NE(text.find("%A: !sluice.tensor<?x?xf16, minor 0, align 16>"), std::string::npos) << text;
}

/// Deeper or wider tiles leave room for fewer of them.
TEST(KernelTexts, StagesFit) {
  auto stages = [](const Settings &settings, Target target) {
    std::string text = textOf("gemm", settings, target);
    size_t at = text.find("sluice.stages = ");
    return at == std::string::npos ? text : text.substr(at + 16, 1);
  };
  EXPECT_EQ(stages({}, Target::sm_90a), "4");
  EXPECT_EQ(stages({{"bk", "128"}}, Target::sm_90a), "3");
  EXPECT_EQ(stages({{"bn", "256"}}, Target::sm_90a), "3");
  EXPECT_EQ(stages({{"bk", "128"}, {"stages", "2"}}, Target::sm_90a), "2");
  EXPECT_EQ(stages({}, Target::ascend910b), "2");
  EXPECT_EQ(stages({{"bk", "1024"}}, Target::ascend910b), "1");
}

TEST(KernelTexts, EmptyExtents) {
  EXPECT_TRUE(build("gemm", {{"M", "0"}, {"N", "0"}, {"K", "0"}}, Target::sm_90a));
}

TEST(KernelTexts, Modes) {
  auto kernel = build("gemm", {{"mode", "pipelined"}}, Target::ascend910b);
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().kind, Error::unsupported);
  EXPECT_EQ(kernel.error().message,
            "gemm mode=pipelined: loads of an Ascend core have a pipe of their own; leave mode at "
            "auto");
  EXPECT_TRUE(build("gemm", {{"mode", "pipelined"}}, Target::sm_90a));
  EXPECT_TRUE(build("gemm", {{"cluster", "1x1"}, {"mode", "specialised"}}, Target::sm_90a));
  EXPECT_TRUE(build("gemm", {{"cluster", "2x1"}, {"mode", "persistent"}}, Target::sm_90a));
}

/// Text with roles, whose values share names: without the numbers that tell these apart, which
/// depend on who was named first.
static std::string withoutNumbers(const std::string &text) {
  if (text.find("sluice.role") == std::string::npos)
    return text;
  return std::regex_replace(text, std::regex("(%[A-Za-z_.0-9]*?)(_[0-9]+)+"), "$1");
}

/// Whatever the parameters, text comes back as the kernel that it was printed from, and every
/// kernel compiles for every target that it names.
TEST(KernelTexts, CompileForTheirTargets) {
  for (const KernelEntry &entry : catalog())
    for (Target target : entry.targets) {
      auto kernel = build(entry.name, {}, target);
      ASSERT_TRUE(kernel) << kernel.error().message;
      auto again = parseKernelText(kernel->text(), entry.name);
      ASSERT_TRUE(again) << again.error().message;
      EXPECT_EQ(withoutNumbers((*again)[0].text()), withoutNumbers(kernel->text()));
      CompileOptions options;
      options.target = target;
      auto program = compile(*kernel, options);
      EXPECT_TRUE(program) << entry.name << " on " << name(target) << ": "
                           << program.error().message;
    }
}

/// Locations of a kernel are the author's lines.
TEST(KernelTexts, LocationsOfTheSource) {
  auto kernel = build("gemm", {}, Target::sm_90a);
  ASSERT_TRUE(kernel);
  auto program = compile(*kernel, {});
  ASSERT_TRUE(program) << program.error().message;
  for (const Buffer &buffer : program->buffers)
    EXPECT_TRUE(buffer.loc.file.starts_with("kernels/Gemm")) << buffer.name << buffer.loc.file;
}

} // namespace
} // namespace sluice

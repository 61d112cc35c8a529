// Kernels from text: what is read, and one clear error for what cannot be.
#include "sluice/Compile.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace sluice {
namespace {

/// "file:line:col: message" of the first error; empty: the text was read.
std::string errorOf(const std::string &text) {
  auto kernels = parseKernelText(text, "k.mlir");
  return kernels ? "" : kernels.error().location.str() + ": " + kernels.error().message;
}

TEST(KernelText, RoundTrip) {
  const std::string text =
      "sluice.kernel @one(%A: !sluice.tensor<?x?xf16> {sluice.name = \"A\"}) attributes "
      "{target = \"sm_90a\"} {\n  sluice.epoch\n}\n";
  auto kernels = parseKernelText(text + "sluice.kernel @two() {\n  sluice.epoch\n}\n", "k.mlir");
  ASSERT_TRUE(kernels) << kernels.error().message;
  ASSERT_EQ(kernels->size(), 2u);
  EXPECT_EQ((*kernels)[0].text(), text);
  EXPECT_EQ((*kernels)[0].name(), "one");
  EXPECT_EQ((*kernels)[0].target(), Target::sm_90a);
  EXPECT_EQ((*kernels)[1].name(), "two");
  EXPECT_EQ((*kernels)[1].target(), std::nullopt);
}

TEST(KernelText, Errors) {
  EXPECT_EQ(errorOf(""),
            "k.mlir:1:1: no kernel in it; a kernel is written sluice.kernel @name(...) {...}");
  EXPECT_EQ(errorOf("sluice.kernel @k() {\n  sluice.warp_sink\n}\n"),
            "k.mlir:2:3: custom op 'sluice.warp_sink' is unknown");
  EXPECT_EQ(
      errorOf("module @inner {}\nsluice.kernel @k() {\n  sluice.epoch\n}\n"),
      "k.mlir:1:1: 'builtin.module' at the top of a file; only sluice.kernel may stand there");
  EXPECT_EQ(errorOf("sluice.kernel @k() {\n  sluice.bar.sync 99, 128\n}\n"),
            "k.mlir:2:3: 'sluice.bar.sync' op id 99 is outside 0 .. 15");
}

TEST(KernelText, HostileText) {
  EXPECT_EQ(errorOf("ML\xefR...."), "k.mlir:1:1: MLIR bytecode; a kernel file is text");
  const std::string deep = ": brackets nested deeper than 256";
  EXPECT_EQ(errorOf(std::string(1 << 20, '(')), "k.mlir:1:257" + deep);
  EXPECT_EQ(errorOf("x\n" + std::string(1 << 20, '<')), "k.mlir:2:257" + deep);
  std::string types;
  for (int i = 0; i < 100000; ++i)
    types += "tuple<(";
  EXPECT_EQ(errorOf(types), "k.mlir:1:1798" + deep);
  EXPECT_EQ(errorOf("#a = affine_map<() -> (" + std::string(1 << 20, '-')), "k.mlir:1:280" + deep);
  // Brackets in strings and comments do not count.
  EXPECT_EQ(errorOf("// " + std::string(1000, '(') +
                    "\nsluice.kernel @k(%n: index {sluice.name = \"" + std::string(1000, '(') +
                    "\"}) {\n  sluice.epoch\n}\n"),
            "");
  EXPECT_NE(errorOf(std::string(1 << 20, '\0')), "");
  EXPECT_NE(errorOf("\"" + std::string(1 << 20, 'x')), "");
}

TEST(KernelText, HugeFilesSlow) {
  std::string text = "sluice.kernel @k() {\n";
  while (text.size() < (64u << 20))
    text += "  sluice.warp_sync\n  sluice.cluster.wait\n  sluice.wgmma.fence\n";
  EXPECT_EQ(errorOf(text + "}\n"), "");
  EXPECT_NE(errorOf(std::string(64 << 20, 'x')), "");
}

TEST(KernelText, Files) {
  auto missing = parseKernels("/nowhere/k.mlir");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "cannot read '/nowhere/k.mlir': No such file or directory");
  auto folder = parseKernels("/");
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().message, "cannot read '/': it is a directory");
  auto path = std::filesystem::temp_directory_path() / "sluice-kernel-text-test.mlir";
  std::ofstream(path) << "sluice.kernel @k() {\n  sluice.epoch\n}\n";
  auto kernels = parseKernels(path);
  ASSERT_TRUE(kernels) << kernels.error().message;
  EXPECT_EQ((*kernels)[0].name(), "k");
  std::filesystem::remove(path);
}

TEST(Compile, TargetsThatDoNotFit) {
  auto kernels = parseKernelText(
      "sluice.kernel @k() attributes {target = \"sm_90a\"} {\n  sluice.epoch\n}\n", "k.mlir");
  ASSERT_TRUE(kernels);
  CompileOptions options;
  options.target = Target::ascend910b;
  auto program = compile((*kernels)[0], options);
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().kind, Error::unsupported);
  EXPECT_EQ(program.error().message, "kernel 'k' is written for sm_90a, not for ascend910b");
  EXPECT_EQ(program.error().location.str(), "k.mlir:1:1");
  options.arch = findArch("h100");
  program = compile((*kernels)[0], options);
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().message, "machine 'h100' is a sm_90a, the target is ascend910b");
}

} // namespace
} // namespace sluice

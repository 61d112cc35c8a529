// Checksums of ring slots: which slots, and the same sum on both sides.
#include "Emit/Checksums.h"

#include "Arch/Arch.h"
#include "Program/Agent.h"
#include "kernels/Catalog.h"
#include "sluice/Compile.h"

#define SLUICE_HOST 1
#include <sluice/checksums.cuh>

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

Program programOf(const std::string &kernel, std::map<std::string, std::string> settings) {
  const KernelEntry &entry = *findKernel(kernel);
  auto parameters = resolve(entry, settings);
  EXPECT_TRUE(parameters);
  auto built = entry.build(*parameters, defaultArch(Target::sm_90a));
  auto program = compile(*built, {});
  EXPECT_TRUE(program) << program.error().message;
  return *program;
}

/// "mma: a b" per wait, in the order of the text.
std::vector<std::string> slotsOf(const Program &program) {
  const auto read = slotsRead(program);
  std::vector<std::string> lines;
  walk(program.body, [&](const Stmt &s) {
    auto *role = std::get_if<Role>(&s.op);
    if (!role)
      return;
    walk(role->body, [&](const Stmt &wait) {
      if (!read.count(&wait))
        return;
      std::string line = role->name + ":";
      for (int b : read.at(&wait))
        line += " " + program.buffers[b].name;
      lines.push_back(line);
    });
  });
  return lines;
}

TEST(Checksums, SlotsBehindTheWaitsOfTheirReaders) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(slotsOf(programOf("gemm", {})), Lines{"mma: a b"});
  EXPECT_EQ(slotsOf(programOf("gemm", {{"M", "333"}, {"N", "71"}, {"K", "65"}})),
            Lines{"mma: a b"}); // copied by threads
  EXPECT_EQ(slotsOf(programOf("gemm", {{"mode", "persistent"}})),
            (Lines{"mma: a b", "store: c_staging"}));
}

TEST(Checksums, NotOfWhatNoTwoMachinesRoundAlike) {
  EXPECT_EQ(slotsOf(programOf("gemm", {{"mode", "persistent"}, {"epilogue", "bias_gelu"}})),
            std::vector<std::string>{"mma: a b"});
}

TEST(Checksums, TheDeviceSumsAsTheHostDoes) {
  std::vector<uint32_t> words;
  u64 sum = 0;
  for (uint32_t i = 0; i < 1000; ++i) {
    words.push_back(i * 2654435761u);
    sum += checksumOfWord(words.back(), i);
  }
  EXPECT_EQ(checksum(std::as_bytes(std::span(words))), sum);
  std::swap(words[3], words[4]);
  EXPECT_NE(checksum(std::as_bytes(std::span(words))), sum);
}

} // namespace
} // namespace sluice::test

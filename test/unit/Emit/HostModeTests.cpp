// The printed text, run on the host warp by warp, does what the virtual machine does: the same
// operations on the same barriers, slots, parities, bytes and addresses, in the same order.
#include "Emit/HostKernels.h"
#include "Emit/HostMode.h"
#include "Emit/Kernels.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sluice::test {
namespace {

void agree(const Program &program, const Launch &launch, const std::string &name,
           const EmitOptions &options = {}) {
  auto source = emitCuda(program, options);
  ASSERT_TRUE(source) << source.error().message;
  auto machine = runOnMachine(program, launch, options.stampedCta.has_value());
  ASSERT_TRUE(machine) << machine.error().message;
  auto host = runInHostMode(program, *source, launch, name, machine->chances);
  ASSERT_TRUE(host) << host.error().message;
  ASSERT_EQ(host->size(), machine->lines.size());
  for (const auto &[warp, lines] : machine->lines) {
    const auto &own = (*host)[warp];
    ASSERT_EQ(own.size(), lines.size()) << "warp " << warp;
    for (size_t i = 0; i < lines.size(); ++i)
      ASSERT_EQ(own[i], lines[i]) << "operation " << i << " of warp " << warp;
  }
}

class HostMode : public testing::TestWithParam<Config> {};

void agreeFor(const Config &c, const EmitOptions &options = {}) {
  auto made = caseOf(c);
  ASSERT_TRUE(made) << made.error().message;
  agree(made->program, made->launch, c.name, options);
}

TEST_P(HostMode, DoesWhatTheVirtualMachineDoes) {
  agreeFor(GetParam());
}

/// What the readers of stamps and checksums build on: the n-th of a warp is what its agent's n-th
/// is.
TEST_P(HostMode, NotesWhatTheVirtualMachineDoes) {
  EmitOptions records;
  records.stampedCta = 0;
  records.checksums = 1;
  agreeFor(GetParam(), records);
}

INSTANTIATE_TEST_SUITE_P(Sweep, HostMode, testing::ValuesIn(hostConfigs()),
                         [](const auto &info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(SlowSweep, HostMode, testing::ValuesIn(moreHostConfigs()),
                         [](const auto &info) { return info.param.name; });

class HostModeOfTexts : public testing::TestWithParam<Text> {};

TEST_P(HostModeOfTexts, DoesWhatTheVirtualMachineDoes) {
  auto made = caseOf(GetParam());
  ASSERT_TRUE(made) << made.error().message;
  agree(made->program, made->launch, made->program.name);
  auto machine = runOnMachine(made->program, made->launch);
  ASSERT_TRUE(machine);
  EXPECT_TRUE(std::ranges::any_of(machine->lines, [&](const auto &warp) {
    return std::ranges::any_of(warp.second,
                               [&](auto &line) { return line.starts_with(GetParam().word); });
  }));
}

INSTANTIATE_TEST_SUITE_P(Corpus, HostModeOfTexts, testing::ValuesIn(hostTexts()),
                         [](const auto &info) { return info.param.name(); });

/// Tensor memory: the elements are not real, all that orders them is.
TEST(HostMode, OfTensorMemory) {
  for (const auto &[name, settings] :
       {std::pair<std::string, std::map<std::string, std::string>>{
            "one_tile", {{"M", "200"}, {"N", "200"}, {"K", "264"}, {"dtype", "bf16"}}},
        {"persistent",
         {{"M", "700"}, {"N", "520"}, {"K", "136"}, {"mode", "persistent"}, {"stages", "2"}}},
        {"by_columns",
         {{"M", "128"}, {"N", "64"}, {"K", "64"}, {"a", "col"}, {"b", "col"}, {"bn", "64"}}},
        {"epilogue",
         {{"M", "200"},
          {"N", "200"},
          {"K", "72"},
          {"epilogue", "bias"},
          {"residual", "yes"},
          {"scales", "both"}}},
        {"factors",
         {{"M", "200"},
          {"N", "300"},
          {"K", "272"},
          {"dtype", "e4m3"},
          {"b", "col"},
          {"scales", "mx"},
          {"bn", "256"},
          {"mode", "persistent"}}},
        {"packed",
         {{"M", "200"},
          {"N", "144"},
          {"K", "256"},
          {"dtype", "e2m3"},
          {"b_dtype", "e2m1"},
          {"b", "col"},
          {"mode", "persistent"}}},
        {"rows_of_64", {{"M", "100"}, {"N", "200"}, {"K", "72"}, {"bm", "64"}, {"staging", "0"}}},
        {"bytes", {{"M", "200"}, {"N", "144"}, {"K", "96"}, {"dtype", "s8"}, {"b", "col"}}}}) {
    SCOPED_TRACE(name);
    agreeFor({"blackwell_" + name, "gemm", settings, Target::sm_100a});
  }
}

/// What is computed goes back to the products; tiles of 256 rows are two in turns.
TEST(HostMode, OfComputedOperandsInTensorMemory) {
  using Settings = std::map<std::string, std::string>;
  const Settings heads{{"B", "1"},   {"H", "2"},     {"Hkv", "1"},
                       {"S", "300"}, {"Skv", "333"}, {"d", "64"}};
  Settings causal = heads;
  causal["causal"] = "yes", causal["d"] = "128";
  const Settings halves{{"M", "300"}, {"N", "200"}, {"K", "72"}, {"bm", "256"}, {"bn", "64"}};
  for (const auto &[name, kernel, settings] : {std::tuple("attention", "attention", heads),
                                               {"attention_causal", "attention", causal},
                                               {"halves", "gemm", halves}}) {
    SCOPED_TRACE(name);
    agreeFor({std::string("blackwell_") + name, kernel, settings, Target::sm_100a});
  }
}

/// Kernels without products are as for the other target.
TEST(HostMode, OfRowsOnTheTargetWithTensorMemory) {
  agreeFor({"blackwell_softmax", "softmax", {{"rows", "9"}, {"cols", "768"}}, Target::sm_100a});
}

/// The printed text of a program with one change.
EmittedSource changed(const Program &program, const std::string &from, const std::string &to) {
  auto source = emitCuda(program);
  EXPECT_TRUE(source);
  const size_t at = source->text.find(from);
  EXPECT_NE(at, std::string::npos) << source->text;
  source->text.replace(at, from.size(), to);
  return *source;
}

TEST(HostMode, TellsAnotherTextFromThisOne) {
  const Program program = gemm({});
  const Launch launch =
      denseLaunch(program, {{"A", {128, 256}}, {"B", {256, 128}}, {"C", {128, 128}}});
  agree(program, launch, "by_hand");
  const EmittedSource count =
      changed(program, "mbarrierInit(empty[i1], 8)", "mbarrierInit(empty[i1], 9)");
  auto hangs = runInHostMode(program, count, launch, "hang");
  ASSERT_FALSE(hangs);
  EXPECT_EQ(hangs.error().message, "warps wait for ever in host mode");
  const EmittedSource parity =
      changed(program, "full[at.slot], at.phase", "full[at.slot], at.phase ^ 1");
  auto early = runInHostMode(program, parity, launch, "parity");
  auto machine = runOnMachine(program, launch);
  ASSERT_TRUE(machine);
  EXPECT_TRUE(!early || *early != machine->lines);
}

} // namespace
} // namespace sluice::test

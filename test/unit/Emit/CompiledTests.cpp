// What nvcc makes of the catalogue's kernels: the synchronisations in PTX are those of the barrier
// level, in its order; the machine code has the planned number of wgmma, no spills, no warnings;
// the numbers of synchronisations change no instruction.
#include "Emit/Emit.h"
#include "Emit/Kernels.h"
#include "Emit/Nvcc.h"
#include "Emit/Stamps.h"
#include "Emit/SyncIds.h"
#include "Emit/SyncOrder.h"

#include "Arch/Arch.h"
#include "Program/Agent.h"
#include "kernels/Catalog.h"
#include "sluice/Compile.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace sluice::test {
namespace {

struct CompiledConfig {
  std::string name, kernel;
  std::map<std::string, std::string> settings;
};

void PrintTo(const CompiledConfig &c, std::ostream *out) {
  *out << c.name;
}

Program programOf(const CompiledConfig &c, Target target = Target::sm_90a) {
  const KernelEntry &entry = *findKernel(c.kernel);
  const Arch &arch = defaultArch(target);
  auto parameters = resolve(entry, c.settings);
  EXPECT_TRUE(parameters) << c.name;
  auto kernel = entry.build(*parameters, arch);
  EXPECT_TRUE(kernel) << kernel.error().message;
  CompileOptions how;
  how.target = target;
  auto program = compile(*kernel, how);
  EXPECT_TRUE(program) << program.error().message;
  return *program;
}

const CompiledConfig configs[] = {
    {"gemm", "gemm", {}},
    {"gemm_bias", "gemm", {{"epilogue", "bias_gelu"}, {"out", "f32"}, {"dtype", "bf16"}}},
    {"gemm_columns", "gemm", {{"a", "col"}, {"b", "col"}, {"bm", "256"}, {"stages", "2"}}},
    {"gemm_unaligned", "gemm", {{"M", "333"}, {"N", "71"}, {"K", "65"}}},
    {"gemm_blocks",
     "gemm",
     {{"mode", "persistent"}, {"bm", "256"}, {"bn", "160"}, {"staging", "2"}}},
    {"gemm_pingpong", "gemm", {{"mode", "pingpong"}, {"cluster", "2x1"}}},
    {"gemm_pipelined", "gemm", {{"mode", "pipelined"}, {"stages", "3"}}},
    {"gemm_persistent", "gemm", {{"mode", "persistent"}, {"bn", "256"}, {"cluster", "2x1"}}},
    {"gemm_residual", "gemm", {{"mode", "persistent"}, {"bn", "256"}, {"residual", "yes"}}},
    {"gemm_residual_f32", "gemm", {{"mode", "persistent"}, {"out", "f32"}, {"residual", "yes"}}},
    {"gemm_scales", "gemm", {{"mode", "persistent"}, {"bn", "256"}, {"scales", "both"}}},
    {"gemm_four", "gemm", {{"mode", "persistent"}, {"bm", "64"}, {"bn", "64"}, {"cluster", "2x2"}}},
    {"gemm_split", "gemm", {{"split", "4"}, {"bm", "64"}, {"epilogue", "bias_gelu"}}},
    {"gemm_split_s8", "gemm", {{"split", "2"}, {"dtype", "s8"}, {"b", "col"}}},
    {"gemm_tf32", "gemm", {{"dtype", "tf32"}, {"b", "col"}, {"bn", "256"}}},
    {"gemm_s8", "gemm", {{"dtype", "s8"}, {"b", "col"}}},
    {"gemm_s8_bias", "gemm", {{"dtype", "s8"}, {"b", "col"}, {"epilogue", "bias"}, {"out", "f16"}}},
    {"gemm_e4m3", "gemm", {{"dtype", "e4m3"}, {"b", "col"}, {"mode", "persistent"}}},
    {"gemm_e5m2_unaligned", "gemm", {{"dtype", "e5m2"}, {"b", "col"}, {"K", "65"}, {"out", "f32"}}},
    {"gemm_mixed", "gemm", {{"dtype", "e4m3"}, {"b_dtype", "e5m2"}, {"b", "col"}}},
    {"gemm_promote", "gemm", {{"dtype", "e4m3"}, {"b", "col"}, {"promote", "16"}}},
    {"gemm_promote_wide",
     "gemm",
     {{"dtype", "e5m2"}, {"b", "col"}, {"promote", "1"}, {"bn", "192"}, {"mode", "persistent"}}},
    {"gemm_narrow", "gemm", {{"bn", "8"}, {"M", "8192"}, {"N", "8"}}},
    {"gemm_narrow_persistent", "gemm", {{"bn", "24"}, {"mode", "persistent"}, {"b", "col"}}},
    {"gemm_narrow_e4m3", "gemm", {{"dtype", "e4m3"}, {"b", "col"}, {"bn", "40"}}},
    {"gemm_swap", "gemm", {{"swap", "yes"}, {"bm", "16"}, {"split", "2"}}},
    {"gemm_swap_vectors",
     "gemm",
     {{"swap", "yes"}, {"bm", "24"}, {"epilogue", "bias_gelu"}, {"scales", "both"}}},
    {"gemm_swap_persistent",
     "gemm",
     {{"swap", "yes"}, {"bm", "24"}, {"a", "col"}, {"mode", "persistent"}}},
    {"gemm_swap_residual", "gemm", {{"swap", "yes"}, {"bm", "24"}, {"residual", "yes"}}},
    {"gemm_swap_residual_by_threads", "gemm", {{"swap", "yes"}, {"bm", "40"}, {"residual", "yes"}}},
    {"gemm_alternate", "gemm", {{"mode", "persistent"}, {"bn", "256"}, {"steps", "alternate"}}},
    {"gemm_swap_unaligned", "gemm", {{"swap", "yes"}, {"M", "7"}, {"N", "71"}, {"K", "65"}}},
    {"gemm_swap_s8", "gemm", {{"swap", "yes"}, {"M", "8"}, {"dtype", "s8"}, {"b", "col"}}},
    {"attention", "attention_tile", {{"queries", "128"}, {"keys", "128"}}},
    {"attention_heads", "attention", {}},
    {"attention_causal", "attention", {{"causal", "yes"}}},
    {"attention_deep", "attention", {{"d", "256"}}},
    {"qk", "qk", {}},
    {"gather", "gather_gemm", {}},
    {"gather_unaligned", "gather_gemm", {{"K", "65"}, {"dtype", "bf16"}}},
    {"weights8", "weights8", {}},
    {"weights8_narrow", "weights8", {{"bm", "64"}, {"bk", "64"}, {"dtype", "bf16"}}},
    {"two_inputs", "two_inputs", {}},
    {"softmax_cluster", "softmax", {{"cols", "65536"}, {"parts", "64"}}},
    {"rmsnorm_cluster_saved", "rmsnorm", {{"cols", "32768"}, {"parts", "16"}, {"saved", "yes"}}},
    {"conv2d", "conv2d", {}},
    {"conv2d_unaligned", "conv2d", {{"C", "3"}, {"K", "65"}, {"S", "5"}, {"bq", "128"}}},
};

/// For tests that compile a kernel twice.
const CompiledConfig fewConfigs[] = {configs[0], configs[5], configs[13]};

class Compiled : public testing::TestWithParam<CompiledConfig> {
protected:
  void SetUp() override {
    if (!findNvcc())
      GTEST_SKIP() << "no nvcc on this machine: the printed text was not compiled";
  }
};

class CompiledTwice : public Compiled {};

EmittedSource emitted(const Program &program, bool ids) {
  EmitOptions options;
  options.syncIds = ids;
  auto source = emitCuda(program, options);
  EXPECT_TRUE(source) << source.error().message;
  return *source;
}

void synchronisesAs(const Program &program, const Compilation &ptx) {
  ASSERT_EQ(ptx.status, 0) << ptx.log;
  const PtxOrder order = ptxOrder(ptx.output);
  std::vector<int> all;
  const auto synchronisations = sluice::synchronisations(program);
  for (size_t i = 0; i < synchronisations.size(); ++i)
    all.push_back(int(i) + 1);
  std::vector<int> sorted = order.appearance;
  std::ranges::sort(sorted);
  EXPECT_EQ(sorted, all); // none is lost
  std::map<const Role *, std::vector<int>> written, compiled;
  for (int id : all)
    written[synchronisations[id - 1].role].push_back(id);
  for (int id : order.appearance)
    compiled[synchronisations[id - 1].role].push_back(id);
  EXPECT_EQ(compiled, written); // role by role in the program's order
  const Pairs allowed = followers(program);
  for (auto pair : order.pairs)
    EXPECT_TRUE(allowed.count(pair)) << pair.second << " after " << pair.first;
}

TEST_P(Compiled, PtxSynchronisesAsTheProgramDoes) {
  const Program program = programOf(GetParam());
  synchronisesAs(program, compileToPtx(emitted(program, true).text, GetParam().name));
}

TEST(CompiledForTensorMemory, PtxSynchronisesAsTheProgramDoes) {
  if (!findNvcc())
    GTEST_SKIP() << "no nvcc on this machine: the printed text was not compiled";
  std::map<std::string, std::string> scaled{{"dtype", "e4m3"}, {"b", "col"}, {"scales", "mx"}};
  for (const char *mode : {"specialised", "persistent"}) {
    scaled["mode"] = mode;
    const Program program = programOf({mode, "gemm", scaled}, Target::sm_100a);
    synchronisesAs(program, compileToPtx(emitted(program, true).text,
                                         std::string("gemm_scaled_") + mode, "compute_100a"));
  }
}

/// wgmma instructions of a warpgroup, counted from the program.
int64_t plannedProducts(const Program &program) {
  int64_t count = 0, warps = program.warps;
  walk(program.body, [&](const Stmt &s) {
    if (auto *role = std::get_if<Role>(&s.op))
      warps = role->warps;
    if (auto *o = std::get_if<Wgmma>(&s.op))
      count += o->d.rows() / (16 * warps) * (o->a.cols() * byteSize(program.type(o->b)) / 32);
  });
  return count;
}

TEST_P(Compiled, MachineCodeIsWhatWasPlanned) {
  const Program program = programOf(GetParam());
  const Compilation c = compile(emitted(program, false).text, GetParam().name + "_sass");
  ASSERT_EQ(c.status, 0) << c.log;
  EXPECT_EQ(c.log.find("C75"), std::string::npos) << c.log;
  EXPECT_NE(c.log.find("0 bytes spill stores, 0 bytes spill loads"), std::string::npos) << c.log;
  EXPECT_EQ(countProducts(machineCode(c.output)), plannedProducts(program));
}

TEST_P(CompiledTwice, NumbersChangeNoInstruction) {
  const Program program = programOf(GetParam());
  const Compilation with = compile(emitted(program, true).text, GetParam().name + "_ids");
  const Compilation without = compile(emitted(program, false).text, GetParam().name + "_plain");
  ASSERT_EQ(with.status, 0) << with.log;
  ASSERT_EQ(without.status, 0) << without.log;
  EXPECT_FALSE(machineCode(with.output).empty());
  EXPECT_TRUE(machineCode(with.output) == machineCode(without.output));
}

/// The headers without the lines that call the watchdog's.
void removeHooks(const std::string &folder) {
  for (const char *name : {"mbarrier", "counter", "sync"}) {
    const std::string path = folder + "/sluice/" + name + ".cuh";
    std::ifstream in(path);
    std::string text;
    int removed = 0;
    for (std::string line; std::getline(in, line);) {
      const bool hook = line.find("eadline") != std::string::npos ||
                        line.find("Expired(") != std::string::npos ||
                        line.find("Watched") != std::string::npos;
      removed += hook;
      text += hook ? "" : line + "\n";
    }
    EXPECT_GE(removed, 3) << name;
    std::ofstream(path) << text;
  }
}

TEST_P(CompiledTwice, NoInstructionOfTheWatchdogWhereItIsOff) {
  const EmittedSource source = emitted(programOf(GetParam()), false);
  const Compilation with = compile(source.text, GetParam().name + "_off");
  const Compilation without = compile(source.text, GetParam().name + "_removed", removeHooks);
  ASSERT_EQ(with.status, 0) << with.log;
  ASSERT_EQ(without.status, 0) << without.log;
  EXPECT_FALSE(machineCode(with.output).empty());
  EXPECT_TRUE(machineCode(with.output) == machineCode(without.output));
}

TEST_P(CompiledTwice, WatchdogBoundsEveryWait) {
  const Program program = programOf(GetParam());
  EmitOptions options;
  options.watchdog = 1'000'000'000;
  auto source = emitCuda(program, options);
  ASSERT_TRUE(source) << source.error().message;
  const Compilation ptx = compileToPtx(source->text, GetParam().name + "_watchdog");
  ASSERT_EQ(ptx.status, 0) << ptx.log;
  int64_t waits = 0;
  for (const Synchronisation &s : sluice::synchronisations(program))
    waits += std::holds_alternative<MbarrierWait>(s.stmt->op);
  int64_t timed = 0; // every wait polls the clock: once before, once in the loop
  for (size_t at = 0; (at = ptx.output.find("%globaltimer", at)) != std::string::npos; ++at)
    ++timed;
  EXPECT_GE(timed, 2 * waits);
}

EmittedSource stamped(const Program &program) {
  EmitOptions options;
  options.stampedCta = 0;
  auto source = emitCuda(program, options);
  EXPECT_TRUE(source) << source.error().message;
  return *source;
}

/// The headers without those that stamp and sum up.
void removeRecords(const std::string &folder) {
  const std::string path = folder + "/sluice/device.cuh";
  std::ifstream in(path);
  std::string text;
  int removed = 0;
  for (std::string line; std::getline(in, line);) {
    const bool record = line.find("stamps.cuh") != std::string::npos ||
                        line.find("checksums.cuh") != std::string::npos;
    removed += record;
    text += record ? "" : line + "\n";
  }
  EXPECT_EQ(removed, 2);
  std::ofstream(path) << text;
}

TEST_P(CompiledTwice, NoInstructionOfRecordsWhereTheyAreOff) {
  const EmittedSource source = emitted(programOf(GetParam()), false);
  EXPECT_EQ(source.text.find("tamps"), std::string::npos);
  EXPECT_EQ(source.text.find("hecksums"), std::string::npos);
  const Compilation with = compile(source.text, GetParam().name + "_unstamped");
  const Compilation without = compile(source.text, GetParam().name + "_bare", removeRecords);
  ASSERT_EQ(with.status, 0) << with.log;
  ASSERT_EQ(without.status, 0) << without.log;
  EXPECT_FALSE(machineCode(with.output).empty());
  EXPECT_TRUE(machineCode(with.output) == machineCode(without.output));
}

/// The same gemm with hints for every tensor.
CompiledConfig hinted(CompiledConfig c) {
  c.settings["a_cache"] = c.settings["c_cache"] = "evict_first";
  c.settings["b_cache"] = "evict_last";
  return c;
}

int64_t count(const std::string &in, const std::string &what) {
  int64_t n = 0;
  for (size_t at = 0; (at = in.find(what, at)) != std::string::npos; ++at)
    ++n;
  return n;
}

TEST_P(CompiledTwice, NothingOfPoliciesWhereThereAreNone) {
  const EmittedSource source = emitted(programOf(GetParam()), false);
  EXPECT_EQ(source.text.find("evict"), std::string::npos);
  const auto without = [](const std::string &folder) {
    EXPECT_TRUE(std::filesystem::remove(folder + "/sluice/tma_policy.cuh"));
  };
  const Compilation c = compile(source.text, GetParam().name + "_without_policies", without);
  EXPECT_EQ(c.status, 0) << c.log;
}

/// As many loops; ptxas may schedule one of them an instruction longer or shorter.
void expectSameLoops(const std::vector<int64_t> &with, const std::vector<int64_t> &without) {
  ASSERT_EQ(with.size(), without.size());
  for (size_t i = 0; i < with.size(); ++i)
    EXPECT_NEAR(double(with[i]), double(without[i]), 1);
}

/// A policy stands behind every tensor copy of A, B and C, and is made in front of the loops.
TEST_P(CompiledTwice, PoliciesCostLoopsNothing) {
  if (GetParam().kernel != "gemm")
    GTEST_SKIP() << "settings of gemm";
  const Program program = programOf(hinted(GetParam())), plain = programOf(GetParam());
  const std::string text = emitted(program, false).text;
  const Compilation with = compile(text, GetParam().name + "_policies");
  const Compilation without = compile(emitted(plain, false).text, GetParam().name + "_no_policy");
  ASSERT_EQ(with.status, 0) << with.log;
  ASSERT_EQ(without.status, 0) << without.log;
  EXPECT_NE(with.log.find("0 bytes spill stores, 0 bytes spill loads"), std::string::npos);
  expectSameLoops(loopLengths(machineCode(with.output)), loopLengths(machineCode(without.output)));
  EXPECT_EQ(countProducts(machineCode(with.output)), plannedProducts(program));
  const std::string ptx = compileToPtx(text, GetParam().name + "_policies_ptx").output;
  const int64_t copies = count(ptx, "cp.async.bulk.tensor.");
  const int64_t hints = count(ptx, ".L2::cache_hint [");
  EXPECT_EQ(copies > 0, count(text, "TensorMap ") > 0); // none where threads copy all
  if (text.find("TensorMap R") != std::string::npos)    // R has none
    EXPECT_TRUE(0 < hints && hints < copies) << hints << " of " << copies;
  else
    EXPECT_EQ(hints, copies);
}

TEST_P(CompiledTwice, ChecksumsCompile) {
  const Program program = programOf(GetParam());
  EmitOptions options;
  options.checksums = 16;
  auto source = emitCuda(program, options);
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ(source->plan.tensors.size(), program.tensors.size() + 1);
  const Compilation c = compile(source->text, GetParam().name + "_checksums");
  ASSERT_EQ(c.status, 0) << c.log;
  EXPECT_EQ(c.log.find("C75"), std::string::npos) << c.log;
  EXPECT_EQ(countProducts(machineCode(c.output)), plannedProducts(program));
}

TEST_P(CompiledTwice, StampsReadTheClockAroundEveryEvent) {
  const Program program = programOf(GetParam());
  const EmittedSource source = stamped(program);
  EXPECT_EQ(source.plan.tensors.size(), program.tensors.size() + 1);
  const Compilation c = compile(source.text, GetParam().name + "_stamped");
  ASSERT_EQ(c.status, 0) << c.log;
  EXPECT_EQ(c.log.find("C75"), std::string::npos) << c.log; // no wgmma serialised or moved
  EXPECT_EQ(countProducts(machineCode(c.output)), plannedProducts(program));
  const Compilation ptx = compileToPtx(source.text, GetParam().name + "_stamped_ptx");
  const auto events = int64_t(stampedStatements(program).size());
  EXPECT_EQ(count(source.text, "stamps.begin();"), events);
  EXPECT_EQ(count(source.text, "stamps.end("), events);
  EXPECT_GE(count(ptx.output, "%clock;"), events); // more where a loop was unrolled
}

INSTANTIATE_TEST_SUITE_P(Kernels, Compiled, testing::ValuesIn(configs),
                         [](const auto &info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(Kernels, CompiledTwice, testing::ValuesIn(fewConfigs),
                         [](const auto &info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(Slow, CompiledTwice, testing::ValuesIn(configs),
                         [](const auto &info) { return info.param.name; });

TEST(SyncOrder, SeesWhatAFenceTooFewChanges) {
  // A program without its fence allows pairs that the one with it does not.
  Program program = signals();
  const Pairs whole = followers(program);
  std::erase_if(program.body.stmts,
                [](const Stmt &s) { return std::holds_alternative<GridDependency>(s.op); });
  const Pairs shorter = followers(program);
  EXPECT_NE(whole, shorter);
}

TEST(SyncOrder, ReadsBranches) {
  const PtxOrder order = ptxOrder("// sync 1\n\t@%p1 bra \t$L1;\n\tx; // sync 2\n\tbra.uni \t$L2;\n"
                                  "$L1:\n\ty; // sync 3\n$L2:\n\tz; // sync 4\n\tret;\n");
  EXPECT_EQ(order.appearance, (std::vector{1, 2, 3, 4}));
  EXPECT_EQ(order.pairs, (Pairs{{0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 4}}));
}

} // namespace
} // namespace sluice::test

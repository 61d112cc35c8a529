// The catalogue's kernels before the explorer: at launches with 0 to 2S trips it sees every
// interleaving of the first cluster, or core, and finds no fault.
#include "Kernels/Launched.h"

#include "Campaign/Launches.h"
#include "Explore/Explore.h"
#include "sluice/Compile.h"

namespace sluice {
namespace {

using Settings = std::map<std::string, std::string>;

constexpr int64_t mostStates = 60'000;

void expectClean(const char *kernel, Target target, const Settings &settings) {
  const KernelEntry &entry = *findKernel(kernel);
  const Arch &arch = defaultArch(target);
  auto parameters = resolve(entry, settings);
  ASSERT_TRUE(parameters) << parameters.error().message;
  SCOPED_TRACE(entry.name + " on " + std::string(name(target)) + ": " + parameters->str());
  auto built = entry.build(*parameters, arch);
  ASSERT_TRUE(built) << built.error().message;
  CompileOptions options;
  options.target = target;
  auto program = compile(*built, options);
  ASSERT_TRUE(program) << program.error().message;
  int explored = 0;
  for (const Launch &launch :
       launchesOf(*program, launchOf(*program, tensorsOf(entry, *parameters, *program)))) {
    if (check(*program, arch, launch).kind != Verdict::proven)
      continue;
    const Exploration e = explore(*program, launch, {mostStates, {0, 0, 0}, true});
    EXPECT_EQ(e.kind, Exploration::clean) << e.rule << ": " << e.fault << e.states << " states";
    ++explored;
  }
  EXPECT_GE(explored, 1);
}

Settings small(Settings more = {}) {
  Settings settings{{"M", "128"}, {"N", "128"}, {"K", "256"},   {"bm", "64"},
                    {"bn", "64"}, {"bk", "64"}, {"stages", "2"}};
  for (auto &[name, value] : more)
    settings[name] = value;
  return settings;
}

TEST(ExploreKernels, GemmOnHopper) {
  expectClean("gemm", Target::sm_90a, small());
  expectClean("gemm", Target::sm_90a, small({{"stages", "4"}, {"bk", "32"}}));
  expectClean("gemm", Target::sm_90a, small({{"epilogue", "bias_gelu"}}));
  expectClean("gemm", Target::sm_90a, small({{"cluster", "2x1"}}));
  expectClean("gemm", Target::sm_90a, small({{"mode", "pingpong"}, {"N", "256"}}));
  expectClean("gemm", Target::sm_90a, small({{"mode", "persistent"}, {"cluster", "1x2"}}));
  expectClean("gemm", Target::sm_90a, small({{"M", "77"}, {"N", "61"}, {"K", "45"}, {"bk", "16"}}));
}

TEST(ExploreKernels, GemmOnBlackwell) {
  expectClean("gemm", Target::sm_100a, small({{"bm", "128"}}));
  expectClean("gemm", Target::sm_100a, small({{"bm", "128"}, {"mode", "persistent"}}));
}

TEST(ExploreKernels, AttentionOnBlackwell) {
  const Settings heads{{"B", "1"}, {"H", "1"}, {"Hkv", "1"}, {"S", "128"}, {"d", "64"}};
  for (const char *rows : {"128", "256"}) {
    Settings settings = heads;
    settings["bm"] = rows, settings["Skv"] = "300";
    expectClean("attention", Target::sm_100a, settings);
  }
}

TEST(ExploreKernels, GemmOnAscend) {
  expectClean("gemm", Target::ascend910b, small());
  expectClean("gemm", Target::ascend910b, small({{"stages", "3"}, {"epilogue", "bias"}}));
}

TEST(ExploreKernels, QkAndAttention) {
  for (const Target target : {Target::sm_90a, Target::ascend910b})
    expectClean("qk", target, {{"iterations", "5"}});
  expectClean("attention_tile", Target::sm_90a, {{"queries", "128"}, {"keys", "128"}, {"d", "64"}});
}

} // namespace
} // namespace sluice

// gemm on sm_100a as its planner puts it first: every shape with every type, layout and way out is
// proven for every launch and right.
#include "Kernels/Launched.h"

#include "sluice/Compile.h"

#include <set>
#include <span>

namespace sluice {
namespace {

using Settings = std::map<std::string, std::string>;

/// M, N, K: one tile and less, ragged ones, few rows, few columns, many steps, none, more tiles
/// than SMs, rows that no tensor map takes.
constexpr int plannedShapes[][3] = {
    {128, 128, 64},   {256, 256, 256},   {1, 8, 8},       {1, 1, 1},       {8, 128, 512},
    {16, 512, 1000},  {64, 64, 64},      {65, 72, 136},   {127, 129, 65},  {128, 136, 1024},
    {129, 128, 64},   {130, 200, 72},    {136, 264, 192}, {192, 320, 128}, {200, 24, 328},
    {255, 257, 33},   {256, 16, 640},    {257, 520, 96},  {300, 700, 56},  {320, 8, 2048},
    {384, 384, 384},  {400, 96, 160},    {511, 33, 101},  {512, 512, 0},   {512, 640, 32},
    {520, 264, 720},  {600, 1000, 24},   {640, 40, 72},   {768, 256, 192}, {777, 333, 45},
    {1000, 100, 333}, {1024, 1024, 128}, {1025, 65, 64},  {1536, 1040, 8}, {2048, 64, 16},
    {2500, 520, 40},  {3000, 16, 8},     {3072, 2304, 8}, {5, 3000, 40},   {40, 2048, 64},
    {63, 1001, 17},   {100, 5000, 16},   {1300, 1304, 1}, {0, 64, 40},     {64, 0, 40},
};

const Settings plannedTypes[] = {
    {},
    {{"dtype", "bf16"}, {"out", "f32"}},
    {{"a", "col"}},
    {{"b", "col"}, {"dtype", "bf16"}},
    {{"a", "col"}, {"b", "col"}, {"epilogue", "bias_gelu"}, {"scales", "both"}},
    {{"residual", "yes"}, {"epilogue", "bias_relu"}, {"alpha", "yes"}, {"beta", "yes"}},
    {{"dtype", "tf32"}, {"b", "col"}},
    {{"dtype", "e4m3"}, {"b", "col"}, {"promote", "2"}},
    {{"dtype", "e5m2"}, {"b", "col"}, {"out", "f16"}},
    {{"dtype", "e4m3"}, {"b_dtype", "e5m2"}, {"b", "col"}, {"epilogue", "gelu"}},
    {{"dtype", "s8"}, {"b", "col"}},
    {{"dtype", "e4m3"}, {"epilogue", "bias"}},
    {{"dtype", "e5m2"}, {"b_dtype", "e4m3"}, {"a", "col"}, {"b", "col"}, {"promote", "4"}},
    {{"dtype", "s8"}, {"a", "col"}},
    {{"batch", "2"}, {"dtype", "bf16"}},
    {{"dynamic", "yes"}, {"out", "f32"}},
};

/// Factors of blocks: MXFP8, MXFP4, NVFP4.
const Settings scaledTypes[] = {
    {{"dtype", "e4m3"}, {"b", "col"}, {"scales", "mx"}},
    {{"dtype", "e5m2"}, {"a", "col"}, {"scales", "mx"}, {"epilogue", "bias_gelu"}},
    {{"dtype", "e2m1"}, {"b", "col"}, {"scales", "mx"}, {"out", "f32"}},
    {{"dtype", "e2m1"}, {"b", "col"}, {"scales", "nv"}, {"residual", "yes"}},
    {{"dtype", "e4m3"}, {"b_dtype", "e5m2"}, {"b", "col"}, {"scales", "mx"}, {"batch", "2"}},
    {{"dtype", "e4m3"}, {"b", "col"}, {"scales", "mx"}, {"promote", "2"}},
    {{"dtype", "e2m1"}, {"b", "col"}, {"scales", "nv"}, {"dynamic", "yes"}},
};

/// Numbers of 4 and 6 bits, with factors of blocks too.
const Settings packedTypes[] = {
    {{"dtype", "e2m3"}, {"b", "col"}},
    {{"dtype", "e3m2"}, {"b_dtype", "e2m1"}, {"b", "col"}, {"epilogue", "bias_gelu"}},
    {{"dtype", "e4m3"}, {"b_dtype", "e2m1"}, {"b", "col"}, {"promote", "2"}},
    {{"dtype", "e2m1"}, {"b_dtype", "e5m2"}, {"residual", "yes"}, {"out", "f32"}},
    {{"dtype", "e2m1"}, {"b", "col"}, {"batch", "2"}},
    {{"dtype", "e2m3"}, {"b_dtype", "e3m2"}, {"b", "col"}, {"scales", "mx"}},
    {{"dtype", "e5m2"}, {"a", "col"}, {"b_dtype", "e2m1"}, {"b", "col"}, {"scales", "mx"}},
};

struct Planned {
  std::set<std::string> settings; // that came first: of tiles and grids, without stages
  int runs = 0;
};

std::string gridOf(const Parameters &p) {
  std::string text;
  for (const char *name : {"bm", "bn", "cluster", "pair", "split", "mode", "swap"})
    text += p.text(name) + " ";
  return text;
}

void expectPlannedRight(const Settings &settings, Planned &planned) {
  const KernelEntry &entry = *findKernel("gemm");
  const Arch &arch = defaultArch(Target::sm_100a);
  auto parameters = resolve(entry, settings);
  ASSERT_TRUE(parameters) << parameters.error().message;
  auto settled = entry.settle(*parameters, arch);
  ASSERT_TRUE(settled) << settled.error().message;
  SCOPED_TRACE(settled->str());
  planned.settings.insert(gridOf(*settled));
  auto kernel = entry.build(*parameters, arch);
  ASSERT_TRUE(kernel) << kernel.error().message;
  CompileOptions options;
  options.target = Target::sm_100a;
  auto program = compile(*kernel, options);
  ASSERT_TRUE(program) << program.error().message;
  const Launch launch = launchOf(*program, tensorsOf(entry, *parameters, *program),
                                 argumentsOf(entry, *parameters, *program));
  const Verdict verdict = prove(*program, arch, launch);
  EXPECT_EQ(verdict.kind, Verdict::proven);
  EXPECT_EQ(verdict.tripCounts, "all");
  expectProvenAndRight(entry, *parameters, *program, arch);
  ++planned.runs;
}

/// Of factors two numbers of 4 bits are a byte; other numbers of 4 and 6 bits come by 128.
int64_t depthOf(const Settings &settings, int64_t K) {
  const auto is = [&](const char *name, std::initializer_list<const char *> values) {
    const auto at = settings.find(name);
    return at != settings.end() && std::ranges::find(values, at->second) != values.end();
  };
  if (is("dtype", {"e2m1"}) && !settings.contains("b_dtype") && settings.contains("scales"))
    return K + K % 2;
  const bool packed =
      is("dtype", {"e2m1", "e2m3", "e3m2"}) || is("b_dtype", {"e2m1", "e2m3", "e3m2"});
  return packed ? (K + 127) / 128 * 128 : K;
}

/// Every `stride`-th pair of a shape and what goes with it.
Planned expectAllPlannedRight(std::span<const Settings> types, size_t stride) {
  Planned planned;
  const size_t all = std::size(plannedShapes) * types.size();
  for (size_t i = 0; i < all; i += stride) {
    Settings settings = types[i % types.size()];
    const auto &[M, N, K] = plannedShapes[i / types.size()];
    settings["M"] = std::to_string(M), settings["N"] = std::to_string(N);
    settings["K"] = std::to_string(depthOf(settings, K));
    expectPlannedRight(settings, planned);
  }
  return planned;
}

TEST(GemmOnBlackwell, AsPlannedIsProvenAndRight) {
  const Planned planned = expectAllPlannedRight(plannedTypes, 5);
  EXPECT_EQ(planned.runs, 144);
  EXPECT_GT(planned.settings.size(), 24U);
}
TEST(GemmOnBlackwellSlow, AsPlannedIsProvenAndRight) {
  EXPECT_EQ(expectAllPlannedRight(plannedTypes, 1).runs, 720);
}
TEST(GemmOnBlackwell, ScaledAsPlannedIsProvenAndRight) {
  const Planned planned = expectAllPlannedRight(scaledTypes, 16);
  EXPECT_EQ(planned.runs, 20);
  EXPECT_GT(planned.settings.size(), 4U);
}
TEST(GemmOnBlackwellSlow, ScaledAsPlannedIsProvenAndRight) {
  EXPECT_EQ(expectAllPlannedRight(scaledTypes, 1).runs, 315);
}
TEST(GemmOnBlackwell, PackedAsPlannedIsProvenAndRight) {
  const Planned planned = expectAllPlannedRight(packedTypes, 16);
  EXPECT_EQ(planned.runs, 20);
  EXPECT_GT(planned.settings.size(), 4U);
}
TEST(GemmOnBlackwellSlow, PackedAsPlannedIsProvenAndRight) {
  EXPECT_EQ(expectAllPlannedRight(packedTypes, 1).runs, 315);
}

} // namespace
} // namespace sluice

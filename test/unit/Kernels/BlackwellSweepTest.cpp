// Configurations of Blackwell's kernels, whatever their planner would take, for every trip count:
// what compiles is proven, and holds at launches drawn at random.
#include "Kernels/Sweep.h"

namespace sluice {
namespace {

const Axis tiles{
    {"bm", "bn"},
    {{"auto", "auto"}, {"64", "64"}, {"128", "256"}, {"64", "48"}, {"256", "128"}, {"128", "16"}}};
const Axis ways{{"mode", "cluster", "pair", "split"},
                {{"specialised", "1x1", "no", "1"},
                 {"persistent", "1x1", "no", "1"},
                 {"persistent", "1x2", "no", "1"},
                 {"specialised", "2x1", "no", "1"},
                 {"specialised", "1x1", "no", "2"}}};
const Sweep gemm = {"gemm",
                    Target::sm_100a,
                    {ways, extents, axis("stages", {"auto", "1", "2", "3", "4"}),
                     axis("epilogue", {"none", "bias", "bias_gelu"}),
                     axis("residual", {"no", "yes"}), axis("a", {"row", "col"}),
                     axis("b", {"row", "col"}), tiles, axis("out", {"auto", "f32"}),
                     axis("dtype", {"f16", "bf16"})}};
const Sweep pairs = {
    "gemm",
    Target::sm_100a,
    {{{"mode", "cluster", "pair"}, {{"specialised", "2x1", "yes"}, {"persistent", "2x1", "yes"}}},
     extents,
     axis("stages", {"auto", "1", "2", "3"}),
     axis("epilogue", {"none", "bias_relu"}),
     axis("a", {"row", "col"}),
     axis("b", {"row", "col"}),
     {{"bm", "bn"}, {{"auto", "auto"}, {"128", "256"}, {"128", "64"}, {"128", "128"}}},
     axis("out", {"auto", "f32"}),
     axis("dtype", {"bf16", "e4m3"})}};
const Sweep types = {"gemm",
                     Target::sm_100a,
                     {axis("dtype", {"tf32", "e4m3", "e5m2", "s8"}), extents,
                      axis("stages", {"1", "2", "3"}), axis("epilogue", {"none", "bias_relu"}),
                      axis("b", {"col"}), tiles, axis("out", {"f32", "f16"}), ways}};
/// Numbers of 4 and 6 bits; each two of five types.
const Sweep packed = {"gemm",
                      Target::sm_100a,
                      {axis("dtype", {"e2m1", "e2m3", "e3m2"}),
                       axis("b_dtype", {"e4m3", "e5m2", "e2m1", "e2m3", "e3m2"}),
                       {{"M", "N", "K"}, {{"136", "264", "256"}, {"67", "33", "128"}}},
                       axis("stages", {"1", "2", "3"}),
                       axis("epilogue", {"none", "bias_gelu"}),
                       axis("b", {"col"}),
                       axis("scales", {"no", "mx"}),
                       {{"bm", "bn"}, {{"auto", "auto"}, {"128", "256"}, {"128", "128"}}},
                       axis("mode", {"specialised", "persistent"})}};
const Sweep scaled = {
    "gemm",
    Target::sm_100a,
    {{{"dtype", "scales"}, {{"e4m3", "mx"}, {"e2m1", "mx"}, {"e2m1", "nv"}, {"e5m2", "mx"}}},
     {{"M", "N", "K"}, {{"136", "264", "192"}, {"100", "1000", "334"}, {"67", "33", "102"}}},
     axis("stages", {"1", "2", "3"}),
     axis("epilogue", {"none", "bias_gelu"}),
     axis("b", {"col"}),
     axis("mode", {"specialised", "persistent"}),
     {{"bm", "bn", "cluster", "pair"},
      {{"auto", "auto", "1x1", "no"},
       {"128", "256", "2x1", "no"},
       {"256", "128", "2x1", "no"},
       {"128", "128", "2x1", "yes"},
       {"128", "256", "2x1", "yes"}}}}};
const Sweep swapped = {"gemm",
                       Target::sm_100a,
                       {axis("bm", {"16", "32", "48", "64"}), extents,
                        axis("stages", {"auto", "1", "2", "3"}),
                        axis("epilogue", {"none", "gelu", "bias_relu"}), axis("a", {"row", "col"}),
                        axis("b", {"row", "col"}), axis("bn", {"64", "128"}),
                        axis("out", {"auto", "f32"}), axis("swap", {"yes"})}};
const Sweep attention = {"attention",
                         Target::sm_100a,
                         {axis("d", {"64", "128"}), axis("causal", {"no", "yes"}),
                          axis("dtype", {"bf16", "f16"}), axis("Skv", {"0", "1", "777"}),
                          axis("Hkv", {"1", "4"}), axis("bm", {"auto", "64", "128"})}};
const Sweep depth512 = {"attention_d512",
                        Target::sm_100a,
                        {axis("causal", {"no", "yes"}), axis("dtype", {"bf16", "f16", "e4m3"}),
                         axis("Skv", {"0", "1", "777"}), axis("S", {"1", "300"})}};
const Sweep grouped = {"grouped_gemm",
                       Target::sm_100a,
                       {{{"rows", "N", "K"}, {{"136", "264", "192"}, {"1000", "33", "101"}}},
                        axis("groups", {"1", "3"}),
                        axis("stages", {"1", "2", "auto"}),
                        axis("dtype", {"f16", "e4m3"}),
                        axis("b", {"col"}),
                        {{"bm", "bn"}, {{"auto", "auto"}, {"64", "64"}, {"128", "256"}}}}};

struct Part {
  const char *name;
  const Sweep &sweep;
  size_t stride; // of the sample
};
constexpr Part parts[] = {
    {"Gemm", gemm, 911},          {"Pairs", pairs, 89},      {"Types", types, 211},
    {"Packed", packed, 113},      {"Scaled", scaled, 89},    {"Swapped", swapped, 211},
    {"Attention", attention, 11}, {"Depth512", depth512, 7}, {"Grouped", grouped, 17}};

// A sample of each in every run of the tests ...
class BlackwellSweep : public testing::TestWithParam<Part> {};
TEST_P(BlackwellSweep, ASampleIsProvenAndHolds) {
  const auto &[name, sweep, stride] = GetParam();
  const Outcome outcome = proveEvery(stride, sweep);
  EXPECT_GT(outcome.proven, outcome.tooLarge);
}
// ... and every seventh, at four launches each: a quarter of an hour.
class BlackwellSweepSlow : public testing::TestWithParam<Part> {};
TEST_P(BlackwellSweepSlow, EverySeventhIsProvenAndHolds) {
  const auto &[name, sweep, stride] = GetParam();
  const Outcome outcome = proveEvery(7, sweep, 1, 4);
  EXPECT_GT(outcome.proven, outcome.tooLarge);
}

std::string nameOf(const testing::TestParamInfo<Part> &info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Kernels, BlackwellSweep, testing::ValuesIn(parts), nameOf);
INSTANTIATE_TEST_SUITE_P(Kernels, BlackwellSweepSlow, testing::ValuesIn(parts), nameOf);

} // namespace
} // namespace sluice

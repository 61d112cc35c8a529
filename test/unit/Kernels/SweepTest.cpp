// Every configuration of the catalogue, for every trip count: what compiles is proven, and what
// does not is too large for the machine. What is proven holds at launches drawn at random.
#include "Kernels/Sweep.h"

namespace sluice {
namespace {

// ---- The configurations -----------------------------------------------------------------------

Sweep gemm(Target target, Axis tiles) {
  return {"gemm",
          target,
          {extents, axis("stages", {"auto", "1", "2", "3", "4", "5"}),
           axis("epilogue", {"none", "bias", "bias_relu", "bias_gelu"}), axis("a", {"row", "col"}),
           axis("b", {"row", "col"}), std::move(tiles), axis("out", {"auto", "f32"}),
           axis("dtype", {"f16", "bf16"})}};
}

const Sweep gemmHopper = gemm(Target::sm_90a, {{"bm", "bn", "bk"},
                                               {{"auto", "auto", "auto"},
                                                {"64", "64", "64"},
                                                {"64", "256", "64"},
                                                {"128", "256", "64"},
                                                {"128", "64", "128"},
                                                {"128", "128", "32"},
                                                {"256", "128", "64"}}});
/// In clusters, one tile a CTA or as many as it takes.
Sweep gemmInGrid(Axis clusters, const char *mode) {
  return {
      "gemm",
      Target::sm_90a,
      {std::move(clusters),
       extents,
       axis("stages", {"auto", "1", "2", "3", "4", "5"}),
       axis("epilogue", {"none", "bias_gelu"}),
       axis("a", {"row", "col"}),
       axis("b", {"row", "col"}),
       {{"bm", "bn", "bk"}, {{"auto", "auto", "auto"}, {"64", "64", "64"}, {"128", "256", "64"}}},
       axis("out", {"auto", "f32"}),
       axis("mode", {mode})}};
}
const Sweep gemmClusters = gemmInGrid(axis("cluster", {"2x1", "1x2", "2x2"}), "specialised");
const Sweep gemmPersistent =
    gemmInGrid(axis("cluster", {"1x1", "2x1", "1x2", "2x2"}), "persistent");
/// Steps shared by CTAs of a cluster, beside those that share loads.
const Sweep gemmSplit = {
    "gemm",
    Target::sm_90a,
    {axis("split", {"2", "4", "8"}),
     axis("cluster", {"1x1", "2x1", "1x2"}),
     extents,
     axis("stages", {"auto", "1", "2", "3", "5"}),
     axis("epilogue", {"none", "bias_gelu"}),
     axis("residual", {"no", "yes"}),
     axis("b", {"row", "col"}),
     {{"bm", "bn", "bk"}, {{"auto", "auto", "auto"}, {"64", "64", "64"}, {"128", "256", "64"}}},
     axis("out", {"auto", "f32"})}};
/// Parts of C in slots of their own: as many as parts, fewer, and numbers that do not divide them.
const Sweep gemmStaged = {
    "gemm",
    Target::sm_90a,
    {axis("staging", {"1", "2", "3", "4"}),
     {{"bm", "bn"}, {{"128", "192"}, {"128", "256"}, {"64", "256"}, {"128", "160"}}},
     axis("mode", {"specialised", "persistent"}),
     axis("out", {"auto", "f32"}),
     axis("stages", {"1"})}};
/// Types whose operands are contiguous along K.
const Sweep gemmTypes = {"gemm",
                         Target::sm_90a,
                         {axis("dtype", {"tf32", "e4m3", "e5m2", "s8"}),
                          extents,
                          axis("stages", {"2", "1"}),
                          axis("epilogue", {"none", "bias_relu"}),
                          axis("b", {"col"}),
                          {{"bm", "bn"}, {{"auto", "auto"}, {"64", "256"}, {"128", "256"}}},
                          axis("out", {"f32", "f16"}),
                          axis("cluster", {"1x1", "2x1"})}};
/// Few columns of C, and few rows.
const Sweep gemmNarrow = {"gemm",
                          Target::sm_90a,
                          {axis("bn", {"8", "16", "24", "32", "40", "48", "56"}), extents,
                           axis("stages", {"auto", "1", "2", "3", "5"}),
                           axis("epilogue", {"none", "bias_relu"}), axis("a", {"row", "col"}),
                           axis("b", {"row", "col"}), axis("bm", {"64", "128", "256"}),
                           axis("out", {"auto", "f32"}), axis("cluster", {"1x1", "2x1"})}};
const Sweep gemmSwapped = {
    "gemm",
    Target::sm_90a,
    {axis("bm", {"8", "16", "24", "32", "64"}), extents, axis("stages", {"auto", "1", "2", "3"}),
     axis("epilogue", {"none", "gelu", "bias_relu"}), axis("scales", {"no", "both"}),
     axis("a", {"row", "col"}), axis("b", {"row", "col"}), axis("bn", {"64", "128", "256"}),
     axis("out", {"auto", "f32"}), axis("cluster", {"1x1", "2x1", "1x2"}), axis("swap", {"yes"})}};
const Sweep gemmAscend = gemm(Target::ascend910b, {{"bm", "bn", "bk"},
                                                   {{"auto", "auto", "auto"},
                                                    {"128", "256", "64"},
                                                    {"64", "64", "256"},
                                                    {"16", "16", "64"},
                                                    {"128", "64", "512"}}});
/// Numbers of 8 and of 32 bits, turned or not.
Sweep gemmAscendTypes(Target target) {
  return {"gemm",
          target,
          {axis("dtype", {"f32", "s8"}),
           axis("a", {"row", "col"}),
           axis("b", {"row", "col"}),
           extents,
           {{"bm", "bn", "bk"}, {{"auto", "auto", "auto"}, {"64", "32", "64"}, {"32", "96", "32"}}},
           axis("epilogue", {"none", "bias_relu"}),
           axis("out", {"f32", "f16"}),
           {{"split", "batch"}, {{"auto", "auto"}, {"2", "auto"}, {"auto", "2"}}}}};
}
const Sweep qkHopper = {
    "qk",
    Target::sm_90a,
    {axis("l1_slots", {"1", "2", "3", "4", "5"}), axis("dtype", {"f16", "bf16"})}};
const Sweep qkAscend = {"qk",
                        Target::ascend910b,
                        {axis("l1_slots", {"1", "2", "3", "4", "5"}),
                         axis("l0ab_slots", {"1", "2", "3", "4"}),
                         axis("l0c_slots", {"1", "2", "3"}), axis("dtype", {"f16", "bf16"})}};
const Sweep attentionTile = {"attention_tile",
                             Target::sm_90a,
                             {axis("queries", {"64", "128"}), axis("keys", {"64", "128", "256"}),
                              axis("d", {"64", "128"}), axis("dtype", {"f16", "bf16"})}};
const Sweep attention = {"attention",
                         Target::sm_90a,
                         {axis("d", {"64", "128", "256"}), axis("causal", {"no", "yes"}),
                          axis("dtype", {"bf16", "f16"}), axis("Skv", {"0", "1", "777"}),
                          axis("Hkv", {"1", "4"})}};
/// Weights that are converted on their way, by four warps and by eight.
const Sweep weights8 = {
    "weights8",
    Target::sm_90a,
    {extents,
     axis("stages", {"1", "2", "3"}),
     axis("dtype", {"f16", "bf16"}),
     axis("out", {"auto", "f32"}),
     {{"bm", "bn", "bk"},
      {{"128", "128", "128"}, {"64", "128", "64"}, {"64", "64", "128"}, {"128", "64", "128"}}}}};
const Sweep twoInputs = {"two_inputs",
                         Target::sm_90a,
                         {{{"M", "N", "K1", "K2"},
                           {{"136", "264", "192", "72"},
                            {"100", "1000", "333", "0"},
                            {"104", "333", "0", "96"},
                            {"67", "33", "101", "7"}}},
                          axis("stages", {"1", "2", "3"}),
                          axis("dtype", {"f16", "bf16"}),
                          axis("out", {"auto", "f32"}),
                          {{"bm", "bn"}, {{"128", "128"}, {"64", "256"}, {"256", "64"}}}}};
const Sweep gathered = {"gather_gemm",
                        Target::sm_90a,
                        {extents,
                         axis("tokens", {"1", "300", "5000"}),
                         axis("stages", {"1", "2", "4"}),
                         axis("dtype", {"f16", "bf16"}),
                         axis("out", {"auto", "f32"}),
                         {{"bm", "bn"}, {{"128", "128"}, {"64", "256"}, {"256", "64"}}}}};
/// Images wider and narrower than a tile, filters of one element and larger than an image.
const Sweep conv2d = {
    "conv2d",
    Target::sm_90a,
    {{{"N", "H", "W", "C", "K"},
      {{"2", "7", "9", "72", "40"}, {"1", "5", "70", "3", "65"}, {"3", "1", "200", "64", "8"}}},
     {{"R", "S", "pad"}, {{"3", "3", "1"}, {"1", "1", "0"}, {"1", "7", "3"}, {"5", "2", "4"}}},
     axis("stages", {"1", "2", "4"}),
     axis("dtype", {"f16", "bf16"}),
     axis("out", {"auto", "f32"}),
     axis("bq", {"64", "128"})}};
Sweep alongRows(const char *kernel) {
  return {kernel,
          Target::sm_90a,
          {axis("cols", {"1", "8", "1000", "1023", "2048"}), axis("dtype", {"bf16", "f16", "f32"}),
           axis("stages", {"1", "2", "4"}), axis("rows", {"0", "33", "1000"}),
           axis("ctas", {"1", "3", "auto"})}};
}
/// Rows that no warp holds, in two passes.
Sweep alongLongRows(const char *kernel) {
  return {kernel,
          Target::sm_90a,
          {axis("cols", {"4608", "9001", "16384"}), axis("dtype", {"bf16", "f32"}),
           axis("stages", {"1", "2", "3"}), axis("rows", {"0", "7"}), axis("ctas", {"1", "auto"}),
           axis("plan", {"no"})}};
}
/// Rows that the warps of a CTA share.
Sweep alongSharedRows(const char *kernel) {
  return {kernel,
          Target::sm_90a,
          {axis("cols", {"1024", "16384", "40000"}), axis("dtype", {"bf16", "f32"}),
           axis("stages", {"1", "2"}), axis("rows", {"0", "7"}), axis("ctas", {"1", "auto"}),
           axis("staging", {"0", "1"}), axis("parts", {"8"})}};
}
/// As the planner has them: rows of a warp, rows that warps share whole, and in pieces.
Sweep alongPlannedRows(const char *kernel) {
  return {kernel,
          Target::sm_90a,
          {axis("cols", {"1000", "4096", "8192", "16384", "40064", "40001"}),
           axis("dtype", {"bf16", "f32"}), axis("rows", {"0", "7", "150"})}};
}
Sweep alongPlannedRowsBackward(const char *kernel) {
  Sweep sweep = alongPlannedRows(kernel);
  sweep.axes.push_back(axis("weights", {"auto"}));
  return sweep;
}
/// As one line of numbers.
Sweep alongLines(const char *kernel) {
  return {kernel,
          Target::sm_90a,
          {axis("cols", {"1", "1000", "4097"}), axis("dtype", {"bf16", "f16", "f32"}),
           axis("stages", {"1", "3"}), axis("rows", {"0", "1", "33", "1000"}),
           axis("share", {"0", "1", "4"}), axis("line", {"yes"})}};
}
/// Those of a cluster do.
Sweep alongClusteredRows(const char *kernel) {
  return {kernel,
          Target::sm_90a,
          {axis("cols", {"992", "32768", "40960"}), axis("dtype", {"bf16", "f32"}),
           axis("stages", {"1", "2"}), axis("rows", {"0", "70"}), axis("ctas", {"1", "auto"}),
           axis("staging", {"0", "1"}), axis("parts", {"16", "32"})}};
}
/// CTAs and clusters beside others on their SMs: vectors that registers do not hold lie in shared
/// memory.
Sweep alongRowsBesideOthers(const char *kernel) {
  return {kernel,
          Target::sm_90a,
          {axis("cols", {"5001", "8192"}), axis("dtype", {"bf16", "f32"}),
           axis("stages", {"1", "2"}), axis("rows", {"0", "7", "150"}), axis("parts", {"8", "16"}),
           axis("per_sm", {"2", "3"}), axis("dynamic", {"no", "yes"})}};
}
/// The same of rows that are read and not stored, in one visit.
const Sweep labelled = {
    "cross_entropy",
    Target::sm_90a,
    {{{"cols", "parts"},
      {{"1024", "8"}, {"40000", "8"}, {"992", "16"}, {"40960", "32"}, {"262144", "64"}}},
     axis("dtype", {"bf16", "f32"}),
     axis("stages", {"1", "3"}),
     axis("rows", {"0", "7"}),
     axis("share", {"0", "1", "2"})}};
constexpr const char *folding[] = {"rmsnorm",     "layernorm",        "softmax",
                                   "log_softmax", "softmax_backward", "cross_entropy"};
constexpr const char *clustered[] = {"rmsnorm", "layernorm", "softmax", "softmax_backward"};
constexpr const char *moreAlongRows[] = {"layernorm",
                                         "softmax",
                                         "log_softmax",
                                         "cross_entropy",
                                         "copy",
                                         "add",
                                         "bias_gelu",
                                         "silu_mul_backward",
                                         "softmax_backward",
                                         "gelu_backward",
                                         "scale_bias_relu",
                                         "dropout",
                                         "add_dropout",
                                         "cross_entropy_backward",
                                         "add_rmsnorm",
                                         "add_layernorm",
                                         "quantise",
                                         "argmax"};
/// The way back through norms: with sums of weight gradients, and of long rows without.
Sweep alongRowsBackward(const char *kernel) {
  return {kernel,
          Target::sm_90a,
          {axis("cols", {"1", "8", "1000", "1023", "2048"}), axis("dtype", {"bf16", "f16", "f32"}),
           axis("stages", {"1", "2", "3"}), axis("rows", {"0", "33", "1000"}),
           axis("ctas", {"1", "3", "132"}), axis("weights", {"yes", "no"})}};
}
Sweep alongLongRowsBackward(const char *kernel) {
  return {kernel,
          Target::sm_90a,
          {axis("cols", {"4608", "9001", "16384"}), axis("dtype", {"bf16", "f32"}),
           axis("stages", {"1", "2", "3"}), axis("rows", {"0", "7"}), axis("ctas", {"1", "132"}),
           axis("weights", {"no"}), axis("plan", {"no"})}};
}
Sweep alongSharedRowsBackward(const char *kernel) {
  return {
      kernel,
      Target::sm_90a,
      {{{"cols", "weights"}, {{"1024", "yes"}, {"8192", "yes"}, {"8192", "no"}, {"40000", "no"}}},
       axis("dtype", {"bf16", "f32"}),
       axis("stages", {"1", "2"}),
       axis("rows", {"0", "7"}),
       axis("ctas", {"1", "132"}),
       axis("staging", {"0", "1"}),
       axis("parts", {"8"})}};
}
const Sweep normWeightsBackward = {"norm_weights_backward",
                                   Target::sm_90a,
                                   {axis("cols", {"1", "1000", "4097", "20000"}),
                                    axis("dtype", {"bf16", "f16", "f32"}),
                                    axis("stages", {"1", "3"}), axis("rows", {"0", "33", "1000"}),
                                    axis("lines", {"8", "64"}), axis("mean", {"yes", "no"})}};
const Sweep rope = {"rope",
                    Target::sm_90a,
                    {axis("d", {"16", "64", "128", "256"}), axis("heads", {"1", "3", "32"}),
                     axis("dtype", {"bf16", "f32"}), axis("stages", {"1", "3"}),
                     axis("rows", {"0", "1", "300"})}};
const Sweep transposed = {
    "transpose",
    Target::sm_90a,
    {{{"rows", "cols"}, {{"1", "1"}, {"0", "77"}, {"136", "264"}, {"67", "4097"}}},
     axis("dtype", {"bf16", "f16", "f32"})}};
const Sweep sumRows = {"sum_rows",
                       Target::sm_90a,
                       {axis("cols", {"1", "1000", "4097"}), axis("dtype", {"bf16", "f16", "f32"}),
                        axis("rows", {"0", "1", "1056"})}};

// A sample of each in every run of the tests ...
TEST(EveryTripCount, Gemm) {
  const Outcome outcome = proveEvery(53, gemmHopper);
  EXPECT_GT(outcome.proven, 150);
  EXPECT_GT(outcome.held.launches, 40);
}
TEST(EveryTripCount, GemmInClusters) {
  EXPECT_GT(proveEvery(71, gemmClusters).proven, 30);
}
TEST(EveryTripCount, GemmSplit) {
  EXPECT_GT(proveEvery(211, gemmSplit).proven, 20);
}
TEST(EveryTripCount, GemmPersistent) { // with one stage: it has the fewest states
  Outcome outcome;
  proveOne(gemmPersistent, gemmPersistent.at(16), outcome);
  proveOne(gemmPersistent, gemmPersistent.at(17 + 96), outcome);
  EXPECT_EQ(outcome.proven, 2);
}
TEST(EveryTripCount, GemmStaged) {
  EXPECT_EQ(proveEvery(19, gemmStaged).proven, 4);
}
TEST(EveryTripCount, GemmTypes) {
  EXPECT_GT(proveEvery(53, gemmTypes).proven, 12);
}
TEST(EveryTripCount, GemmNarrow) {
  EXPECT_GT(proveEvery(211, gemmNarrow).proven, 30);
}
TEST(EveryTripCount, GemmSwapped) {
  EXPECT_GT(proveEvery(211, gemmSwapped).proven, 20);
}
TEST(EveryTripCount, GemmOnAscend) {
  const Outcome outcome = proveEvery(499, gemmAscend);
  EXPECT_GT(outcome.proven, 9);
  EXPECT_GT(outcome.held.launches, 3);
}
TEST(EveryTripCount, GemmOfTypesOnAscend) {
  const Outcome outcome = proveEvery(97, gemmAscendTypes(Target::ascend910b));
  EXPECT_GT(outcome.proven, 9);
  EXPECT_GT(outcome.held.launches, 1);
  EXPECT_GT(proveEvery(211, gemmAscendTypes(Target::ascend950)).proven, 4);
}
TEST(EveryTripCount, QkAndAttentionTile) {
  EXPECT_EQ(proveEvery(3, qkHopper).proven, 4);
  EXPECT_GT(proveEvery(7, qkAscend).proven, 10);
  EXPECT_EQ(proveEvery(5, attentionTile).proven, 5);
}
TEST(EveryTripCount, Attention) {
  EXPECT_EQ(proveEvery(7, attention).proven, 11);
}
TEST(EveryTripCount, OtherProducts) {
  EXPECT_GT(proveEvery(13, weights8).proven, 8);
  EXPECT_GT(proveEvery(17, twoInputs).proven, 6);
  EXPECT_GT(proveEvery(29, conv2d).proven, 8);
  EXPECT_GT(proveEvery(31, gathered).proven, 8);
}
TEST(EveryTripCount, AlongRows) {
  EXPECT_EQ(proveEvery(41, alongRows("silu_mul")).proven, 10);
  EXPECT_EQ(proveEvery(41, alongRows("rmsnorm")).proven, 10);
  for (const char *kernel : moreAlongRows)
    EXPECT_EQ(proveEvery(107, alongRows(kernel)).proven, 4) << kernel;
  for (const char *kernel : folding)
    EXPECT_EQ(proveEvery(31, alongLongRows(kernel)).proven, 3) << kernel;
  for (const char *kernel : {"rmsnorm", "layernorm", "softmax", "softmax_backward"})
    EXPECT_EQ(proveEvery(37, alongSharedRows(kernel)).proven, 3) << kernel;
  for (const char *kernel : clustered)
    EXPECT_EQ(proveEvery(41, alongClusteredRows(kernel)).proven, 5) << kernel;
  EXPECT_EQ(proveEvery(17, labelled).proven, 8);
}
TEST(EveryTripCount, Lines) {
  for (const char *kernel : {"copy", "add", "silu_mul", "gelu_backward", "silu_mul_backward"})
    EXPECT_EQ(proveEvery(53, alongLines(kernel)).proven, 5) << kernel;
}
TEST(EveryTripCount, RowsBesideOthers) {
  for (const char *kernel : {"rmsnorm", "layernorm", "add_layernorm"})
    EXPECT_EQ(proveEvery(41, alongRowsBesideOthers(kernel)).proven, 5) << kernel;
}
TEST(EveryTripCount, PlannedRows) {
  for (const char *kernel : moreAlongRows)
    EXPECT_EQ(proveEvery(23, alongPlannedRows(kernel)).proven, 2) << kernel;
  for (const char *kernel : {"rmsnorm_backward", "layernorm_backward"})
    EXPECT_EQ(proveEvery(23, alongPlannedRowsBackward(kernel)).proven, 2) << kernel;
}
TEST(EveryTripCount, OthersAlongRows) {
  for (const char *kernel : {"rmsnorm_backward", "layernorm_backward"}) {
    EXPECT_EQ(proveEvery(107, alongRowsBackward(kernel)).proven, 8) << kernel;
    EXPECT_EQ(proveEvery(31, alongLongRowsBackward(kernel)).proven, 3) << kernel;
    EXPECT_EQ(proveEvery(41, alongSharedRowsBackward(kernel)).proven, 4) << kernel;
  }
  EXPECT_EQ(proveEvery(59, normWeightsBackward).proven, 5);
  EXPECT_EQ(proveEvery(7, sumRows).proven, 4);
  EXPECT_EQ(proveEvery(37, rope).proven, 4);
  EXPECT_EQ(proveEvery(5, transposed).proven, 3);
  for (const char *kernel : {"add_rmsnorm", "add_layernorm", "quantise", "argmax"})
    EXPECT_EQ(proveEvery(31, alongLongRows(kernel)).proven, 3) << kernel;
}

// ... and all of them.
void expectMost(const Sweep &sweep) {
  const Outcome outcome = proveEvery(1, sweep, 1, 4);
  EXPECT_EQ(outcome.proven + outcome.tooLarge, int(sweep.size()));
  EXPECT_GT(outcome.proven, outcome.tooLarge);
}
TEST(EveryTripCountSlow, Gemm) {
  expectMost(gemmHopper);
}
TEST(EveryTripCountSlow, GemmInClusters) {
  expectMost(gemmClusters);
}
TEST(EveryTripCountSlow, GemmPersistent) { // seconds each
  const Outcome outcome = proveEvery(79, gemmPersistent, 1, 20);
  EXPECT_GT(outcome.proven, outcome.tooLarge);
}
TEST(EveryTripCountSlow, GemmStaged) {
  expectMost(gemmStaged);
}
TEST(EveryTripCountSlow, GemmTypes) {
  expectMost(gemmTypes);
}
TEST(EveryTripCountSlow, GemmNarrow) {
  expectMost(gemmNarrow);
}
TEST(EveryTripCountSlow, GemmSwapped) {
  expectMost(gemmSwapped);
}
TEST(EveryTripCountSlow, OtherProducts) {
  expectMost(weights8);
  expectMost(twoInputs);
  expectMost(conv2d);
  expectMost(gathered);
}
TEST(EveryTripCountSlow, AlongRows) {
  expectMost(alongRows("silu_mul"));
  expectMost(alongRows("rmsnorm"));
  for (const char *kernel : moreAlongRows)
    expectMost(alongRows(kernel));
  for (const char *kernel : folding)
    expectMost(alongLongRows(kernel));
  for (const char *kernel : {"rmsnorm", "layernorm", "softmax", "softmax_backward"})
    expectMost(alongSharedRows(kernel));
  for (const char *kernel : clustered)
    expectMost(alongClusteredRows(kernel));
  expectMost(labelled);
}
TEST(EveryTripCountSlow, PlannedRows) {
  for (const char *kernel : moreAlongRows)
    expectMost(alongPlannedRows(kernel));
  for (const char *kernel : {"rmsnorm_backward", "layernorm_backward"})
    expectMost(alongPlannedRowsBackward(kernel));
}
TEST(EveryTripCountSlow, OthersAlongRows) {
  for (const char *kernel : {"rmsnorm_backward", "layernorm_backward"}) {
    expectMost(alongRowsBackward(kernel));
    expectMost(alongLongRowsBackward(kernel));
    expectMost(alongSharedRowsBackward(kernel));
  }
  expectMost(normWeightsBackward);
  expectMost(sumRows);
  expectMost(rope);
  expectMost(transposed);
  for (const char *kernel : {"add_rmsnorm", "add_layernorm", "quantise", "argmax"})
    expectMost(alongLongRows(kernel));
}
TEST(EveryTripCountSlow, GemmOnAscend) {
  expectMost(gemmAscend);
  expectMost(gemmAscendTypes(Target::ascend910b));
  expectMost(gemmAscendTypes(Target::ascend950));
}
TEST(EveryTripCountSlow, QkAndAttentionTile) {
  expectMost(qkHopper);
  expectMost(qkAscend);
  expectMost(attentionTile);
  expectMost(attention);
}

} // namespace
} // namespace sluice

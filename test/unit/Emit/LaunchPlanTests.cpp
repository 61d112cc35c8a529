// What a launch needs, without the program it was printed from.
#include "Emit/Emit.h"
#include "Emit/Kernels.h"
#include "Launch/Manifest.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

Launch launchOf(int64_t m, int64_t n, int64_t k) {
  return {{{{m, k}, {k, 1}}, {{k, n}, {n, 1}}, {{m, n}, {n, 1}}}, {}};
}

LaunchPlan gemmPlan(const GemmOptions &options = {}) {
  auto source = emitCuda(gemm(options));
  EXPECT_TRUE(source) << source.error().message;
  LaunchPlan plan = source->plan;
  plan.extentNames = {{{"M"}, {"K"}}, {{"K"}, {"N"}}, {{"M"}, {"N"}}};
  return plan;
}

std::string shapesError(const LaunchPlan &plan, const Launch &launch) {
  auto wrong = checkShapes(plan, {tensorArguments(plan, launch), launch.arguments});
  return wrong ? wrong->message : "";
}

std::string gridOf(const LaunchPlan &plan, const Launch &launch) {
  std::array<int64_t, 3> grid{};
  auto wrong = launchGrid(plan.grid, plan.kernel, plan.cluster,
                          {tensorArguments(plan, launch), launch.arguments}, grid);
  return wrong ? wrong->message
               : std::to_string(grid[0]) + " " + std::to_string(grid[1]) + " " +
                     std::to_string(grid[2]);
}

TEST(LaunchPlan, GridIsArithmeticOverExtents) {
  EXPECT_EQ(gridOf(gemmPlan(), launchOf(200, 296, 64)), "2 3 1");
  EXPECT_EQ(gridOf(gemmPlan(), launchOf(0, 296, 64)), "0 3 1");
  EXPECT_EQ(gridOf(gemmPlan(), launchOf(64, int64_t{128} * 70000, 64)),
            "kernel gemm: side 1 of the grid is 70000, the limit is 65535");
}

TEST(LaunchPlan, GridIsAMultipleOfTheCluster) {
  LaunchPlan plan = gemmPlan();
  plan.cluster = {2, 1, 1};
  EXPECT_EQ(gridOf(plan, launchOf(200, 296, 64)), "2 3 1");
  EXPECT_EQ(gridOf(plan, launchOf(300, 296, 64)),
            "kernel gemm: side 0 of the grid is 3, no multiple of the cluster's 2");
}

TEST(LaunchPlan, ChecksWhatTheKernelAssumes) {
  const LaunchPlan plan = gemmPlan();
  EXPECT_EQ(shapesError(plan, launchOf(100, 64, 64)), "");
  EXPECT_EQ(shapesError(plan, launchOf(100, 64, 63)), // rows of A are 126 bytes apart
            "kernel gemm, tensor A: the stride of dimension 0 is 63 elements, and the kernel "
            "assumes multiples of 16 bytes");
  Launch transposed = launchOf(64, 64, 64);
  transposed.tensors[1].strides = {1, 64};
  EXPECT_EQ(shapesError(plan, transposed), "kernel gemm, tensor B: dimension 1 must be contiguous");
  EXPECT_EQ(shapesError(plan, launchOf(int64_t{1} << 31, 64, 64)),
            "kernel gemm, tensor A: an extent of 2147483648 does not fit printed code, the limit "
            "is 2^31 - 2^20");
  Launch overlapping = launchOf(64, 64, 64);
  overlapping.tensors[2].strides = {0, 1};
  EXPECT_EQ(shapesError(plan, overlapping),
            "kernel gemm, tensor C: the stride of dimension 0 is 0, and elements of an output must "
            "not overlap");
  overlapping.tensors[2].strides = {56, 1}; // rows of 64
  EXPECT_EQ(shapesError(plan, overlapping),
            "kernel gemm, tensor C: its strides, 56 x 1 elements, may place two elements at one "
            "address, and elements of an output must not overlap: each stride is wider than all "
            "that narrower ones span");
  overlapping.tensors[1].strides = {56, 1}; // nobody writes B
  overlapping.tensors[2].strides = {64, 1};
  EXPECT_EQ(shapesError(plan, overlapping), "");
  Launch two = launchOf(64, 64, 64);
  two.tensors.pop_back();
  EXPECT_EQ(shapesError(plan, two), "kernel gemm takes 3 tensors and 0 arguments, not 2 and 0");
}

TEST(LaunchPlan, EqualNamesAreEqualExtents) {
  Launch launch = launchOf(100, 64, 64);
  launch.tensors[1].extents[0] = 128;
  EXPECT_EQ(shapesError(gemmPlan(), launch),
            "kernel gemm, tensor B: dimension 0 is K = 128, but in tensor A K = 64");
}

TEST(LaunchPlan, ExtentsThatDependOnAName) {
  LaunchPlan plan = gemmPlan();
  plan.extentNames[1][0] = {"K", 1};
  Launch launch = launchOf(100, 64, 64);
  launch.tensors[1].extents[0] = 65;
  EXPECT_EQ(shapesError(plan, launch), "");
  launch.tensors[1].extents[0] = 64;
  EXPECT_EQ(shapesError(plan, launch),
            "kernel gemm, tensor B: dimension 0 is K+1 = 64, but in tensor A K = 64");
}

/// "A and B have the same K", in terms of their extents.
Assumption sameK() {
  return {{{ScalarOp::dim, 0, {}, 1, 0}, {ScalarOp::dim, 1, {}, 0, 1}, {ScalarOp::eq, 2, {0, 1}}},
          "A and B have the same K",
          {"gemm.cpp", 15, 10}};
}

TEST(LaunchPlan, ChecksWhatTheAuthorAssumes) {
  LaunchPlan plan = gemmPlan();
  plan.extentNames.clear();
  plan.assumptions = {sameK()};
  Launch launch = launchOf(100, 64, 64);
  EXPECT_EQ(shapesError(plan, launch), "");
  launch.tensors[1].extents[0] = 128;
  EXPECT_EQ(shapesError(plan, launch),
            "kernel gemm assumes \"A and B have the same K\"; this launch has extent 1 of A = 64, "
            "extent 0 of B = 128");
}

TEST(LaunchPlan, ChecksAddresses) {
  const LaunchPlan plan = gemmPlan();
  const Launch launch = launchOf(100, 64, 64);
  auto error = [&](std::vector<uint64_t> at) {
    auto wrong = checkArguments(plan, {tensorArguments(plan, launch, at), launch.arguments});
    return wrong ? wrong->message : "";
  };
  EXPECT_EQ(error({4096, 8192, 65536}), "");
  EXPECT_EQ(error({4096, 8194, 65536}),
            "kernel gemm, tensor B: its address is no multiple of 16 bytes");
  EXPECT_EQ(error({4096, 8192, 0}), "kernel gemm, tensor C: its address is null");
}

TEST(LaunchPlan, ArgumentsFit32Bits) {
  LaunchPlan plan;
  plan.kernel = "k";
  plan.arguments = {{"n", DType::i32}};
  const int64_t big[] = {int64_t{1} << 31}, good[] = {-1};
  EXPECT_FALSE(checkShapes(plan, {{}, good}));
  auto wrong = checkShapes(plan, {{}, big});
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->message, "kernel k, argument n: 2147483648 does not fit 32 bits");
}

Manifest gemmManifest() {
  LaunchPlan plan = gemmPlan({.cluster = true});
  plan.assumptions = {sameK()};
  return {std::move(plan),
          "gemm.cu",
          "gemm.cubin",
          "00ff",
          {"proven", "all", {"warps-converge: the lanes ..."}}};
}

TEST(Manifest, ReadsBackAsItWasWritten) {
  const std::string text = manifestText(gemmManifest());
  auto read = readManifest(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(manifestText(*read), text);
  EXPECT_EQ(gridOf(read->plan, launchOf(520, 296, 64)),
            gridOf(gemmManifest().plan, launchOf(520, 296, 64)));
  EXPECT_EQ(read->plan.threads, gemmManifest().plan.threads);
  EXPECT_EQ(read->proof.assumptions.size(), 1u);
  ASSERT_EQ(read->plan.assumptions.size(), 1u);
  EXPECT_EQ(read->plan.assumptions[0].loc.str(), "gemm.cpp:15:10");
}

TEST(Manifest, SaysAllThatALauncherNeeds) {
  const std::string text = manifestText(gemmManifest());
  for (const char *part :
       {"{\"kind\": \"tensor_map\", \"name\": \"AMap\", \"of\": \"A\", \"map\": 0}",
        "\"extents\": [\"M\", \"K\"], \"contiguous\": 1, \"align\": 16",
        "\"promotion\": 256, \"promotion_otherwise\": 128, \"fill\": \"zero\", \"stores\": ",
        "[\"ceildiv\", [\"extent\", \"C\", 1], 128]", "\"cluster\": [2, 1, 1]",
        "\"assumptions\": [{\"text\": \"A and B have the same K\", \"at\": \"gemm.cpp:15:10\", "
        "\"holds\": [\"eq\", [\"extent\", \"A\", 1], [\"extent\", \"B\", 0]]}]"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_LT(text.find("\"AMap\""), text.find("\"CStride0\""));
}

std::string readError(std::string text, const std::string &from, const std::string &to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from << " in " << text;
  text.replace(at, from.size(), to);
  auto read = readManifest(text);
  return read ? "" : read.error().message;
}

TEST(Manifest, NamesWhatIsWrong) {
  const std::string text = manifestText(gemmManifest());
  const std::string start = "not a usable launch manifest: ";
  EXPECT_EQ(readError(text, "\"sluice_manifest\": 1", "\"sluice_manifest\": 2"),
            start + "its format is version 2, this library reads 1");
  EXPECT_EQ(readError(text, "\"shared_bytes\"", "\"shared\""),
            start + "member 'shared_bytes' must be a number");
  EXPECT_EQ(readError(text, "\"ceildiv\"", "\"sqrt\""),
            start + "the grid has an unknown operation 'sqrt' of 2 operands");
  EXPECT_EQ(readError(text, "[\"extent\", \"C\", 0]", "[\"extent\", \"C\", 2]"),
            start + "the grid takes an extent that tensor 'C' does not have");
  EXPECT_EQ(readError(text, "[\"eq\",", "[\"equal\","),
            start + "an assumption has an unknown operation 'equal' of 2 operands");
  EXPECT_EQ(readError(text, "\"holds\"", "\"has\""),
            start + "an assumption has a value that is neither a number nor an operation");
  EXPECT_EQ(readError(text, "], \"proof\"", "], \"proven\""),
            start + "member 'proof' must be an object");
  EXPECT_EQ(readError(text, "\"assumptions\": [{", "\"other\": [{"), "");
  EXPECT_EQ(readError(text, "\"of\": \"A\"", "\"of\": 1"), start + "member 'of' must be a text");
  EXPECT_EQ(readError(text, "\"map\": 0", "\"map\": 7"),
            start + "member 'map' is 7, it must be 0 to 1");
  EXPECT_EQ(readError(text, "\"block\": [", "\"block\": [1, "),
            start + "member 'block' must be [1 to 1024, 1, 1]");
  EXPECT_EQ(readError(text, "\"M\", \"K\"", "\"M\", \"K+3000000000\""),
            start + "'K+3000000000' is no name of an extent");
  EXPECT_EQ(readError(text, "\"M\", \"K\"", "\"M\", \"4\""), start + "'4' is no name of an extent");
  EXPECT_NE(readError(text, "{", "["), "");
  EXPECT_EQ(readError("[]", "[]", "[]"), start + "it is no JSON object");
}

TEST(Manifest, EveryTruncationIsRefused) {
  const std::string text = manifestText(gemmManifest());
  for (size_t length = 0; length < text.size(); length += 7)
    EXPECT_FALSE(readManifest(text.substr(0, length))) << length;
}

} // namespace
} // namespace sluice::test

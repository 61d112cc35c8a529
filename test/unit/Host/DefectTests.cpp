// Defects planted in printed texts are found: by other values, or by a rule of the hardware that
// the text breaks on the host.
#include "Host/ValuesRun.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

struct Defect {
  std::string name;
  Config of;
  std::string from, to;  // where `from` stands first
  std::string told = {}; // a part of what is said; empty: values differ
};

void PrintTo(const Defect &d, std::ostream *out) {
  *out << d.name;
}

const Config product{"", "gemm", {{"M", "200"}, {"N", "136"}, {"K", "200"}}};
const Config longProduct{"", "gemm", {{"M", "200"}, {"N", "136"}, {"K", "600"}}};
const Config withBias{
    "", "gemm", {{"M", "100"}, {"N", "72"}, {"K", "64"}, {"epilogue", "bias"}, {"bn", "64"}}};
const Config rows{"", "softmax", {{"rows", "9"}, {"cols", "300"}}};
const Config sharedRows{"", "softmax", {{"rows", "5"}, {"cols", "1000"}, {"parts", "8"}}};
const Config keys{"",
                  "attention",
                  {{"B", "1"}, {"H", "1"}, {"Hkv", "1"}, {"S", "70"}, {"Skv", "200"}, {"d", "64"}}};

const Defect defects[] = {
    {"register_never_loaded", withBias, "    loadColVector(bias, ",
     "    if (false) loadColVector(bias, "},
    {"rows_never_loaded", rows, "    loadBlockedLines<", "    if (false) loadBlockedLines<"},
    {"numbers_of_few_columns_never_loaded", sharedRows, "      loadBlockedColVectorShared<",
     "      if (false) loadBlockedColVectorShared<"},
    {"result_never_set", product, "assign(c, acc);", ""},
    {"column_of_a_lane", withBias, "bias.get(c.colIndex(", "bias.get(1 ^ c.colIndex("},
    {"row_of_a_lane", keys, "most.get(s.rowIndex(i))", "most.get(1 ^ s.rowIndex(i))"},
    {"swizzle_of_a_descriptor", product, "ATile = SharedTile<f16, 128, 64, 1, 128>",
     "ATile = SharedTile<f16, 128, 64, 1, 64>"},
    {"major_of_an_operand", product, "kMajor(a, at.slot)", "mnMajor(a, at.slot)"},
    {"accumulator_never_zero", product, ", k != 0, warp / 4)", ", true, warp / 4)"},
    {"accumulator_always_zero", product, ", k != 0, warp / 4)", ", false, warp / 4)"},
    {"rows_of_a_warpgroup", product, ", k != 0, warp / 4)", ", k != 0, 0)"},
    {"slot", product, "mnMajor(b, at.slot)", "mnMajor(b, 0)"},
    {"place_of_the_result", product, "c_staging[0], 0, 0, c", "c_staging[0], 8, 0, c",
     "of shared memory"},
    {"coordinate", product, "full[at.slot], depth, row)", "full[at.slot], depth, row + 1)"},
    {"bytes", product, "mbarrierArriveExpectTx(full[at.slot], 32768)",
     "mbarrierArriveExpectTx(full[at.slot], 32784)", "which misses 0 of 1 arrivals and 16 bytes"},
    {"every_lane_arrives", longProduct, "if (k > 0 && electLane())\n", "if (k > 0)\n",
     "lanes wait for ever"},
    {"one_lane_less", product, "  warpSync();\n  } else",
     "    if (warp != 1 || laneOfWarp()) warpSync();\n  } else",
     "waits for the other lanes of its warp"},
    {"beside_its_unit", rows, "(x_held, x[at.slot], 0, 0", "(x_held, x[at.slot] + 8, 0, 0",
     "no multiple of 16"},
    {"behind_the_last_row", rows, "Window<bf16>{YGlobal, YExtent0, 300",
     "Window<bf16>{YGlobal, YExtent0 + 1, 300", "bytes outside of every tensor"},
};

class Planted : public testing::TestWithParam<Defect> {};

TEST_P(Planted, IsFound) {
  const Defect &d = GetParam();
  auto made = caseOf(d.of);
  ASSERT_TRUE(made) << made.error().message;
  auto found = compareValues(*made, [&](std::string &text) {
    const size_t at = text.find(d.from);
    ASSERT_NE(at, std::string::npos) << text;
    text.replace(at, d.from.size(), d.to);
  });
  if (d.told.empty()) {
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_FALSE(found->good()) << found->text();
  } else {
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().message.find(d.told), std::string::npos) << found.error().message;
  }
}

INSTANTIATE_TEST_SUITE_P(Defects, Planted, testing::ValuesIn(defects),
                         [](const auto &info) { return info.param.name; });

TEST(Planted, NothingIsFoundWhereNothingIs) {
  for (const Config &c : {product, withBias, rows, sharedRows, keys}) {
    auto made = caseOf(c);
    ASSERT_TRUE(made) << made.error().message;
    auto found = compareValues(*made);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_TRUE(found->good()) << found->text();
  }
}

} // namespace
} // namespace sluice::test

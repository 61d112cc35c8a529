// Text and JSON of verdicts, the barrier table, the table of rules.
#include "Verify/Core.h"
#include "Verify/Ring.h"

#include "Diagnose/BarrierTable.h"
#include "Diagnose/Report.h"
#include "Diagnose/Rules.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace sluice::test {
namespace {

Verdict example() {
  Verdict v;
  v.kind = Verdict::violated;
  v.coverage = {"2 iterations", "all", "this launch"};
  v.tripCounts = "this launch: 2 iterations; the only CTA";
  v.assumptions = {"aligned: \"A\""};
  v.violations = {{"R9",
                   "deadlock",
                   {"k.mlir", 2, 3},
                   "full[0]",
                   {{"mma warp 0 of CTA (0)", "full[0] parity 0", "phase 0", {"k.mlir", 2, 3}},
                    {"mma warp 1 of CTA (0)", "full[0] parity 0", "phase 0", {"k.mlir", 2, 3}}}}};
  v.events = 12;
  return v;
}

TEST(Report, WritesJson) {
  EXPECT_EQ(
      verdictJson(example(), 1.5),
      R"j({"verdict": "violated", "coverage": {"trips": "2 iterations", "ctas": "all", )j"
      R"j("launches": "this launch"}, )j"
      R"j("trip_counts": "this launch: 2 iterations; the only CTA", )j"
      R"j("assumptions": ["aligned: \"A\""], "violations": [{"rule": "R9", )j"
      R"j("message": "deadlock", "location": "k.mlir:2:3", "barrier": "full[0]", )j"
      R"j("blocked": [{"agent": "mma warp 0 of CTA (0)", "waits_on": "full[0] parity 0", )j"
      R"j("state": "phase 0", "location": "k.mlir:2:3"}, {"agent": "mma warp 1 of CTA (0)", )j"
      R"j("waits_on": "full[0] parity 0", "state": "phase 0", "location": "k.mlir:2:3"}], )j"
      R"j("parties": [], "counts": null, "fix": ""}], )j"
      R"j("notes": [], "events": 12, "states": 0, "ms": 1.5})j");
}

TEST(Report, ShowsTheLineOfSource) {
  const auto path = std::filesystem::temp_directory_path() / "sluice-report-test.mlir";
  std::ofstream(path) << "first\n\twait %full\n";
  Verdict v = example();
  v.violations[0].location = {path.string(), 2, 2};
  EXPECT_EQ(verdictText(v), "violated: this launch: 2 iterations; the only CTA\n" + path.string() +
                                ":2:2: R9 (Progress): deadlock\n" +
                                "  2 | \twait %full\n"
                                "    | \t^\n"
                                "  blocked: mma warp 0 of CTA (0) and 1 more on full[0] parity 0 "
                                "(phase 0) at k.mlir:2:3\n"
                                "assuming aligned: \"A\"\n");
  std::filesystem::remove(path);
}

TEST(Report, ShowsBothEventsAndTheBarrier) {
  Verdict v = example();
  v.tripCounts = "refused at A[1,257]";
  Violation &x = v.violations[0];
  x.blocked.clear();
  x.parties = {{"load warp 4 of CTA (0)", "arrive", "signals it", {"k.mlir", 7, 1}},
               {"mma warp 0 of CTA (0)", "wait", "", {"k.mlir", 2, 3}}};
  x.counts = BarrierCounts{0, 1, 2, 4, 64, 128};
  EXPECT_EQ(verdictText(v),
            "violated: refused at A[1,257]\n"
            "k.mlir:2:3: R9 (Progress): deadlock\n"
            "  first:  arrive of load warp 4 of CTA (0) signals it at k.mlir:7:1\n"
            "  second: wait of mma warp 0 of CTA (0) at k.mlir:2:3\n"
            "  barrier: full[0], slot 0, phase 1, arrivals 2 of 4, bytes 64 of 128\n"
            "assuming aligned: \"A\"\n");
  const std::string json = verdictJson(v, 0);
  EXPECT_NE(
      json.find(R"j("counts": {"slot": 0, "phase": 1, "arrivals": 2, "arrivals_expected": 4, )j"
                R"j("bytes": 64, "bytes_expected": 128})j"),
      std::string::npos);
  EXPECT_NE(json.find(R"j("trip_counts": "refused at A[1,257]")j"), std::string::npos);
}

Verdict proven(const Coverage &coverage, const std::string &tripCounts) {
  Verdict v;
  v.coverage = coverage;
  v.tripCounts = tripCounts;
  return v;
}

TEST(Report, SaysWhichLaunchesAreCovered) {
  const Coverage ofOne{"1 iteration", "all", "this launch"};
  const Verdict every = proven(Coverage::everyLaunch(), "all");
  const Verdict one = proven(ofOne, "this launch: 1 iteration; all 3 CTAs");
  EXPECT_EQ(verdictText(every), "proven: every launch\n");
  EXPECT_EQ(verdictText(one), "proven: this launch: 1 iteration; all 3 CTAs\n");
  EXPECT_NE(verdictJson(every, 0).find(R"j("coverage": {"trips": "all", "ctas": "all", )j"
                                       R"j("launches": "all"})j"),
            std::string::npos);
  EXPECT_NE(verdictJson(Verdict(), 0).find(R"j("coverage": {"trips": "none", )j"),
            std::string::npos);
  EXPECT_EQ(worst(every, one).coverage, ofOne);
  EXPECT_EQ(worst(one, every).coverage, ofOne);
}

TEST(Report, WorstVerdictCounts) {
  Verdict good = proven(Coverage::everyLaunch(), "all");
  good.events = 1;
  const Verdict v = worst(good, example());
  EXPECT_EQ(v.kind, Verdict::violated);
  EXPECT_EQ(v.violations.size(), 1u);
  EXPECT_EQ(v.events, 13);
}

TEST(BarrierTable, ListsTheRing) {
  Builder b = ring({.stages = 2});
  b.place();
  EXPECT_EQ(barrierTableText(barrierTable(b.program, b.launch)),
            "name   index  count  bytes  arrives                          waits\n"
            "full       0      1  16384  TMA of load warp 4, load warp 4  mma warps 0-3\n"
            "full       1      1  16384  TMA of load warp 4, load warp 4  mma warps 0-3\n"
            "empty      0      4      0  mma warps 0-3                    load warp 4\n"
            "empty      1      4      0  mma warps 0-3                    load warp 4\n"
            "named      0    160      0  warps 0-4                        warps 0-4\n");
}

TEST(BarrierTable, ListsFlagsAsJson) {
  Builder b = core({.slots = 1});
  EXPECT_EQ(barrierTableJson({barrierTable(b.program, b.launch)[0]}),
            R"j([{"name": "M->FIX", "index": 0, "count": 1, "bytes": 0, )j"
            R"j("arrives": ["pipe M of aic"], "waits": ["pipe FIX of aic"]}])j");
}

/// docs/semantics.md without line breaks inside paragraphs.
std::string semantics() {
  const auto root = std::filesystem::path(__FILE__).parent_path() / "../../..";
  std::ifstream file(root / "docs/semantics.md");
  std::stringstream text;
  text << file.rdbuf();
  std::string flat = text.str();
  std::replace(flat.begin(), flat.end(), '\n', ' ');
  return flat;
}

TEST(Rules, DocumentationSaysTheSame) {
  const std::string text = semantics();
  size_t at = 0;
  for (const Rule &r : rules()) {
    const size_t heading = text.find("### " + r.label + " " + r.title + "  ", at);
    ASSERT_NE(heading, std::string::npos) << r.label;
    for (const std::string &part : {r.statement, "Why: " + r.why, "Source: " + r.source + "."})
      EXPECT_NE(text.find(part, heading), std::string::npos) << r.label << ": " << part;
    at = heading;
  }
  EXPECT_EQ(text.find("### R", at + 4), std::string::npos); // none beyond the last
}

TEST(Rules, AreInTheOrderOfTheirNumbers) {
  for (size_t i = 1; i < rules().size(); ++i)
    EXPECT_LT(std::stoi(rules()[i - 1].label.substr(1)), std::stoi(rules()[i].label.substr(1)));
  EXPECT_EQ(rules()[0].label, "R1");
  EXPECT_EQ(findRule("R22")->title, "No race");
  EXPECT_EQ(findRule("R0"), nullptr);
  EXPECT_EQ(explain(*findRule("R8")),
            "R8 Range of the byte count\n\nThe tx-count of a phase stays within -(2^20 - 1) and "
            "2^20 - 1 bytes, and what is announced at once within 0 and 2^20 - 1.\n\nWhy: It is a "
            "signed field of the 64-bit object, and the operand an unsigned number.\n\nSource: PTX "
            "ISA, range of the contents of the mbarrier object.\n");
}

} // namespace
} // namespace sluice::test

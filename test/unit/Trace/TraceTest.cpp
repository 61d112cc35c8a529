#include "Trace/Trace.h"
#include "Support/FileOutput.h"
#include "Trace/Examples.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <regex>
#include <sstream>
#include <unistd.h>

using namespace sluice;
namespace fs = std::filesystem;

namespace {

const PictureOptions kGemm = {"gemm", "sm_90a (h100)", "M=4096 N=4096 K=4096 f16", 1.755};
const PictureOptions kAscend = {"gemm_v0", "ascend910b (ascend910b2)", "M=1024 N=1024 K=1024", 1.8};

/// Whether a Python one-liner that reads a file of this content succeeds.
bool python(const std::string &code, const std::string &content) {
  const fs::path file =
      fs::temp_directory_path() / ("sluice-trace-" + std::to_string(::getpid()) + ".txt");
  EXPECT_TRUE(writeFile(file.string(), content));
  const std::string command = "python3 -c \"" + code + "\" '" + file.string() + "' >/dev/null 2>&1";
  const bool good = std::system(command.c_str()) == 0;
  fs::remove(file);
  return good;
}
bool isXml(const std::string &text) {
  return python("import sys, xml.dom.minidom as x; x.parse(sys.argv[1])", text);
}
bool isJson(const std::string &text) {
  return python("import sys, json; json.load(open(sys.argv[1], encoding='utf-8'))", text);
}

size_t count(const std::string &text, const std::string &what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1))
    ++n;
  return n;
}

/// Compares with test/unit/Trace/golden/NAME; SLUICE_UPDATE_GOLDEN=1 writes it instead.
void expectGolden(const std::string &name, const std::string &text) {
  const fs::path file = fs::path(__FILE__).parent_path() / "golden" / name;
  if (std::getenv("SLUICE_UPDATE_GOLDEN")) {
    ASSERT_TRUE(writeFile(file.string(), text));
    return;
  }
  std::ifstream in(file, std::ios::binary);
  std::ostringstream expected;
  expected << in.rdbuf();
  EXPECT_TRUE(expected.str() == text)
      << file << " differs; look at the new output, then run with SLUICE_UPDATE_GOLDEN=1";
}

/// Names with everything that markup and JSON must escape, and a byte that is not UTF-8.
Timeline hostile() {
  Timeline t = hopperGemm(4);
  const std::string nasty = "<a href=\"x\">&'\\\n\x01\xff</title>]]>";
  for (TimelineRow &row : t.rows)
    row.name += nasty;
  for (TimelineEvent &e : t.events) {
    e.name += nasty;
    e.loc.file = nasty;
  }
  t.critical = t.rows.back().name;
  t.utilisation = {{nasty, 0.5}, {t.critical, 2.0}};
  t.stalls = {{nasty, nasty, 3, 1}};
  t.notes = {nasty};
  return t;
}

TEST(Svg, Golden) {
  expectGolden("hopper-gemm.svg", drawSvg(hopperGemm(64), kGemm));
  expectGolden("ascend-gemm.svg", drawSvg(ascendGemm(6), kAscend));
}

TEST(Svg, WellFormed) {
  EXPECT_TRUE(isXml(drawSvg(hopperGemm(64), kGemm)));
  EXPECT_TRUE(isXml(drawSvg(ascendGemm(64), kAscend)));
  EXPECT_TRUE(isXml(drawSvg({}, {})));
  const std::string nasty = "</svg><!--&\x02";
  EXPECT_TRUE(isXml(drawSvg(hostile(), {nasty, nasty, nasty})));
  EXPECT_FALSE(isXml("<svg><g></svg>"));
}

TEST(Svg, EveryIterationOfAShortRun) {
  const std::string svg = drawSvg(hopperGemm(6), kGemm);
  EXPECT_EQ(svg.find("not shown"), svg.npos);
  for (int i = 0; i < 6; ++i)
    EXPECT_NE(svg.find("data-iteration=\"" + std::to_string(i) + "\""), svg.npos) << i;
}

TEST(Svg, LongRunIsCutAndStaysSmall) {
  const std::string svg = drawSvg(hopperGemm(100000), kGemm);
  EXPECT_EQ(count(svg, "cycles not shown"), 2u);
  EXPECT_LT(svg.size(), 100000u);
  for (const char *seen : {"start: iterations 0", "steady state: iterations", "end: iteration",
                           "data-iteration=\"0\"", "data-iteration=\"99999\""})
    EXPECT_NE(svg.find(seen), svg.npos) << seen;
}

TEST(Svg, EverythingStaysBounded) {
  PictureOptions options = kGemm;
  options.everything = true;
  const std::string svg = drawSvg(hopperGemm(100000), options);
  EXPECT_EQ(svg.find("not shown"), svg.npos);
  EXPECT_LT(svg.size(), 3000000u);
}

TEST(Svg, OverlappingEventsLieInLanes) {
  Timeline t;
  t.rows = {{TimelineRow::engine, "TMA"}};
  t.events = {{TimelineEvent::work, 0, 0, 100, "load a", 0, -1, {}},
              {TimelineEvent::work, 0, 50, 150, "load b", 0, -1, {}},
              {TimelineEvent::work, 0, 100, 200, "load c", 0, -1, {}}};
  const std::string svg = drawSvg(t, {});
  const std::regex bar(
      "<rect x=\"[0-9.]+\" y=\"([0-9.]+)\"[^>]*stroke=\"#2f7fb0\" stroke-width=\"0.8\"");
  std::vector<std::string> tops;
  for (std::sregex_iterator i(svg.begin(), svg.end(), bar), end; i != end; ++i)
    tops.push_back((*i)[1]);
  ASSERT_EQ(tops.size(), 3u); // lane by lane: a and c, then b
  EXPECT_EQ(tops[0], tops[1]);
  EXPECT_NE(tops[0], tops[2]);
}

TEST(Svg, EventsThatCannotBeDrawnAreLeftOut) {
  Timeline t = hopperGemm(4);
  const std::string good = drawSvg(t, kGemm);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  t.events.push_back({TimelineEvent::work, 99, 0, 10, "no such row", 0, 0, {}});
  t.events.push_back({TimelineEvent::work, -1, 0, 10, "no such row", 0, 0, {}});
  t.events.push_back({TimelineEvent::work, 0, nan, 10, "no time", 0, 0, {}});
  t.events.push_back({TimelineEvent::work, 0, 10, 5, "backwards", 0, 0, {}});
  EXPECT_EQ(drawSvg(t, kGemm), good);
}

TEST(Html, SelfContained) {
  const std::string html = drawHtml(hopperGemm(64), kGemm);
  EXPECT_EQ(count(html, "<svg"), 1u);
  EXPECT_EQ(html.find("src="), html.npos);
  EXPECT_EQ(html.find("<link"), html.npos);
  EXPECT_EQ(html.find("@import"), html.npos);
  EXPECT_NE(html.find("<td>initiation interval</td><td class=\"number\">268 (0.153 us)</td>"),
            html.npos);
  EXPECT_NE(html.find("slot 2&#10;iteration 2&#10;gemm.mlir:34:7</title>"), html.npos);
}

TEST(Html, EscapesNames) {
  const std::string html = drawHtml(hostile(), {"<script>alert(1)</script>", "", ""});
  EXPECT_EQ(count(html, "<script>"), 1u);
  EXPECT_EQ(html.find("<a href"), html.npos);
}

TEST(ChromeTrace, EventsAndNames) {
  Timeline t;
  t.rows = {{TimelineRow::role, "load"}, {TimelineRow::engine, "TMA"}};
  t.events = {{TimelineEvent::wait, 0, 10, 30, "wait empty[1]", 1, 4, {"k.mlir", 7, 3}},
              {TimelineEvent::work, 1, 30, 50, "load a", -1, -1, {}}};
  EXPECT_EQ(
      chromeTrace(t, {"k", "", "", 2.0}),
      R"({"displayTimeUnit": "ns", "otherData": {"run": "k", "clock_ghz": 2, )"
      R"("time_unit": "microseconds"}, "traceEvents": [)"
      R"({"name": "process_name", "ph": "M", "pid": 1, "tid": 0, "args": {"name": "roles"}}, )"
      R"({"name": "process_name", "ph": "M", "pid": 2, "tid": 0, "args": {"name": "engines"}}, )"
      R"({"name": "thread_name", "ph": "M", "pid": 1, "tid": 1, "args": {"name": "load"}}, )"
      R"({"name": "thread_sort_index", "ph": "M", "pid": 1, "tid": 1, "args": {"sort_index": 1}}, )"
      R"({"name": "wait empty[1]", "cat": "wait", "ph": "X", "pid": 1, "tid": 1, "ts": 0.005, )"
      R"("dur": 0.01, "args": {"begin_cycle": 10, "end_cycle": 30, "slot": 1, "iteration": 4, )"
      R"("location": "k.mlir:7:3"}}, )"
      R"({"name": "thread_name", "ph": "M", "pid": 2, "tid": 2, "args": {"name": "TMA"}}, )"
      R"({"name": "thread_sort_index", "ph": "M", "pid": 2, "tid": 2, "args": {"sort_index": 2}}, )"
      R"({"name": "load a", "cat": "load", "ph": "X", "pid": 2, "tid": 2, "ts": 0.015, )"
      R"("dur": 0.01, "args": {"begin_cycle": 30, "end_cycle": 50}}]})"
      "\n");
}

TEST(ChromeTrace, WithoutAClockCyclesStandForMicroseconds) {
  const std::string json = chromeTrace(hopperGemm(4), {"gemm", "", ""});
  EXPECT_NE(json.find("\"time_unit\": \"cycles, shown as microseconds\""), json.npos);
  EXPECT_TRUE(isJson(json));
  EXPECT_TRUE(isJson(chromeTrace(hostile(), kGemm)));
  EXPECT_TRUE(isJson(chromeTrace({}, {})));
}

TEST(SummaryJson, Contract) {
  Timeline t;
  t.cycles = 1000;
  t.iterations = 4;
  t.initiationInterval = 200.5;
  t.serialInterval = 600;
  t.critical = "tensor core";
  t.criticalBusy = 190;
  t.leadIn = 55;
  t.utilisation = {{"TMA", 0.25}, {"tensor core", 0.75}};
  t.stalls = {{"load", "empty", 120, 3}};
  t.notes = {"ring a: slots 3"};
  EXPECT_EQ(summaryJson(t),
            R"({"cycles": 1000, "iterations": 4, "initiation_interval": 200.5, )"
            R"("critical": "tensor core", "utilisation": {"TMA": 0.25, "tensor core": 0.75}, )"
            R"("stalls": [{"row": "load", "barrier": "empty", "cycles": 120, "count": 3}], )"
            R"("serial_interval": 600, "critical_busy": 190, "lead_in": 55, )"
            R"("notes": ["ring a: slots 3"]})");
  EXPECT_TRUE(isJson(summaryJson(hostile())));
  EXPECT_TRUE(isJson(summaryJson({})));
}

TEST(SummaryText, Golden) {
  expectGolden("hopper-gemm.txt", summaryText(hopperGemm(64), kGemm));
  expectGolden("ascend-gemm.txt", summaryText(ascendGemm(64), kAscend));
}

TEST(SummaryText, NoLineOver100Columns) {
  Timeline t = hopperGemm(1000);
  t.rows[0].name = std::string(300, 'r');
  std::istringstream lines(summaryText(t, {}));
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 100u) << line;
}

} // namespace

// Pictures of failing schedules: rows of like agents, phases of barriers, the marks.
#include "Trace/ScheduleScene.h"
#include "Trace/Trace.h"

#include <gtest/gtest.h>

#include <string>

using namespace sluice;
using namespace sluice::trace;

namespace {

ScheduleStep step(int warp, const std::string &operation, int column) {
  ScheduleStep s;
  s.id.warp = warp;
  s.agent = (warp == 4 ? "load warp " : "mma warp ") + std::to_string(warp) + " of CTA (0)";
  s.operation = operation;
  s.column = column;
  return s;
}

/// Warp 4 loads and waits for nobody; warps 0-3 wait; warp 0 reads.
Schedule example() {
  Schedule s;
  s.kernel = "gemm <1>";
  s.rule = "R22";
  s.title = "No race";
  s.launch = "A[64,64]";
  s.message = "nothing orders the two";
  s.missing = "nothing makes it end first";
  ScheduleStep load = step(4, "TMA load a", 0);
  load.barrier = "full";
  load.before = "phase 0, arrivals 1 of 1, bytes 0 of 64";
  load.after = "phase 1, arrivals 0 of 1, bytes 0 of 0";
  s.steps.push_back(load);
  for (int warp = 0; warp < 4; ++warp) {
    ScheduleStep wait = step(warp, "wait full parity 0", 1);
    wait.barrier = "full";
    wait.before = wait.after = load.after;
    wait.follows = 0;
    s.steps.push_back(wait);
  }
  ScheduleStep read = step(0, "wgmma a b", 2), refill = step(4, "TMA load a", 3);
  read.mark = ScheduleStep::first;
  read.state = ScheduleStep::late;
  refill.mark = ScheduleStep::second;
  s.steps.push_back(read);
  s.steps.push_back(refill);
  return s;
}

TEST(ScheduleScene, FoldsAgentsThatDoTheSame) {
  const Schedule s = example();
  const ScheduleScene scene = makeScene(s);
  ASSERT_EQ(scene.rows.size(), 3u);
  EXPECT_EQ(scene.rows[0].name, "mma warp 0"); // the marked one stays alone
  EXPECT_EQ(scene.rows[1].name, "mma warps 1-3");
  EXPECT_EQ(scene.rows[2].name, "load warp 4");
  EXPECT_EQ(scene.rowOf[3], 1);
  EXPECT_EQ(scene.hidden, 0);
}

TEST(ScheduleScene, NamesTheCtaWhereThereAreTwo) {
  Schedule s = example();
  s.steps[0].id.cta = s.steps[6].id.cta = {1, 0, 0};
  s.steps[0].agent = s.steps[6].agent = "load warp 4 of CTA (1)";
  const ScheduleScene scene = makeScene(s);
  EXPECT_EQ(scene.rows[0].name, "mma warp 0 of CTA (0)");
  EXPECT_EQ(scene.rows[2].name, "load warp 4 of CTA (1)");
}

TEST(ScheduleScene, ShowsThePhasesOfBarriers) {
  const Schedule s = example();
  const ScheduleScene scene = makeScene(s);
  ASSERT_EQ(scene.phases.size(), 1u);
  EXPECT_EQ(scene.phases[0].barrier, "full");
  ASSERT_EQ(scene.phases[0].spans.size(), 1u);
  EXPECT_EQ(scene.phases[0].spans[0].phase, 1);
}

TEST(ScheduleScene, CutsTheBeginningOfALongOne) {
  Schedule s = example();
  for (ScheduleStep &x : s.steps)
    x.column += 100;
  s.steps.insert(s.steps.begin(), step(4, "mbarrier init full", 0));
  const ScheduleScene scene = makeScene(s, 10);
  EXPECT_EQ(scene.begin, 94);
  EXPECT_EQ(scene.end, 104);
  EXPECT_EQ(scene.hidden, 1);
}

TEST(SchedulePicture, MarksTheTwoEventsAndTheMissingOrder) {
  const std::string svg = drawSvg(example());
  EXPECT_NE(svg.find("gemm &lt;1&gt;: R22 (No race)"), std::string::npos);
  EXPECT_NE(svg.find(">R22: first<"), std::string::npos);
  EXPECT_NE(svg.find(">R22: second<"), std::string::npos);
  EXPECT_NE(svg.find(">nothing makes it end first<"), std::string::npos);
  EXPECT_NE(svg.find("url(#sluice-missing)"), std::string::npos);
  EXPECT_NE(svg.find(">phase 1<"), std::string::npos);
}

TEST(SchedulePicture, DrawsNoMissingOrderWhereThereIsNone) {
  Schedule s = example();
  s.missing.clear();
  EXPECT_EQ(drawSvg(s).find("marker-end=\"url(#sluice-missing)\""), std::string::npos);
}

TEST(SchedulePicture, HasAPageWithAllSteps) {
  const std::string page = drawHtml(example());
  EXPECT_NE(page.find("<td>load warp 4 of CTA (0)</td><td>TMA load a</td>"), std::string::npos);
  EXPECT_NE(page.find("<td>ends later</td>"), std::string::npos);
  EXPECT_EQ(page.substr(page.size() - 8), "</html>\n");
}

TEST(SchedulePicture, StandsAnEmptySchedule) {
  EXPECT_NE(drawSvg(Schedule{}).find("</svg>"), std::string::npos);
}

} // namespace

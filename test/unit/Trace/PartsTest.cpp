#include "Trace/Examples.h"
#include "Trace/Format.h"
#include "Trace/TextTimeline.h"
#include "Trace/Windows.h"

#include <gtest/gtest.h>
#include <limits>

using namespace sluice;
using namespace sluice::trace;

namespace {

TEST(Format, Numbers) {
  EXPECT_EQ(decimal(2.50, 2), "2.5");
  EXPECT_EQ(decimal(-0.001, 2), "0");
  EXPECT_EQ(fixed(2.5, 2), "2.50");
  EXPECT_EQ(cyclesText(18432), "18,432");
  EXPECT_EQ(cyclesText(-1234567.4), "-1,234,567");
  EXPECT_EQ(cyclesText(999), "999");
  EXPECT_EQ(cyclesText(12.54), "12.5");
  EXPECT_EQ(cyclesText(std::numeric_limits<double>::infinity()), "-");
  EXPECT_EQ(cyclesText(1e300).substr(0, 4), "1,00");
  EXPECT_EQ(timeText(1755, 1.755), "1 us");
  EXPECT_EQ(timeText(4e6, 2), "2 ms");
  EXPECT_EQ(percentText(0.934), "93 %");
  EXPECT_EQ(percentText(0.0194), "1.9 %");
}

TEST(Format, Texts) {
  EXPECT_EQ(xmlEscaped("<a b=\"c\">&\x01\xff"),
            "&lt;a b=&quot;c&quot;&gt;&amp;\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(oneLine("a\nb\tc"), "a b c");
  EXPECT_EQ(length("\xC3\xA9t\xC3\xA9"), 3u);
  EXPECT_EQ(shortened("abcdef", 4), "abc\xE2\x80\xA6");
  EXPECT_EQ(shortened("abcd", 4), "abcd");
  EXPECT_EQ(padded("\xC3\xA9", 3), "\xC3\xA9  ");
}

TEST(TimeScale, WindowsShareOneScale) {
  const TimeScale scale({{0, 100, 0, ""}, {900, 1000, 0, ""}}, 10, 210, 10);
  EXPECT_DOUBLE_EQ(scale.perCycle(), 1);
  EXPECT_DOUBLE_EQ(scale.windows()[1].x, 120);
  const auto spans = scale.spans(50, 950); // through the cut
  ASSERT_EQ(spans.size(), 2u);
  EXPECT_DOUBLE_EQ(spans[0].from, 60);
  EXPECT_DOUBLE_EQ(spans[0].to, 110);
  EXPECT_DOUBLE_EQ(spans[1].to, 170);
  EXPECT_FALSE(scale.visible(100, 900));
  EXPECT_TRUE(scale.visible(950, 950));
}

TEST(TimeScale, NiceStep) {
  EXPECT_DOUBLE_EQ(niceStep(0.9), 1);
  EXPECT_DOUBLE_EQ(niceStep(1), 1);
  EXPECT_DOUBLE_EQ(niceStep(21), 50);
  EXPECT_DOUBLE_EQ(niceStep(501), 1000);
}

TEST(Scene, KindOfWork) {
  auto kind = [](const char *event, const char *row) {
    return workKind({TimelineEvent::work, 0, 0, 1, event, -1, -1, {}}, {TimelineRow::engine, row});
  };
  EXPECT_EQ(kind("load a", "TMA"), WorkKind::load);
  EXPECT_EQ(kind("a", "TMA"), WorkKind::load);
  EXPECT_EQ(kind("store c", "TMA"), WorkKind::store);
  EXPECT_EQ(kind("wgmma", "mma wg0"), WorkKind::mma);
  EXPECT_EQ(kind("load a0", "MTE1"), WorkKind::move); // a pipe outranks the name
  EXPECT_EQ(kind("copy", "aic FIX"), WorkKind::store);
  EXPECT_EQ(kind("exp2", "softmax"), WorkKind::vector);
  EXPECT_EQ(kind("?", "?"), WorkKind::other);
}

TEST(Scene, MarksComeFromTheCriticalEngine) {
  const Timeline t = hopperGemm(10);
  const Scene scene = makeScene(t);
  ASSERT_EQ(scene.marks.size(), 10u);
  EXPECT_DOUBLE_EQ(scene.interval, 268);
  EXPECT_DOUBLE_EQ(scene.marks[0].begin, 676); // first mma, not first load
  EXPECT_EQ(scene.rows[0].row->name, "load");
}

TEST(Scene, RowsFollowTheFlowOfData) {
  Timeline t;
  for (const char *role : {"all warps", "mma wg0", "mma wg1", "load"})
    t.rows.push_back({TimelineRow::role, role});
  for (const char *engine : {"aiv0 V", "FIX", "M", "aiv0 MTE2", "MTE2", "MTE1"})
    t.rows.push_back({TimelineRow::engine, engine});
  std::string order;
  const Scene scene = makeScene(t);
  for (const SceneRow &row : scene.rows)
    order += row.row->name + ", ";
  EXPECT_EQ(order, "load, mma wg0, mma wg1, all warps, MTE2, MTE1, M, FIX, aiv0 MTE2, aiv0 V, ");
}

TEST(Windows, ShowStartSteadyAndEnd) {
  const Timeline t = ascendGemm(64);
  const Scene scene = makeScene(t);
  const auto windows = chooseWindows(scene, {1000, 20, 60});
  ASSERT_EQ(windows.size(), 3u);
  EXPECT_DOUBLE_EQ(windows.front().begin, scene.begin);
  EXPECT_DOUBLE_EQ(windows.back().end, scene.end);
  for (size_t i = 1; i < 3; ++i)
    EXPECT_GT(windows[i].begin, windows[i - 1].end);
  EXPECT_EQ(chooseWindows(scene, {1000, 20, 60, true}).size(), 1u);
  EXPECT_EQ(chooseWindows(scene, {100000, 20, 60}).size(), 1u);
}

TEST(Windows, SteadyPartAvoidsAnIrregularIteration) {
  Timeline t;
  t.rows = {{TimelineRow::engine, "tensor core"}};
  double at = 0;
  for (int64_t i = 0; i < 100; ++i) {
    at += i == 50 ? 900 : 0; // a new tile of the output begins in the middle
    t.events.push_back({TimelineEvent::work, 0, at, at + 100, "mma", i % 2, i, {}});
    at += 100;
  }
  const auto windows = chooseWindows(makeScene(t), {800, 20, 60});
  ASSERT_EQ(windows.size(), 3u);
  EXPECT_LT(windows[1].end - windows[1].begin, 900);
}

TEST(TextTimeline, SlotsWaitsAndIdleTime) {
  Timeline t;
  t.rows = {{TimelineRow::role, "load"}, {TimelineRow::engine, "TMA"}};
  t.events = {{TimelineEvent::work, 1, 0, 100, "load", 0, -1, {}},
              {TimelineEvent::work, 1, 100, 200, "load", 11, -1, {}},
              {TimelineEvent::wait, 0, 100, 300, "wait", -1, -1, {}},
              {TimelineEvent::work, 0, 300, 400, "end", -1, -1, {}}};
  EXPECT_EQ(textTimeline(t, 33), "cycle      0                400\n"
                                 "load      |     ..........#####|\n"
                                 "TMA       |00000bbbbb          |\n"
                                 "one column: 20 cycles; 0-9 a-z: slot at work, #: other work, .: "
                                 "waiting\n");
  EXPECT_EQ(textTimeline({}, 33), "");
}

} // namespace

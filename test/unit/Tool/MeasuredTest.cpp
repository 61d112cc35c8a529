// Stamps of a device as a timeline: names, slots and iterations from the program, times from them.
#include "sluice/Measured.h"

#include "Arch/Arch.h"
#include "Program/Agent.h"
#include "Program/TensorShape.h"
#include "Simulate/Simulate.h"
#include "Trace/Trace.h"
#include "kernels/Catalog.h"
#include "sluice/Compile.h"

#include <gtest/gtest.h>
#include <set>

namespace sluice::tool {
namespace {

constexpr size_t kEach = 1 + kStampsKept;

/// A gemm of two steps of K in one CTA.
struct Gemm {
  Program program;
  Launch launch;

  Gemm() {
    const KernelEntry &entry = *findKernel("gemm");
    const auto parameters =
        resolve(entry, {{"M", "128"}, {"N", "128"}, {"K", "128"}, {"stages", "2"}});
    auto kernel = entry.build(*parameters, defaultArch(Target::sm_90a));
    program = *compile(*kernel, {});
    for (const auto &extents : {std::vector<int64_t>{128, 128}, {128, 128}, {128, 128}})
      launch.tensors.push_back(shapeOf(HostTensor::dense(DType::f16, extents, 1)));
  }

  /// As a device would write them: every event of a warp begins 100 clocks after the one before and
  /// takes 60; clocks start at `start`.
  std::vector<Stamp> stamps(uint64_t start) const {
    std::vector<Stamp> all(kEach * program.warps);
    std::map<const Stmt *, uint32_t> numbers;
    for (const Stmt *s : stampedStatements(program))
      numbers.emplace(s, uint32_t(numbers.size()) + 1);
    for (int w = 0; w < program.warps; ++w) {
      Stamp *of = &all[kEach * w];
      Agent agent(program, launch, {{0, 0, 0}, w, "", Pipe::none});
      uint32_t n = 0;
      for (; const Stmt *s = agent.current(); agent.advance())
        if (numbers.count(s)) {
          ++n;
          of[n] = {start + 100 * n, 60, numbers.at(s)};
        }
      of[0] = {start, 100 * n + 100, n};
    }
    return all;
  }
};

Timeline measured(const Gemm &gemm, const std::vector<Stamp> &stamps) {
  auto timeline = measuredTimeline(gemm.program, gemm.launch, {0, 0, 0}, stamps);
  EXPECT_TRUE(timeline) << timeline.error().message;
  return timeline ? *timeline : Timeline{};
}

std::string text(const Timeline &t, const std::string &row) {
  std::string lines;
  for (const TimelineEvent &e : t.events)
    if (t.rows[e.row].name == row)
      lines += e.name + " " + std::to_string(int(e.begin)) + ".." + std::to_string(int(e.end)) +
               (e.slot < 0 ? "" : " slot " + std::to_string(e.slot)) +
               (e.iteration < 0 ? "" : " of " + std::to_string(e.iteration)) + "\n";
  return lines;
}

TEST(Measured, StepsOfALoadWarp) {
  const Gemm gemm;
  const Timeline t = measured(gemm, gemm.stamps(1'000'000));
  EXPECT_EQ(text(t, "load"), "wait empty[0] 200..260 slot 0 of 0\n"
                             "issue load a 300..360 slot 0 of 0\n"
                             "issue load b 400..460 slot 0 of 0\n"
                             "wait empty[1] 500..560 slot 1 of 1\n"
                             "issue load a 600..660 slot 1 of 1\n"
                             "issue load b 700..760 slot 1 of 1\n");
}

TEST(Measured, EnginesEndWhereAWarpSeesIt) {
  const Gemm gemm;
  const Timeline t = measured(gemm, gemm.stamps(1'000'000));
  // The first loads end at 260, where wait full[0] does: before b's issue, which is left out then.
  EXPECT_EQ(text(t, "TMA load"), "");
  // Products: issued at 300 and 600; wait_group 1 ends at 460 and 760, wait_group 0 at 860.
  EXPECT_EQ(text(t, "tensor core"), "wgmma -> acc 300..760 slot 0 of 0\n"
                                    "wgmma -> acc 300..760 slot 0 of 0\n"
                                    "wgmma -> acc 760..860 slot 1 of 1\n"
                                    "wgmma -> acc 760..860 slot 1 of 1\n");
}

TEST(Measured, LoadsEndWithTheFirstWaitForTheirPhase) {
  const Gemm gemm;
  std::vector<Stamp> stamps = gemm.stamps(5);
  for (int w = 0; w < 8; ++w) { // later, and warp 3 sees it first
    stamps[kEach * w].begin += w == 3 ? 1000 : 2000;
    for (size_t n = 1; n <= stamps[kEach * w].event; ++n)
      stamps[kEach * w + n].begin += w == 3 ? 1000 : 2000;
  }
  EXPECT_EQ(text(measured(gemm, stamps), "TMA load"), "load a 300..1260 slot 0 of 0\n"
                                                      "load b 400..1260 slot 0 of 0\n"
                                                      "load a 600..1560 slot 1 of 1\n"
                                                      "load b 700..1560 slot 1 of 1\n");
}

TEST(Measured, RowsAreThoseOfTheSimulation) {
  const Gemm gemm;
  SimulateOptions how;
  how.values = false;
  how.timeline = true;
  how.onlyCta = 0;
  auto simulated = simulateTime(gemm.program, defaultArch(Target::sm_90a), gemm.launch, how);
  ASSERT_TRUE(simulated);
  std::vector<Stamp> stamps = gemm.stamps(0);
  for (int w = 0; w < 8; ++w)
    for (size_t n = 0; n <= stamps[kEach * w].event; ++n)
      stamps[kEach * w + n].begin += 1000;
  const Timeline t = measured(gemm, stamps);
  auto works = [](const Timeline &timeline) {
    std::set<std::string> names;
    for (const TimelineEvent &e : timeline.events)
      if (e.kind == TimelineEvent::work)
        names.insert(timeline.rows[e.row].name + ": " + e.name);
    return names;
  };
  EXPECT_EQ(works(t), works(simulated->timeline));
  EXPECT_EQ(t.iterations, 2);
}

TEST(Measured, RefusesStampsOfAnotherProgram) {
  const Gemm gemm;
  std::vector<Stamp> stamps = gemm.stamps(0);
  stamps[kEach * 8 + 2].event = 3;
  auto wrong = measuredTimeline(gemm.program, gemm.launch, {0, 0, 0}, stamps);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "the stamps of warp 8 do not belong to kernel gemm: stamp 2 is "
                                   "of event 3, load warp 8 is at 12");
  stamps = gemm.stamps(0);
  --stamps[kEach * 8].event;
  wrong = measuredTimeline(gemm.program, gemm.launch, {0, 0, 0}, stamps);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message,
            "the stamps of warp 8 do not belong to kernel gemm: 6 events, not 7");
  stamps.assign(stamps.size(), {});
  wrong = measuredTimeline(gemm.program, gemm.launch, {0, 0, 0}, stamps);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "kernel gemm left no stamps of warp 0");
}

TEST(Measured, TellsWhatWasNotKept) {
  const Gemm gemm;
  std::vector<Stamp> stamps = gemm.stamps(0), few;
  for (int w = 0; w < gemm.program.warps; ++w) // room for four events
    few.insert(few.end(), stamps.begin() + kEach * w, stamps.begin() + kEach * w + 5);
  const Timeline t = measured(gemm, few);
  EXPECT_EQ(text(t, "load"), "wait empty[0] 200..260 slot 0 of 0\n"
                             "issue load a 300..360 slot 0 of 0\n"
                             "issue load b 400..460 slot 0 of 0\n");
  ASSERT_EQ(t.notes.size(), 2u);
  EXPECT_EQ(t.notes[1], "63 events of all warps came after the first 4 of their warp and are not "
                        "shown");
}

TEST(Measured, CtaOfANumber) {
  const Gemm gemm;
  Launch launch = gemm.launch;
  launch.tensors = {shapeOf(HostTensor::dense(DType::f16, {384, 128}, 1)),
                    shapeOf(HostTensor::dense(DType::f16, {128, 256}, 1)),
                    shapeOf(HostTensor::dense(DType::f16, {384, 256}, 1))};
  EXPECT_EQ(*ctaAt(gemm.program, launch, 4), (std::array<int64_t, 3>{1, 1, 0}));
  EXPECT_EQ(ctaAt(gemm.program, launch, 6).error().message,
            "--cta 6: the launch has 6 CTAs, counted from 0 with x fastest");
}

TEST(Measured, PictureWithBoth) {
  const Gemm gemm;
  const Timeline t = measured(gemm, gemm.stamps(0));
  const std::vector<Shown> both = {{"simulated on h100", &t}, {"measured on a GPU", &t}};
  const std::string svg = svgOf(both, {"gemm", "", "", 0});
  const std::string one = drawSvg(t, {"gemm", "", "", 0});
  auto count = [](const std::string &in, const std::string &what) {
    size_t n = 0;
    for (size_t at = in.find(what); at != in.npos; at = in.find(what, at + 1))
      ++n;
    return n;
  };
  EXPECT_EQ(count(svg, "<g class=\"wait\""), 2 * count(one, "<g class=\"wait\""));
  EXPECT_EQ(count(svg, "<g class=\"work\""), 2 * count(one, "<g class=\"work\""));
  EXPECT_GT(count(one, "<g class=\"work\""), 5u);
  EXPECT_LT(svg.find("simulated on h100"), svg.find("measured on a GPU"));
  const std::string json = chromeTraceOf(both, {});
  for (const char *process : {"simulated on h100: roles", "measured on a GPU: engines"})
    EXPECT_EQ(count(json, process), 1u) << process;
  EXPECT_NE(summaryText(both[0], both[1], {}).find("cycles"), std::string::npos);
}

} // namespace
} // namespace sluice::tool

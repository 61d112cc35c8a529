// Failing schedules: which steps they have, in which order, and what is missing in them.
#include "Verify/Core.h"
#include "Verify/Ring.h"

#include "Diagnose/Counterexample.h"
#include "Support/JsonReader.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sluice::test {
namespace {

Schedule scheduleOf(Builder b) {
  const Verdict verdict = b.check();
  auto schedule = failingSchedule(b.program, defaultArch(b.program.target), b.launch, verdict);
  if (!schedule)
    ADD_FAILURE() << schedule.error().message;
  return schedule ? *schedule : Schedule{};
}

/// "warp 1: arrive bar", with what is special about it.
std::string text(const ScheduleStep &s) {
  static const char *const states[] = {"", " late", " blocked"};
  static const char *const marks[] = {"", " <first>", " <second>"};
  return s.agent.substr(0, s.agent.find(" of CTA")) + ": " + s.operation + states[s.state] +
         marks[s.mark];
}

/// The steps after the set-up.
std::vector<std::string> steps(const Schedule &schedule) {
  std::vector<std::string> texts;
  for (const ScheduleStep &s : schedule.steps)
    if (!s.operation.starts_with("mbarrier init") && s.operation != "fence" &&
        !s.operation.starts_with("bar.sync"))
      texts.push_back(text(s));
  return texts;
}

const ScheduleStep *marked(const Schedule &schedule, ScheduleStep::Mark mark) {
  const auto at = std::find_if(schedule.steps.begin(), schedule.steps.end(),
                               [&](const ScheduleStep &s) { return s.mark == mark; });
  return at == schedule.steps.end() ? nullptr : &*at;
}

using Texts = std::vector<std::string>;

TEST(Schedule, OfAnEarlyContributionLeavesTheOtherInFlight) {
  const Schedule s = scheduleOf(ring({.stages = 1, .trips = 2, .waitEmpty = false}));
  EXPECT_EQ(s.rule, "R4");
  EXPECT_EQ(s.missing, "nothing makes it end first");
  EXPECT_EQ(steps(s),
            (Texts{"load warp 4: arrive.expect_tx full", "load warp 4: TMA load a late <first>",
                   "load warp 4: TMA load b", "load warp 4: arrive.expect_tx full <second>"}));
  // In this order the arrival meets a phase that has not completed.
  EXPECT_EQ(s.steps.back().before, "phase 0, arrivals 1 of 1, bytes 8192 of 16384");
}

TEST(Schedule, OfARaceEndsWithTheSecondAccessWhileTheFirstIsUnderWay) {
  const Schedule s = scheduleOf(ring({.stages = 2, .trips = 3, .waitBeforeRelease = false}));
  EXPECT_EQ(s.rule, "R22");
  EXPECT_EQ(text(s.steps.back()), "load warp 4: TMA load a[0] <second>");
  const ScheduleStep *first = marked(s, ScheduleStep::first);
  ASSERT_TRUE(first);
  EXPECT_EQ(text(*first), "mma warp 0: wgmma a[0] b[0] late <first>");
  EXPECT_LE(first->column, s.steps.back().column);
  // The release of the slot by all four warps lets the refill happen.
  const ScheduleStep &acquire = s.steps[s.steps.size() - 3];
  EXPECT_EQ(acquire.operation, "wait empty[0] parity 0");
  ASSERT_GE(acquire.follows, 0);
  EXPECT_EQ(s.steps[acquire.follows].operation, "arrive empty[0]");
}

TEST(Schedule, OfADeadlockIsTheStuckRun) {
  const Schedule s = scheduleOf(ring({.stages = 1, .trips = 1, .producerPhase = 0}));
  EXPECT_EQ(s.rule, "R9");
  EXPECT_EQ(s.missing, "");
  EXPECT_EQ(
      steps(s),
      (Texts{"mma warp 0: fill acc", "mma warp 1: fill acc", "mma warp 2: fill acc",
             "mma warp 3: fill acc", "mma warp 0: wait full parity 0 blocked <first>",
             "mma warp 1: wait full parity 0 blocked", "mma warp 2: wait full parity 0 blocked",
             "mma warp 3: wait full parity 0 blocked",
             "load warp 4: wait empty parity 0 blocked"}));
}

TEST(Schedule, OfAMissedPhaseEndsWithTheWaitThatFindsAnother) {
  const Schedule s = scheduleOf(ring({.emptyCount = 3}));
  EXPECT_EQ(s.rule, "R5");
  EXPECT_EQ(s.missing, "nothing makes it look first");
  EXPECT_EQ(text(s.steps.back()), "mma warp 3: wait full[0] parity 0 <first>");
  EXPECT_EQ(s.steps.back().before.substr(0, 7), "phase 3");
}

TEST(Schedule, OfAWaitThatSkipsAPhasePutsItBeforeThePhase) {
  const Schedule s = scheduleOf(skipsAPhase());
  EXPECT_EQ(s.rule, "R5");
  EXPECT_EQ(text(*marked(s, ScheduleStep::second)), "right warp 1: wait ping parity 0 <second>");
  EXPECT_EQ(marked(s, ScheduleStep::second)->before.substr(0, 7), "phase 1");
  EXPECT_EQ(text(s.steps.back()), "left warp 0: arrive ping <first>");
}

TEST(Schedule, OfOverArrivalHasAllArrivalsOfThePhase) {
  // The bytes keep the phase open while a warp arrives twice.
  Builder b;
  const int full = b.barriers("full", 1);
  b.grid(1);
  b.initAll({{full, 1}}, 2);
  b.role("loader", 0, 1, [&] {
    b.expect(full, zero, 8192);
    b.arrive(full, zero);
  });
  const Schedule s = scheduleOf(std::move(b));
  EXPECT_EQ(s.rule, "R7");
  EXPECT_EQ(steps(s),
            (Texts{"loader warp 0: arrive.expect_tx full", "loader warp 0: arrive full <second>"}));
}

TEST(Schedule, OfBytesAnnouncedTooLateHasTheAnnouncementAtTheEnd) {
  Builder b;
  const int full = b.barriers("full", 1), told = b.barriers("told", 1);
  const int A = b.tensor("A", DType::f16, {64, 64});
  const int a = b.buffer("a", Space::smem, DType::f16, {64, 64}, Layout::sw128);
  b.grid(1);
  b.initAll({{full, 1}, {told, 1}}, 2);
  b.role("teller", 1, 1, [&] {
    b.emit(MbarrierExpectTx{b.at(full), constant(8192)}, Exec::one);
    b.arrive(told, zero);
  });
  b.role("loader", 0, 1, [&] {
    b.load(b.tile(a), b.box(A, {zero, zero}, {64, 64}), full, zero);
    b.arrive(full, zero);
    b.wait(told, zero, zero, Exec::one);
  });
  const Schedule s = scheduleOf(std::move(b));
  EXPECT_EQ(s.rule, "R6");
  EXPECT_EQ(s.missing, "nothing makes it come first");
  EXPECT_EQ(steps(s), (Texts{"loader warp 0: TMA load a", "loader warp 0: arrive full <second>",
                             "teller warp 1: expect_tx full <first>"}));
}

TEST(Schedule, OfAFlagSetTwiceShowsBothSets) {
  const Schedule s = scheduleOf(core({.credit = false}));
  EXPECT_EQ(s.rule, "R32");
  EXPECT_EQ(marked(s, ScheduleStep::first)->operation, "set_flag MTE1->M id 0");
  EXPECT_EQ(marked(s, ScheduleStep::second)->operation, "set_flag MTE1->M id 0");
  EXPECT_EQ(s.steps.back().mark, ScheduleStep::second);
}

TEST(Schedule, LeavesOutWhatTheViolationDoesNotNeed) {
  const Schedule s = scheduleOf(ring({.stages = 4, .waitEmpty = false}));
  EXPECT_EQ(std::count_if(s.steps.begin(), s.steps.end(),
                          [](const ScheduleStep &x) { return x.operation.starts_with("wgmma"); }),
            0);
}

TEST(Schedule, EveryStepComesAfterWhatItFollows) {
  for (const RingOptions &o :
       {RingOptions{.waitEmpty = false}, RingOptions{.waitBeforeRelease = false},
        RingOptions{.emptyCount = 3}, RingOptions{.release = false}, RingOptions{.waitFull = false},
        RingOptions{.fence = false}, RingOptions{.bytes = 16384 + 16}}) {
    const Schedule s = scheduleOf(ring(o));
    for (size_t i = 0; i < s.steps.size(); ++i) {
      EXPECT_LT(s.steps[i].follows, static_cast<int>(i));
      if (s.steps[i].follows >= 0) {
        EXPECT_LT(s.steps[s.steps[i].follows].column, s.steps[i].column);
      }
    }
  }
}

TEST(Schedule, IsNotThereForWhatIsRefusedBeforeAnyRun) {
  Builder b = ring({});
  b.program.buffers[0].offset = 1 << 20;
  const Verdict verdict = b.check();
  ASSERT_EQ(verdict.violations.front().rule, "R16");
  const auto s = failingSchedule(b.program, defaultArch(b.program.target), b.launch, verdict);
  ASSERT_FALSE(s);
  EXPECT_EQ(s.error().message,
            "R16 of test has no failing schedule: it is refused before any run, or lies between "
            "CTAs that nothing orders");
}

TEST(Schedule, IsNotThereWithoutAViolation) {
  Builder b = ring({});
  const Verdict verdict = b.check();
  const auto s = failingSchedule(b.program, defaultArch(b.program.target), b.launch, verdict);
  ASSERT_FALSE(s);
  EXPECT_EQ(s.error().message, "there is no violation, so there is no failing schedule");
}

TEST(Schedule, WritesJson) {
  const Schedule s = scheduleOf(ring({.stages = 1, .trips = 2, .waitEmpty = false}));
  const auto json = readJson(scheduleJson(s));
  ASSERT_TRUE(json);
  EXPECT_EQ((*json)["kernel"].asText(), "test");
  EXPECT_EQ((*json)["rule"].asText(), "R4");
  EXPECT_EQ((*json)["launch"]["text"].asText(), "A[64,128] B[128,64] C[64,64]");
  EXPECT_EQ((*json)["launch"]["tensors"]["B"].items()[0].asInteger(), 128);
  ASSERT_EQ((*json)["steps"].items().size(), s.steps.size());
  const JsonValue &last = (*json)["steps"].items().back();
  EXPECT_EQ(last["operation"].asText(), "arrive.expect_tx full");
  EXPECT_EQ(last["warp"].asInteger(), 4);
  EXPECT_EQ(last["mark"].asText(), "second");
  EXPECT_EQ(last["state"].asText(), "done");
}

TEST(Violation, NamesBothEventsOfARace) {
  const Verdict v = ring({.stages = 2, .trips = 3, .waitBeforeRelease = false}).check();
  ASSERT_EQ(v.violations.size(), 1u);
  const Violation &x = v.violations[0];
  ASSERT_EQ(x.parties.size(), 2u);
  EXPECT_EQ(x.parties[0].agent, "mma warp 0 of CTA (0)");
  EXPECT_EQ(x.parties[0].operation, "wgmma");
  EXPECT_EQ(x.parties[0].does, "may still read a[0] (shared memory bytes 0 to 8191)");
  EXPECT_EQ(x.parties[1].operation, "TMA load");
  EXPECT_EQ(x.parties[1].does, "writes a[0] (shared memory bytes 0 to 8191)");
  EXPECT_EQ(x.fix, "Put wgmma.wait_group before the arrive that releases the bytes, in every warp");
  EXPECT_FALSE(x.counts);
}

TEST(Violation, CountsArrivalsAndBytes) {
  const Verdict v = ring({.bytes = 16384 + 16}).check();
  ASSERT_EQ(v.violations.size(), 1u);
  const Violation &x = v.violations[0];
  ASSERT_TRUE(x.counts);
  EXPECT_EQ(x.barrier, "full[0]");
  EXPECT_EQ(x.counts->slot, 0);
  EXPECT_EQ(x.counts->phase, 0);
  EXPECT_EQ(x.counts->arrivals, 1);
  EXPECT_EQ(x.counts->expectedArrivals, 1);
  EXPECT_EQ(x.counts->bytes, 16384);
  EXPECT_EQ(x.counts->expectedBytes, 16400);
}

} // namespace
} // namespace sluice::test

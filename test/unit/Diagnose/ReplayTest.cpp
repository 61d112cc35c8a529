// The virtual machine follows the failing schedules of the checker.
#include "Verify/Core.h"
#include "Verify/Ring.h"

#include "Diagnose/Counterexample.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

struct Replayed {
  std::string rule = "", effect = ""; // of the checker; of the machine, "" none
  std::string stopped = "";
  int64_t steps = 0, followed = 0;
  std::string error = "";
};

Replayed replay(Builder b) {
  const Arch &arch = defaultArch(b.program.target);
  const Verdict verdict = b.check();
  const auto schedule = failingSchedule(b.program, arch, b.launch, verdict);
  if (!schedule)
    return {.error = schedule.error().message};
  SimulateOptions how;
  how.values = false;
  how.schedule = &*schedule;
  const auto result = simulateTime(b.program, arch, b.launch, how);
  if (!result)
    return {.error = result.error().message};
  return {schedule->rule,
          result->violation ? result->violation->rule : "",
          result->followed->stopped,
          static_cast<int64_t>(schedule->steps.size()),
          result->followed->steps,
          ""};
}

TEST(Replay, FollowsADeadlock) {
  const Replayed r = replay(ring({.producerPhase = 0}));
  EXPECT_EQ(r.error, "");
  EXPECT_EQ(r.rule, "R9");
  EXPECT_EQ(r.effect, "R9");
  EXPECT_EQ(r.followed, r.steps);
}

TEST(Replay, FollowsAnEarlyContributionIntoOverArrival) {
  const Replayed r = replay(ring({.waitEmpty = false}));
  EXPECT_EQ(r.rule, "R4");
  EXPECT_EQ(r.effect, "R7");
  EXPECT_EQ(r.followed, r.steps);
}

TEST(Replay, FollowsAWaitThatPassesEarly) {
  const Replayed r = replay(skipsAPhase());
  EXPECT_EQ(r.rule, "R5");
  EXPECT_EQ(r.error, "");
  EXPECT_EQ(r.followed, r.steps); // the wait does pass there
}

TEST(Replay, FollowsAPhaseThatIsMissed) {
  const Replayed r = replay(ring({.emptyCount = 3}));
  EXPECT_EQ(r.rule, "R5");
  EXPECT_EQ(r.error, "");
  EXPECT_EQ(r.stopped, "");
}

TEST(Replay, FollowsEveryKindOfMutant) {
  for (int64_t stages : {1, 2, 4})
    for (RingOptions o :
         {RingOptions{.waitEmpty = false}, RingOptions{.waitBeforeRelease = false},
          RingOptions{.release = false}, RingOptions{.waitFull = false},
          RingOptions{.fence = false}, RingOptions{.fullCount = 2}, RingOptions{.emptyCount = 5},
          RingOptions{.emptyCount = 3}, RingOptions{.bytes = 16384 + 16},
          RingOptions{.bytes = 16384 - 16}, RingOptions{.producerPhase = 0},
          RingOptions{.initSync = false}, RingOptions{.initFence = false}}) {
      o.stages = stages;
      const Replayed r = replay(ring(o));
      EXPECT_EQ(r.error, "") << r.rule << ", stages " << stages;
      EXPECT_EQ(r.stopped, "") << r.rule << ", stages " << stages;
      EXPECT_TRUE(r.followed == r.steps || !r.effect.empty()) << r.rule << ", stages " << stages;
    }
}

TEST(Replay, FollowsFlags) {
  for (const CoreOptions &o : {CoreOptions{.primed = false}, CoreOptions{.drained = false},
                               CoreOptions{.credit = false}, CoreOptions{.residentLoads = 2}}) {
    const Replayed r = replay(core(o));
    EXPECT_EQ(r.error, "") << r.rule;
    EXPECT_EQ(r.stopped, "") << r.rule;
  }
}

TEST(Replay, RefusesTheScheduleOfAnotherKernel) {
  Builder broken = ring({.waitEmpty = false}), mended = ring({});
  const Arch &arch = defaultArch(broken.program.target);
  const auto schedule =
      failingSchedule(broken.program, arch, broken.launch, (broken.place(), broken.check()));
  ASSERT_TRUE(schedule);
  mended.place();
  SimulateOptions how;
  how.values = false;
  how.schedule = &*schedule;
  const auto result = simulateTime(mended.program, arch, mended.launch, how);
  ASSERT_FALSE(result);
  EXPECT_EQ(
      result.error().message,
      "the schedule does not belong to this kernel: at step 8, load warp 4 of CTA (0) is at "
      "'wait empty[0] parity 1' and not at 'arrive.expect_tx full[0]'. Ask for a new one with "
      "check --counterexample");
}

TEST(Replay, GoesOnByTheClockWhenTheScheduleIsOver) {
  Builder b = ring({});
  b.place();
  const Arch &arch = defaultArch(b.program.target);
  Schedule nothing; // the first step alone
  nothing.kernel = "test";
  ScheduleStep step;
  step.agent = "warp 0 of CTA (0)";
  step.operation = "mbarrier init full";
  nothing.steps = {step};
  SimulateOptions how;
  how.values = false;
  const auto usual = simulateTime(b.program, arch, b.launch, how);
  how.schedule = &nothing;
  const auto followed = simulateTime(b.program, arch, b.launch, how);
  ASSERT_TRUE(usual);
  ASSERT_TRUE(followed);
  EXPECT_FALSE(followed->violation);
  EXPECT_EQ(followed->events, usual->events);
  EXPECT_EQ(followed->followed->steps, 1);
}

} // namespace
} // namespace sluice::test

// R41: tests of mbarriers, and waits that their tokens spare.
#include "Builder.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

ValueId ask(Builder &b, int barriers, Index slot, Index parity, Exec exec = Exec::threads,
            Scope scope = Scope::cta) {
  const ValueId token = b.program.values++;
  b.emit(MbarrierTest{Builder::at(barriers, slot), parity, scope, token}, exec);
  return token;
}

void waitWith(Builder &b, ValueId token, int barriers, Index slot, Index parity,
              Exec exec = Exec::threads) {
  b.emit(MbarrierWait{Builder::at(barriers, slot), parity, Scope::cta, token}, exec);
}

/// Warp 1 signals two phases of `full`, the second when it has an answer; warp 0 does as `look`
/// says, which gives the answer on `back`.
Builder twoPhases(const std::function<void(Builder &, int full, int back)> &look) {
  Builder b;
  const int full = b.barriers("full", 2), back = b.barriers("back", 1);
  b.grid(1);
  b.initAll({{full, 1}, {back, 1}}, 2);
  b.role("signal", 1, 1, [&] {
    b.arrive(full, zero);
    b.wait(back, zero, zero);
    b.arrive(full, zero);
  });
  b.role("look", 0, 1, [&] { look(b, full, back); });
  return b;
}

TEST(TokenRules, R41_AcceptsTestsOfThePhaseThatComesNext) {
  const auto look = [](Builder &b, int full, int back) {
    const ValueId first = ask(b, full, zero, zero);
    waitWith(b, first, full, zero, zero);
    const ValueId second = ask(b, full, zero, one);
    b.arrive(back, zero);
    waitWith(b, second, full, zero, one);
  };
  EXPECT_EQ(text(twoPhases(look).check()), "proven");
}

TEST(TokenRules, R41_AcceptsATokenThatNobodyTakes) {
  const auto look = [](Builder &b, int full, int back) {
    ask(b, full, one, zero);
    b.wait(full, zero, zero);
    b.arrive(back, zero);
    b.wait(full, zero, one);
  };
  EXPECT_EQ(text(twoPhases(look).check()), "proven");
}

TEST(TokenRules, R41_RefusesATestOnePhaseEarly) {
  const auto early = [](Builder &b, int full, int back) {
    b.wait(full, one, one); // passes at once, and the other warp runs
    const ValueId second = ask(b, full, zero, one);
    b.wait(full, zero, zero);
    b.arrive(back, zero);
    waitWith(b, second, full, zero, one);
  };
  EXPECT_EQ(text(twoPhases(early).check()),
            "R41: test of look warp 0 of CTA (0) at t:14:1 for phase 1 of full[0] may say yes one "
            "phase early: it does not know arrive of signal warp 1 of CTA (0) at t:9:1 of phase 0, "
            "and the parity of two phases before looks the same. Wait for phase 0 of full[0] (or "
            "for something that follows it) before the test");
}

/// The same in a run in which the test comes first: for it the barrier is a fresh one.
TEST(TokenRules, R41_RefusesATokenOfTheFreshBarrier) {
  Builder b;
  const int full = b.barriers("full", 1), back = b.barriers("back", 1);
  const int go = b.barriers("go", 1);
  b.grid(1);
  b.initAll({{full, 1}, {back, 1}, {go, 1}}, 2);
  b.role("signal", 0, 1, [&] {
    b.wait(go, zero, zero);
    b.arrive(full, zero);
    b.wait(back, zero, zero);
    b.arrive(full, zero);
  });
  b.role("look", 1, 1, [&] {
    const ValueId second = ask(b, full, zero, one);
    b.arrive(go, zero);
    b.wait(full, zero, zero);
    b.arrive(back, zero);
    waitWith(b, second, full, zero, one);
  });
  EXPECT_EQ(
      text(b.check()),
      "R41: wait of look warp 1 of CTA (0) at t:19:1 waits for phase 1 of full, and its token "
      "is of phase -1 of full: where that has completed, nothing is waited for. Ask under the "
      "cursor that the wait has, when the phase before it has been waited for");
}

TEST(TokenRules, R41_RefusesATokenOfAnotherSlot) {
  const auto look = [](Builder &b, int full, int back) {
    const ValueId other = ask(b, full, one, one);
    b.wait(full, zero, zero);
    b.arrive(back, zero);
    waitWith(b, other, full, zero, one);
  };
  EXPECT_EQ(text(twoPhases(look).check()),
            "R41: wait of look warp 0 of CTA (0) at t:16:1 waits for phase 1 of full[0], and its "
            "token is of phase -1 of full[1]: where that has completed, nothing is waited for. Ask "
            "under the cursor that the wait has, when the phase before it has been waited for");
}

TEST(TokenRules, R41_RefusesATokenTwoPhasesOld) {
  Builder b;
  const int ping = b.barriers("ping", 1), pong = b.barriers("pong", 1);
  b.grid(1);
  b.initAll({{ping, 1}, {pong, 1}}, 2);
  b.role("signal", 1, 1, [&] {
    for (int phase = 0; phase < 3; ++phase) {
      b.arrive(ping, zero);
      b.wait(pong, zero, constant(phase & 1));
    }
  });
  b.role("look", 0, 1, [&] {
    const ValueId first = ask(b, ping, zero, zero);
    for (int phase = 0; phase < 3; ++phase) {
      waitWith(b, phase == 2 ? first : kNone, ping, zero, constant(phase & 1));
      b.arrive(pong, zero);
    }
  });
  EXPECT_EQ(
      text(b.check()),
      "R41: wait of look warp 0 of CTA (0) at t:21:1 waits for phase 2 of ping, and its token "
      "is of phase 0 of ping: where that has completed, nothing is waited for. Ask under the "
      "cursor that the wait has, when the phase before it has been waited for");
}

TEST(TokenRules, R41_RefusesTokensOfOtherThreadsOrAnotherScope) {
  const auto by = [](Exec test, Exec wait, Scope scope) {
    return twoPhases([=](Builder &b, int full, int back) {
      const ValueId first = ask(b, full, zero, zero, test, scope);
      waitWith(b, first, full, zero, zero, wait);
      b.arrive(back, zero);
    });
  };
  EXPECT_EQ(text(by(Exec::one, Exec::threads, Scope::cta).structure()),
            "R41: wait at t:14:1 takes the token of the test at t:13:1, but other threads execute "
            "the test. Let both say the same");
  EXPECT_EQ(text(by(Exec::threads, Exec::threads, Scope::cluster).structure()),
            "R41: wait at t:14:1 takes the token of the test at t:13:1, but the test has another "
            "scope. Let both say the same");
  EXPECT_EQ(text(by(Exec::one, Exec::one, Scope::cta).structure()), "none");
}

TEST(TokenRules, R41_RefusesTheEndOfATestedBarriersLife) {
  const auto look = [](Builder &b, int full, int back) {
    waitWith(b, ask(b, full, zero, zero), full, zero, zero);
    b.arrive(back, zero);
    b.emit(MbarrierInval{Builder::at(full), true}, Exec::one);
  };
  EXPECT_EQ(
      text(twoPhases(look).structure()),
      "R41: mbarrier inval at t:16:1 ends the life of full, which is tested at t:13:1. Leave it "
      "valid, or wait for it without tests");
}

TEST(TokenRules, R41_RefusesBranchesOnAToken) {
  const auto look = [](Builder &b, int full, int back) {
    const ValueId ready = ask(b, full, zero, zero);
    b.when(ready, [&] { b.arrive(back, zero); });
    waitWith(b, ready, full, zero, zero);
  };
  EXPECT_EQ(
      text(twoPhases(look).structure()),
      "R41: branch at t:14:1 reads a token: what a test says depends on the schedule. Hand it "
      "to a wait");
}

TEST(TokenRules, R20_RefusesATokenOfNoTest) {
  const auto look = [](Builder &b, int full, int back) {
    waitWith(b, b.number(1), full, zero, zero);
    b.arrive(back, zero);
  };
  EXPECT_EQ(text(twoPhases(look).structure()), "R20: wait at t:14:1: its token is of no test");
}

/// The token of the next step is carried by a loop of as many trips as an argument says. In a ring
/// of one slot, asked at the end of a step or at its beginning.
Builder carriedToken(bool early) {
  Builder b;
  const int full = b.barriers("full", 1), empty = b.barriers("empty", 1);
  b.program.arguments.push_back({"n", DType::index});
  b.launch.arguments = {3};
  b.grid(1);
  b.initAll({{full, 1}, {empty, 1}}, 2);
  const ValueId trips = b.scalar(ScalarOp::argument, {}, 0, 0);
  const Builder::Bounds bounds{b.number(0), trips, b.number(1)};
  const auto parityOf = [&](ValueId i) {
    return Index{b.scalar(ScalarOp::remS, {i, b.number(2)}), 0};
  };
  b.role("put", 0, 1, [&] {
    b.carried(bounds, b.number(0), [&](ValueId i, ValueId carried) {
      b.wait(empty, zero, {b.scalar(ScalarOp::xorI, {parityOf(i).value, b.number(1)}), 0});
      b.arrive(full, zero);
      return carried;
    });
  });
  b.role("take", 1, 1, [&] {
    const ValueId first = ask(b, full, zero, zero);
    b.carried(bounds, first, [&](ValueId i, ValueId ready) {
      const Index next = parityOf(b.scalar(ScalarOp::add, {i, b.number(1)}));
      const ValueId before = early ? ask(b, full, zero, next) : kNone;
      waitWith(b, ready, full, zero, parityOf(i));
      b.arrive(empty, zero);
      return early ? before : ask(b, full, zero, next);
    });
  });
  b.place();
  return b;
}

TEST(TokenRules, R41_AcceptsACarriedTokenInEveryLaunch) {
  const Builder b = carriedToken(false);
  const Verdict v = prove(b.program, defaultArch(b.program.target), b.launch);
  EXPECT_EQ(text(v), "proven");
  EXPECT_TRUE(v.provenForEveryLaunch());
}

TEST(TokenRules, R41_RefusesACarriedTokenThatIsAskedTooEarly) {
  const Builder b = carriedToken(true);
  EXPECT_EQ(rule(prove(b.program, defaultArch(b.program.target), b.launch)), "R41");
}

} // namespace
} // namespace sluice::test

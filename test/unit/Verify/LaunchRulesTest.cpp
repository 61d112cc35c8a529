// Requests for clusters that have not been launched, and their responses.
#include "Builder.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

/// Warp 0 of a CTA asks for clusters, once in each slot.
struct Asking {
  Builder b{Target::sm_100a};
  int responses = b.buffer("responses", Space::smem, DType::i32, {1, 4}, Layout::row, 2);
  int full = b.barriers("full", 2);

  explicit Asking(int warps = 1) {
    b.grid(4);
    b.initAll({{full, 1}}, warps);
  }
  void ask(Index slot) {
    b.expect(full, slot, 16);
    b.emit(ClcTryCancel{b.tile(responses, slot), Builder::at(full, slot)}, Exec::one);
  }
  ValueId read(Index slot) {
    b.wait(full, slot, zero);
    const ValueId number = b.program.values++;
    b.emit(ScalarRead{b.tile(responses, slot), number, true});
    return number;
  }
  Verdict proof() {
    b.place();
    return prove(b.program, defaultArch(b.program.target), b.launch);
  }
};

TEST(LaunchRules, R46_AcceptsARequestBehindOneThatWasGranted) {
  Asking a;
  a.ask(zero);
  const ValueId number = a.read(zero);
  a.b.when(a.b.scalar(ScalarOp::ge, {number, a.b.number(0)}), [&] {
    a.ask(one);
    a.read(one);
  });
  const Verdict v = a.proof();
  EXPECT_EQ(text(v), "proven");
  EXPECT_TRUE(v.provenForEveryLaunch());
}

TEST(LaunchRules, R46_AcceptsRequestsOfWhichNoneHasBeenRead) {
  Asking a;
  a.ask(zero);
  a.ask(one);
  a.read(zero);
  a.read(one);
  EXPECT_EQ(text(a.proof()), "proven");
}

TEST(LaunchRules, R46_RefusesARequestBehindOneThatMayHaveFailed) {
  Asking a;
  a.ask(zero);
  a.read(zero);
  a.ask(one);
  a.read(one);
  const Verdict v = a.proof();
  EXPECT_EQ(rule(v), "R46") << text(v);
}

TEST(LaunchRules, R46_RefusesAReaderThatNothingPutsBehindTheNextRequest) {
  Asking a(2);
  a.b.role("asks", 0, 1, [&] {
    a.ask(zero);
    a.ask(one);
    a.b.wait(a.full, one, zero);
  });
  a.b.role("reads", 1, 1, [&] { a.read(zero); });
  const Verdict v = a.proof();
  EXPECT_EQ(rule(v), "R46") << text(v);
}

TEST(LaunchRules, R20_AcceptsAResponseOf16Bytes) {
  Asking a;
  a.ask(zero);
  a.read(zero);
  EXPECT_EQ(text(a.b.structure()), "none");
}

TEST(LaunchRules, R20_RefusesAResponseOfAnotherShape) {
  Asking a;
  a.ask(zero);
  a.b.program.buffers[a.responses].shape = {1, 8};
  EXPECT_NE(text(a.b.structure()).find("a response is 16 bytes in shared memory"),
            std::string::npos)
      << text(a.b.structure());
}

TEST(LaunchRules, R13_RefusesARequestByAllLanes) {
  Asking a;
  a.b.emit(ClcTryCancel{a.b.tile(a.responses), Builder::at(a.full)});
  EXPECT_EQ(text(a.b.structure()).substr(0, 3), "R13");
}

TEST(LaunchRules, OfAResponseNoNumberIsRead) {
  Asking a;
  a.ask(zero);
  a.b.wait(a.full, zero, zero);
  View first = a.b.tile(a.responses);
  first.shape = {1, 1};
  a.b.emit(ScalarRead{first, a.b.program.values++});
  const Verdict v = a.proof();
  EXPECT_EQ(v.kind, Verdict::unsupported);
  EXPECT_NE(text(v).find("sluice.clc.query tells what it says"), std::string::npos) << text(v);
}

} // namespace
} // namespace sluice::test

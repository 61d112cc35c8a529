#include "Program/OperationFacts.h"
#include "Program/Blocks.h"
#include "Program/Uses.h"

#include <gtest/gtest.h>

using namespace sluice;

namespace {

Stmt statement(Operation op) {
  return {std::move(op), Exec::threads, Pipe::none, {}};
}

std::vector<Operation> allOperations() {
  return {MbarrierInit{},   MbarrierArrive{}, MbarrierWait{}, MbarrierTest{}, NamedBarrier{},
          ClusterBarrier{}, BulkWait{},       WgmmaCommit{},  CounterAdd{},   CounterWait{},
          WaitFlag{},       TmaLoad{},        TmaStore{},     Copy{},         Prefetch{},
          RemoteCopy{},     Wgmma{},          Mmad{},         Tcgen05Mma{},   TmemLoad{},
          TmemWait{},       ScalarRead{},     PipeBarrier{}};
}

TEST(OperationFacts, MovesAndProductsAreOfTheirViews) {
  for (const Operation &op : allOperations()) {
    const OperationFacts facts = factsOf(op);
    const auto &[writes, reads] = facts.views;
    if (facts.move) {
      EXPECT_EQ(facts.move.destination, writes[0]) << facts.name;
      EXPECT_EQ(facts.move.source, reads[0]) << facts.name;
    }
    if (facts.product) {
      EXPECT_EQ(facts.product.d, writes[0]) << facts.name;
      EXPECT_EQ((std::vector{facts.product.a, facts.product.b}), reads) << facts.name;
    }
    EXPECT_FALSE(facts.hint && writes.size() + reads.size()) << facts.name;
  }
}

TEST(OperationFacts, WhatGoesOnBehindItsStatementEndsByABarrierOrAGroup) {
  std::vector<std::string> goesOn;
  for (const Operation &op : allOperations())
    if (factsOf(op).goesOn())
      goesOn.push_back(operationName(op));
  EXPECT_EQ(goesOn, (std::vector<std::string>{"TMA load", "TMA store", "remote copy", "wgmma",
                                              "tcgen05.mma", "tcgen05.ld"}));
  EXPECT_FALSE(factsOf(Copy{}).goesOn());
  EXPECT_TRUE(factsOf(Copy{{}, {}, true}).goesOn());
}

TEST(OperationFacts, WaitsForOthersAndForOnesOwnWorkAreTwoThings) {
  std::vector<std::string> others, own;
  for (const Operation &op : allOperations()) {
    if (factsOf(op).waitsForOthers())
      others.push_back(operationName(op));
    if (groupDeed(op).kind == GroupDeed::waits)
      own.push_back(operationName(op));
  }
  EXPECT_EQ(others, (std::vector<std::string>{"wait", "bar.sync", "counter wait", "wait_flag"}));
  EXPECT_EQ(own, (std::vector<std::string>{"bulk wait_group", "tcgen05.wait::ld"}));
  EXPECT_FALSE(factsOf(NamedBarrier{{}, 64, true}).waitsForOthers()) << "bar.arrive";
  EXPECT_TRUE(factsOf(ClusterBarrier{ClusterBarrier::wait}).waitsForOthers());
  EXPECT_FALSE(meetingDeed(ClusterBarrier{ClusterBarrier::wait}).arrives);
}

TEST(OperationFacts, NumbersThatOnlyTheRunKnows) {
  EXPECT_EQ(numberOf(ScalarRead{{}, 3}), 3);
  EXPECT_EQ(numberOf(CounterAdd{{}, {}, Scope::gpu, false, 4}), 4);
  EXPECT_EQ(numberOf(CounterAdd{}), kNone);
  EXPECT_EQ(numberOf(MbarrierTest{{}, {}, Scope::cta, 5}), kNone) << "a token is no number";
}

TEST(Blocks, StatementsComeInTheirOrderWithTheRoleAround) {
  For loop{0, 1, 2, 3, {}, {}, {}, {}, ""};
  loop.body.stmts.push_back(statement(WarpSync{}));
  Role role;
  role.name = "load";
  role.body.stmts.push_back(statement(loop));
  Block block;
  block.stmts = {statement(BulkCommit{}), statement(role), statement(CpAsyncCommit{})};
  std::string text;
  walkRoles(block, [&](const Stmt &s, const Role *around) {
    text += operationName(s.op) + (around ? " of " + around->name : "") + "; ";
  });
  EXPECT_EQ(text, "bulk commit_group; operation; operation of load; warp sync of load; "
                  "cp.async commit_group; ");
}

TEST(Uses, WhatALoopLeavesIsNotWhatItsBodyHas) {
  const Stmt loop = statement(For{0, 1, 2, 3, {4}, {5}, {6}, {}, ""});
  std::vector<ValueId> left, all;
  forLeft(loop, [&](ValueId v) { left.push_back(v); });
  forEachResult(loop, [&](ValueId v) { all.push_back(v); });
  EXPECT_EQ(left, std::vector<ValueId>{6});
  EXPECT_EQ(all, (std::vector<ValueId>{6, 0, 5}));
}

} // namespace

#include "Program/Agent.h"

#include <gtest/gtest.h>

using namespace sluice;

namespace {

Stmt scalar(ScalarOp op, ValueId result, std::vector<ValueId> operands, int64_t imm = 0) {
  return {Scalar{op, result, std::move(operands), imm, -1}, Exec::threads, Pipe::none, {}};
}

/// cursor<3> carried over `trips` iterations, one barrier arrival in each.
Program cursorLoop(int64_t trips) {
  Program p;
  p.warps = 2;
  p.values = 10;
  Block body;
  body.stmts = {scalar(ScalarOp::cursorSlot, 6, {5}),
                scalar(ScalarOp::cursorPhase, 7, {5}),
                {MbarrierArrive{{0, {6, 0}, {}}, 1}, Exec::one, Pipe::none, {}},
                scalar(ScalarOp::cursorAdvance, 8, {5}, 3)};
  body.yields = {8};
  For loop{4, 0, 1, 2, {3}, {5}, {9}, body, "k", true};
  p.body.stmts = {scalar(ScalarOp::constant, 0, {}, 0),
                  scalar(ScalarOp::constant, 1, {}, trips),
                  scalar(ScalarOp::constant, 2, {}, 1),
                  scalar(ScalarOp::cursorInit, 3, {}, 3),
                  {loop, Exec::threads, Pipe::none, {}}};
  return p;
}

TEST(Agent, CursorWrapsAndFlipsThePhase) {
  Program p = cursorLoop(7);
  Agent agent(p, {}, {});
  std::vector<int64_t> seen;
  for (; agent.current(); agent.advance())
    seen.push_back(agent.value(6) * 2 + agent.value(7));
  EXPECT_EQ(seen, (std::vector<int64_t>{0, 2, 4, 1, 3, 5, 0}));
  EXPECT_EQ(agent.value(9), 2); // slot 1, phase 0
  EXPECT_EQ(agent.pipelinedIterations(), 7);
}

TEST(Agent, NoIterationCarriesTheInitialValues) {
  Program p = cursorLoop(0);
  Agent agent(p, {}, {});
  EXPECT_EQ(agent.current(), nullptr);
  EXPECT_EQ(agent.value(9), 0);
}

TEST(Arithmetic, AtTheEndsOfItsRange) {
  const auto of = [](ScalarOp op, int64_t a, int64_t b) {
    const int64_t operands[] = {a, b};
    return arithmetic(op, operands, 2, 0);
  };
  for (const ScalarOp op : {ScalarOp::divS, ScalarOp::remS, ScalarOp::ceilDiv})
    EXPECT_EQ(of(op, 7, 0), 0);
  EXPECT_EQ(of(ScalarOp::divS, INT64_MIN, -1), INT64_MIN);
  EXPECT_EQ(of(ScalarOp::remS, INT64_MIN, -1), 0);
  EXPECT_EQ(of(ScalarOp::divS, -7, 2), -3); // towards zero
  EXPECT_EQ(of(ScalarOp::ceilDiv, -7, 2), -3);
  EXPECT_EQ(of(ScalarOp::ceilDiv, 7, 2), 4);
  EXPECT_EQ(of(ScalarOp::ceilDiv, INT64_MAX, 64), INT64_MAX / 64 + 1);
}

TEST(Agent, OneElectedWarpExecutes) {
  Program p = cursorLoop(3);
  AgentId second;
  second.warp = 1;
  EXPECT_EQ(Agent(p, {}, second).current(), nullptr);
}

TEST(Agent, PipesSkipEachOther) {
  Program p;
  p.target = Target::ascend910b;
  Role role{"cube", 0, 0, "aic", 0, {}};
  role.body.stmts = {{SetFlag{Pipe::mte2, Pipe::mte1, {kNone, 0}}, Exec::threads, Pipe::none, {}},
                     {WaitFlag{Pipe::mte2, Pipe::mte1, {kNone, 0}}, Exec::threads, Pipe::none, {}},
                     {PipeBarrier{Pipe::all}, Exec::threads, Pipe::none, {}}};
  p.body.stmts = {{role, Exec::threads, Pipe::none, {}}};
  auto count = [&](const std::string &core, Pipe pipe) {
    AgentId id;
    id.core = core;
    id.pipe = pipe;
    int n = 0;
    for (Agent a(p, {}, id); a.current(); a.advance())
      ++n;
    return n;
  };
  EXPECT_EQ(count("aic", Pipe::mte2), 2);
  EXPECT_EQ(count("aic", Pipe::m), 1);
  EXPECT_EQ(count("aiv0", Pipe::mte2), 0);
}

} // namespace

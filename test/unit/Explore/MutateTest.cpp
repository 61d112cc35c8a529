// What each kind of mutation changes, and that it is offered where it can be.
#include "Explore/Mutate.h"

#include "Program/Agent.h"
#include "Verify/Builder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sluice::test {
namespace {

std::vector<Mutation> ofKind(const Program &program, Mutation::Kind kind) {
  std::vector<Mutation> list = mutations(program);
  std::erase_if(list, [&](const Mutation &m) { return m.kind != kind; });
  return list;
}

template <typename Op> std::vector<Op> all(const Program &program) {
  std::vector<Op> found;
  walk(program.body, [&](const Stmt &s) {
    if (auto *op = std::get_if<Op>(&s.op))
      found.push_back(*op);
  });
  return found;
}

TEST(Mutate, SwapsIdsOfTheSameDirection) {
  Builder b(Target::ascend910b);
  b.core("aic", [&] {
    b.set(Pipe::mte1, Pipe::mte2, constant(0));
    b.set(Pipe::m, Pipe::mte1, constant(4));
    b.set(Pipe::mte1, Pipe::mte2, constant(1));
  });
  const std::vector<Mutation> swaps = ofKind(b.program, Mutation::swap);
  ASSERT_EQ(swaps.size(), 1u);
  EXPECT_EQ(swaps[0].str(), "swap set_flag");
  const auto flags = all<SetFlag>(mutated(b.program, swaps[0]));
  EXPECT_EQ(flags[0].id.constant, 1);
  EXPECT_EQ(flags[1].id.constant, 4);
  EXPECT_EQ(flags[2].id.constant, 0);
}

/// A test is moved, asks for another phase, slot or by one lane; without it its token would be
/// nobody's.
TEST(Mutate, BendsTests) {
  Builder b;
  const int full = b.barriers("full", 2);
  const ValueId token = b.program.values++;
  b.arrive(full, constant(1));
  b.emit(MbarrierTest{Builder::at(full, constant(0)), constant(0), Scope::cta, token});
  b.emit(MbarrierWait{Builder::at(full, constant(0)), constant(0), Scope::cta, token});
  std::vector<Mutation> list = mutations(b.program);
  std::erase_if(list, [](const Mutation &m) { return m.operation != "test"; });
  std::vector<std::string> said;
  for (const Mutation &m : list)
    said.push_back(m.str());
  EXPECT_EQ(said, (std::vector<std::string>{"double test", "earlier test", "later test",
                                            "flip parity test", "next slot test", "narrow test"}));
  EXPECT_EQ(all<MbarrierTest>(mutated(b.program, list[5])).size(), 1u);
  const Program flipped = mutated(b.program, list[3]);
  EXPECT_FALSE(all<MbarrierTest>(flipped)[0].parity.isConstant());
  EXPECT_TRUE(all<MbarrierWait>(flipped)[0].parity.isConstant());
}

TEST(Mutate, NarrowsScopes) {
  Builder b;
  const int full = b.barriers("full", 1);
  b.emit(MbarrierArrive{Builder::at(full), 1, Scope::cluster}, Exec::one);
  b.emit(MbarrierArrive{Builder::at(full), 1, Scope::cta}, Exec::one);
  b.emit(ClusterBarrier{ClusterBarrier::arrive});
  const std::vector<Mutation> scopes = ofKind(b.program, Mutation::scope);
  ASSERT_EQ(scopes.size(), 2u);
  EXPECT_EQ(all<MbarrierArrive>(mutated(b.program, scopes[0]))[0].scope, Scope::cta);
  EXPECT_EQ(all<ClusterBarrier>(mutated(b.program, scopes[1]))[0].kind,
            ClusterBarrier::arriveRelaxed);
}

TEST(Mutate, OtherWarpArrives) {
  Builder b;
  const int full = b.barriers("full", 1);
  b.role("one", 0, 1, [&] { b.arrive(full, constant(0), Exec::one); });
  b.role("two", 1, 2, [&] { b.arrive(full, constant(0), Exec::one); });
  b.place();
  const std::vector<Mutation> moved = ofKind(b.program, Mutation::otherWarp);
  ASSERT_EQ(moved.size(), 1u); // a role of one warp has no other
  const Program mutant = mutated(b.program, moved[0]);
  std::vector<int> arriving;
  for (int warp = 0; warp < 3; ++warp) {
    AgentId id;
    id.warp = warp;
    for (Agent agent(mutant, b.launch, id); agent.current(); agent.advance())
      if (std::holds_alternative<MbarrierArrive>(agent.current()->op))
        arriving.push_back(warp);
  }
  EXPECT_EQ(arriving, (std::vector{0, 2}));
}

/// One slot more goes behind everything, so that nothing overlaps.
TEST(Mutate, StagesGrowAndShrink) {
  Builder b;
  b.buffer("a", Space::smem, DType::f16, {8, 8}, Layout::row, 2);
  b.buffer("c", Space::smem, DType::f16, {8, 8}, Layout::row, 1);
  b.barriers("full", 2);
  b.scalar(ScalarOp::cursorAdvance, {b.scalar(ScalarOp::cursorInit, {}, 2)}, 2);
  b.place();
  const std::vector<Mutation> stages = ofKind(b.program, Mutation::stages);
  ASSERT_EQ(stages.size(), 2u);
  for (const Mutation &m : stages) {
    const Program mutant = mutated(b.program, m);
    EXPECT_EQ(mutant.buffers[0].slots, 2 + m.amount);
    EXPECT_EQ(mutant.buffers[1].slots, 1);
    EXPECT_EQ(mutant.mbarriers[0].slots, 2 + m.amount);
    for (const Scalar &s : all<Scalar>(mutant))
      EXPECT_EQ(s.imm, 2 + m.amount);
    for (const Violation &v : checkStructure(mutant, defaultArch(mutant.target)))
      EXPECT_NE(v.rule, "R16") << m.str() << ": " << v.message;
  }
}

TEST(Mutate, CountsOfCountersAndIdsOfNamedBarriers) {
  Builder b;
  b.sync(1, 2);
  const std::vector<Mutation> ids = ofKind(b.program, Mutation::otherId);
  ASSERT_EQ(ids.size(), 1u);
  EXPECT_EQ(all<NamedBarrier>(mutated(b.program, ids[0]))[0].id.constant, 2);
  Builder computed;
  computed.emit(NamedBarrier{{computed.number(7), 1}, 64});
  const std::vector<Mutation> next = ofKind(computed.program, Mutation::otherId);
  ASSERT_EQ(next.size(), 1u);
  EXPECT_EQ(all<NamedBarrier>(mutated(computed.program, next[0]))[0].id.constant, 2);
  Builder c;
  const int turn = c.tensor("turn", DType::i32, {4});
  c.emit(CounterWait{c.box(turn, {constant(0)}, {1}), constant(3)}, Exec::one);
  const std::vector<Mutation> counts = ofKind(c.program, Mutation::count);
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts[0].purpose, Purpose::counter);
  EXPECT_EQ(all<CounterWait>(mutated(c.program, counts[0]))[0].value.constant, 2);
  EXPECT_EQ(all<CounterWait>(mutated(c.program, counts[1]))[0].value.constant, 4);
}

} // namespace
} // namespace sluice::test

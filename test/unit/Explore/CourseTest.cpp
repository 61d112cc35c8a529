// How the explorer follows an agent through a program, against the walk that the checker uses.
#include "Explore/Course.h"

#include "Explore/Numbers.h"
#include "Program/Agent.h"
#include "Program/Uses.h"
#include "Program/Watchers.h"
#include "RandomProtocol.h"
#include "Tiny.h"
#include "TinyCore.h"
#include "Verify/RandomKernel.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

using explorer::Standpoint;
using explorer::Who;

constexpr size_t mostOperations = 3000;

/// Operations that an agent executes, no mutexes of others that it counts, and the numbers that
/// each of them uses.
using Steps = std::vector<std::pair<const Stmt *, std::vector<int64_t>>>;

Steps walked(const Program &program, const Launch &launch, const AgentId &id) {
  Steps steps;
  for (Agent agent(program, launch, id); agent.current() && steps.size() < mostOperations;
       agent.advance()) {
    if (onlyWatches(*agent.current(), id.pipe))
      continue;
    std::vector<int64_t> numbers{agent.warpInRole(), agent.warpsInRole()};
    forEachUse(*agent.current(), [&](const ValueId &v) { numbers.push_back(agent.value(v)); });
    steps.emplace_back(agent.current(), numbers);
  }
  return steps;
}

Steps followed(const Program &program, const Launch &launch, const AgentId &id) {
  Steps steps;
  const Who who{id.cta, id.warp, id.core, id.pipe};
  explorer::followCourse(program, launch, who, [&](const Stmt &s, const Standpoint &at) {
    if (onlyWatches(s, id.pipe))
      return true;
    std::vector<int64_t> numbers{at.warpInRole(), at.warpsInRole()};
    forEachUse(s, [&](const ValueId &v) { numbers.push_back(at.numbers[v]); });
    steps.emplace_back(&s, numbers);
    return steps.size() < mostOperations;
  });
  return steps;
}

std::vector<AgentId> agentsOf(const Program &program) {
  std::vector<AgentId> agents;
  if (!isAscend(program.target)) {
    for (int64_t cta = 0; cta < 3; ++cta)
      for (int warp = 0; warp < program.warps; ++warp)
        agents.push_back({{cta, cta / 2, 0}, warp, "", Pipe::none});
    return agents;
  }
  for (const char *core : {"aic", "aiv0", "aiv1"})
    for (int pipe = int(Pipe::s); pipe < int(Pipe::all); ++pipe)
      agents.push_back({{1, 0, 0}, core[3] == '1', core, static_cast<Pipe>(pipe)});
  return agents;
}

size_t expectSameCourses(const Program &program, const Launch &launch, const std::string &what) {
  size_t steps = 0;
  EXPECT_EQ(explorer::gridOf(program, launch), gridExtents(program, launch)) << what;
  for (const AgentId &id : agentsOf(program)) {
    const Steps own = followed(program, launch, id), theirs = walked(program, launch, id);
    steps += own.size();
    EXPECT_EQ(own.size(), theirs.size()) << what << ", warp " << id.warp;
    for (size_t i = 0; i < std::min(own.size(), theirs.size()); ++i)
      if (own[i] != theirs[i]) {
        ADD_FAILURE() << what << ": operation " << i << " of warp " << id.warp << " is at "
                      << own[i].first->loc.str() << ", for the checker at "
                      << theirs[i].first->loc.str();
        return steps;
      }
  }
  return steps;
}

/// Roles, nested loops, branches, every scalar operation; at extents and arguments of any size.
TEST(Course, OfRandomKernels) {
  std::mt19937_64 random(5);
  const auto upTo = [&](int64_t n) { return static_cast<int64_t>(random() % uint64_t(n)); };
  size_t steps = 0;
  for (uint64_t seed = 1; seed <= 400 && !HasFailure(); ++seed) {
    const RandomKernel kernel(seed);
    Launch launch = kernel.launch();
    for (int i = 0; i < 3; ++i) {
      steps += expectSameCourses(kernel.program(), launch, "seed " + std::to_string(seed));
      for (size_t t = 0; t < launch.tensors.size(); ++t)
        for (size_t d = 0; d < launch.tensors[t].extents.size(); ++d)
          if (kernel.program().tensors[t].extents.empty())
            launch.tensors[t].extents[d] = upTo(300);
      for (int64_t &argument : launch.arguments)
        argument = upTo(20) - 5;
    }
  }
  EXPECT_GT(steps, 50'000u);
}

TEST(Course, OfProtocolsAndCores) {
  for (uint64_t seed = 1; seed <= 300 && !HasFailure(); ++seed) {
    const std::string what = "seed " + std::to_string(seed);
    const RandomProtocol p = randomProtocol(seed);
    expectSameCourses(p.program, p.launch, what + ", " + p.name);
    const Builder tiny = Tiny(seed).grow(), core = TinyCore(seed).grow();
    expectSameCourses(tiny.program, tiny.launch, what);
    expectSameCourses(core.program, core.launch, what);
  }
}

std::vector<ScalarOp> arithmeticOps() {
  std::vector<ScalarOp> ops;
  for (int op = int(ScalarOp::add); op <= int(ScalarOp::cursorPhase); ++op)
    ops.push_back(static_cast<ScalarOp>(op));
  return ops;
}

/// Small numbers, large ones, and the ends of the range.
TEST(Course, Arithmetic) {
  std::mt19937_64 random(6);
  const std::vector<int64_t> odd{INT64_MIN, INT64_MIN + 1, -65,      -64, -2, -1, 0, 1, 2, 63, 64,
                                 65,        INT64_MAX - 1, INT64_MAX};
  const auto number = [&] {
    const uint64_t r = random();
    return r % 3 == 0   ? odd[random() % odd.size()]
           : r % 3 == 1 ? static_cast<int64_t>(random() % 41) - 20
                        : static_cast<int64_t>(random());
  };
  const Program program;
  const Launch launch;
  for (const ScalarOp op : arithmeticOps())
    for (int i = 0; i < 3000; ++i) {
      Standpoint at{program, launch, {}, nullptr, {number(), number(), number()}};
      Scalar s{op, 0, {0, 1, 2}, 0};
      if (op == ScalarOp::cursorInit || op == ScalarOp::cursorAdvance) {
        s.imm = static_cast<int64_t>(random() % 9);
        s.operands.resize(random() % 2 + (op == ScalarOp::cursorAdvance));
        at.numbers[0] = static_cast<int64_t>(random() % 16);
        at.numbers[1] = static_cast<int64_t>(random() % 100) - 50;
      }
      EXPECT_EQ(explorer::numberOf(s, at),
                arithmetic(op, at.numbers.data(), s.operands.size(), s.imm))
          << "operation " << int(op) << " of " << at.numbers[0] << ", " << at.numbers[1] << ", "
          << at.numbers[2];
    }
}

} // namespace
} // namespace sluice::test

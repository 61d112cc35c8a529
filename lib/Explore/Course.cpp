#include "Explore/Course.h"

#include "Explore/Numbers.h"

namespace sluice::explorer {
namespace {

constexpr int64_t mostIdleRounds = 1 << 20;

class Course {
public:
  Course(const Program &program, const Launch &launch, const Who &who, const Visit &visit)
      : at_{program, launch, who, nullptr, std::vector<int64_t>(program.values, 0)}, visit_(visit) {
  }

  bool run() {
    follow(at_.program.body);
    return !endless_;
  }

private:
  std::vector<int64_t> numbersOf(const std::vector<ValueId> &values) const {
    std::vector<int64_t> found;
    for (const ValueId v : values)
      found.push_back(at_.numbers[v]);
    return found;
  }
  void give(const std::vector<ValueId> &to, const std::vector<int64_t> &numbers) {
    for (size_t i = 0; i < to.size(); ++i)
      at_.numbers[to[i]] = numbers[i];
  }

  /// False, here and below: the agent is not to be followed any further.
  bool follow(const Block &block) {
    for (const Stmt &s : block.stmts)
      if (!follow(s))
        return false;
    return true;
  }

  bool follow(const Stmt &s) {
    if (auto *scalar = std::get_if<Scalar>(&s.op)) {
      at_.numbers[scalar->result] = numberOf(*scalar, at_);
      return true;
    }
    if (auto *grid = std::get_if<Grid>(&s.op)) {
      for (size_t d = 0; d < grid->results.size(); ++d)
        at_.numbers[grid->results[d]] = at_.who.cta[d];
      return true;
    }
    if (auto *loop = std::get_if<For>(&s.op))
      return follow(*loop);
    if (auto *branch = std::get_if<If>(&s.op)) {
      const Block &taken = at_.numbers[branch->condition] ? branch->thenBlock : branch->elseBlock;
      if (!follow(taken))
        return false;
      give(branch->results, numbersOf(taken.yields));
      return true;
    }
    if (auto *role = std::get_if<Role>(&s.op))
      return !isIn(*role) || follow(*role);
    if (!executes(s))
      return true;
    idleRounds_ = 0;
    if (!visit_(s, at_))
      return false;
    if (auto *test = std::get_if<MbarrierTest>(&s.op))
      at_.numbers[test->result] = ++tests_;
    return true;
  }

  bool follow(const For &loop) {
    std::vector<int64_t> carried = numbersOf(loop.inits);
    for (int64_t round = 0; runs(loop, round); ++round) {
      if (round > 0 && ++idleRounds_ > mostIdleRounds) {
        endless_ = true;
        return false;
      }
      give(loop.iterArgs, carried);
      at_.numbers[loop.iv] = at_.numbers[loop.lower] + round * at_.numbers[loop.step];
      if (!follow(loop.body))
        return false;
      carried = numbersOf(loop.body.yields);
    }
    give(loop.results, carried);
    return true;
  }

  bool runs(const For &loop, int64_t round) const {
    if (loop.isWhile())
      return round == 0 || at_.numbers[loop.condition] != 0;
    const int64_t step = at_.numbers[loop.step];
    return step > 0 && at_.numbers[loop.lower] + __int128(round) * step < at_.numbers[loop.upper];
  }

  bool follow(const Role &role) {
    at_.role = &role;
    const bool on = follow(role.body);
    at_.role = nullptr;
    return on;
  }

  bool isIn(const Role &role) const {
    if (isAscend(at_.program.target)) // "aiv": both of them
      return at_.who.core.starts_with(role.core);
    const int number = at_.who.warp - role.firstWarp;
    return 0 <= number && number < role.warps;
  }

  bool executes(const Stmt &s) const {
    if (isAscend(at_.program.target))
      return pipeOf(s) == Pipe::all || pipeOf(s) == at_.who.pipe || isOfAllPipes(s);
    return s.exec == Exec::one         ? at_.warpInRole() == 0
           : s.exec == Exec::warpgroup ? at_.warpInRole() % 4 == 0
                                       : true;
  }

  /// Every pipe counts what unlocks mutexes; on 910B the scalar unit may stand at a wait for other
  /// cores.
  bool isOfAllPipes(const Stmt &s) const {
    return std::holds_alternative<Mutex>(s.op) ||
           (at_.program.target == Target::ascend910b && std::holds_alternative<CrossWait>(s.op));
  }

  Standpoint at_;
  const Visit &visit_;
  int64_t tests_ = 0;
  int64_t idleRounds_ = 0; // since the last operation
  bool endless_ = false;
};

} // namespace

/// A flag is set by the pipe in front of it, and holds up the one behind it.
Pipe pipeOf(const Stmt &s) {
  if (std::holds_alternative<Epoch>(s.op))
    return Pipe::all;
  if (auto *set = std::get_if<SetFlag>(&s.op))
    return set->source;
  if (auto *wait = std::get_if<WaitFlag>(&s.op))
    return wait->destination;
  return std::visit(
      [&](const auto &op) {
        if constexpr (requires { Pipe{op.pipe}; })
          return op.pipe;
        else
          return s.pipe;
      },
      s.op);
}

bool followCourse(const Program &program, const Launch &launch, const Who &who,
                  const Visit &visit) {
  return Course(program, launch, who, visit).run();
}

std::vector<int64_t> gridOf(const Program &program, const Launch &launch) {
  Standpoint at{program, launch, {}, nullptr, std::vector<int64_t>(program.values, 0)};
  std::vector<int64_t> extents;
  for (const Stmt &s : program.body.stmts) {
    if (auto *scalar = std::get_if<Scalar>(&s.op))
      at.numbers[scalar->result] = numberOf(*scalar, at);
    if (auto *grid = std::get_if<Grid>(&s.op)) {
      for (const ValueId v : grid->extents)
        extents.push_back(at.numbers[v]);
      break;
    }
  }
  return extents;
}

bool anyStatement(const Block &block, const std::function<bool(const Stmt &)> &isLikeThat) {
  for (const Stmt &s : block.stmts) {
    bool found = isLikeThat(s);
    if (auto *loop = std::get_if<For>(&s.op))
      found = found || anyStatement(loop->body, isLikeThat);
    if (auto *branch = std::get_if<If>(&s.op))
      found = found || anyStatement(branch->thenBlock, isLikeThat) ||
              anyStatement(branch->elseBlock, isLikeThat);
    if (auto *role = std::get_if<Role>(&s.op))
      found = found || anyStatement(role->body, isLikeThat);
    if (found)
      return true;
  }
  return false;
}

} // namespace sluice::explorer

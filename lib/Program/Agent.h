// An agent of one launch: a warp of a CTA, or a pipe of an Ascend core, with integers as scalars.
#pragma once

#include "Program/Walker.h"

#include <functional>

namespace sluice {

/// Run-time values of one launch.
class LaunchScalars {
public:
  using Value = int64_t;
  static constexpr int64_t mostIdleRounds = 1 << 20;

  explicit LaunchScalars(const Program &program, const Launch &launch)
      : program_(&program), launch_(&launch) {}

  int64_t scalar(const Scalar &s, const std::vector<int64_t> &frame, const AgentPosition &at) const;
  int64_t coordinate(int dimension, const AgentPosition &at) const {
    return at.id().cta[dimension];
  }
  bool skips(const For &, const AgentPosition &, const std::vector<int64_t> &) const {
    return false;
  }
  std::optional<bool> holds(int64_t value) const { return value != 0; }
  std::optional<bool> iterates(const For &f, int64_t iteration,
                               const std::vector<int64_t> &frame) const {
    if (f.isWhile())
      return iteration == 0 || frame[f.condition] != 0;
    return frame[f.step] > 0 && frame[f.lower] + iteration * frame[f.step] < frame[f.upper];
  }
  int64_t inductionValue(const For &f, int64_t iteration, const std::vector<int64_t> &frame) const {
    return frame[f.lower] + iteration * frame[f.step];
  }
  void entered(const For &) const {}
  void advanced(const For &, int64_t) const {}
  void left(const For &) const {}
  /// A scalar load that named no element of its tensor, the first one.
  const Scalar *outside() const { return outside_; }

private:
  const Program *program_;
  const Launch *launch_;
  mutable const Scalar *outside_ = nullptr;
};

class Agent : public Walker<LaunchScalars> {
public:
  Agent(const Program &program, const Launch &launch, AgentId id)
      : Walker(program, std::move(id), LaunchScalars(program, launch)) {}

  int64_t value(ValueId v) const { return frame()[v]; }
  int64_t value(const Index &i) const {
    return i.constant + (i.isConstant() ? 0 : frame()[i.value]);
  }
};

/// What an operation of arithmetic, comparison or cursors gives for integers; `immediate`: the
/// slots of a cursor's ring. Division by zero gives 0.
int64_t arithmetic(ScalarOp op, const int64_t *operands, size_t count, int64_t immediate);

/// What a scalar load reads; nothing where the tensor has no such element.
std::optional<int64_t> integerAt(const Launch &launch, int tensor,
                                 const std::vector<int64_t> &index);

/// Rank of a CTA in its cluster.
int64_t clusterRank(const Program &p, const AgentId &id);

/// Extents of the grid for a launch; rank Program::gridRank.
std::vector<int64_t> gridExtents(const Program &program, const Launch &launch);
/// Why no launch has so many CTAs; empty: one can.
std::string gridFault(const std::vector<int64_t> &extents);

/// Threads of one warp that execute an operation: 32, or the elected one.
inline int64_t threadsOfWarp(Exec exec) {
  return exec == Exec::threads ? 32 : 1;
}

/// Whether agents add to counters in global memory.
bool usesCounters(const Program &program);
/// Whether agents ask for clusters that have not been launched.
bool cancelsLaunches(const Program &program);
/// Whether some wait for a counter, which joins the CTAs of a grid; by tensor.
std::vector<bool> awaitedCounters(const Program &program);
/// Whether what an agent does next depends on numbers that agents write while they run.
bool readsNumbers(const Program &program);

/// Tensors whose elements scalar loads read.
std::vector<bool> scalarTensors(const Program &program);

/// Visits every statement, outer before inner.
void walk(const Block &block, const std::function<void(const Stmt &)> &visit);

} // namespace sluice

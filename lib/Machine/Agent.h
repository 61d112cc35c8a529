// An agent walks one program: a warp of a CTA, or a pipe of an Ascend core. It runs scalars and
// control flow by itself and stops at every operation that touches memory or synchronisation.
#pragma once

#include "Machine/Program.h"

#include <array>
#include <functional>

namespace sluice {

struct AgentId {
  std::array<int64_t, 3> cta{0, 0, 0}; // coordinates in the grid (CTA or core)
  int warp = 0;                        // NVIDIA: warp of the CTA
  std::string core;                    // Ascend: "aic", "aiv0", "aiv1"
  Pipe pipe = Pipe::none;              // Ascend
};

class Agent {
public:
  Agent(const Program &program, const Launch &launch, AgentId id);

  /// The operation this agent executes next (never a Scalar, Grid, For, If or Role); null at the
  /// end.
  const Stmt *current() const { return current_; }
  /// Goes past current(). Not to be called at the end.
  void advance();

  int64_t value(ValueId v) const { return frame_[v]; }
  int64_t value(const Index &i) const {
    return i.constant + (i.isConstant() ? 0 : frame_[i.value]);
  }
  const AgentId &id() const { return id_; }
  /// Role that the agent is in; null outside roles.
  const Role *role() const { return role_; }
  /// Warp counted from the role's first (from warp 0 outside roles), and warps that share the code.
  int warpInRole() const { return id_.warp - (role_ ? role_->firstWarp : 0); }
  int warpsInRole() const { return role_ ? role_->warps : program_->warps; }
  /// Iterations begun of loops marked `pipelined`.
  int64_t pipelinedIterations() const { return pipelinedIterations_; }
  /// Number of the pipelined loop's iteration that the agent is in, counted over all entries; -1
  /// outside.
  int64_t pipelinedIteration() const;

private:
  struct Frame {
    const Block *block;
    size_t next;
    const Stmt *owner; // For, If or Role statement; null for the body
  };
  bool executes(const Stmt &s) const;
  void settle(); // runs scalars and control flow up to the next operation
  void runScalar(const Scalar &s);
  void enterFor(const Stmt &s, const For &f);
  bool enterRole(const Role &r) const;
  void leaveBlock();

  const Program *program_;
  const Launch *launch_;
  AgentId id_;
  std::vector<int64_t> frame_;
  std::vector<Frame> stack_;
  const Stmt *current_ = nullptr;
  const Role *role_ = nullptr;
  int64_t pipelinedIterations_ = 0;
};

/// Extents of the grid for a launch; rank Program::gridRank.
std::vector<int64_t> gridExtents(const Program &program, const Launch &launch);

/// The pipe whose agent runs an Ascend statement; Pipe::all: every pipe of the core.
Pipe executingPipe(const Stmt &s);

/// Threads of one warp that execute an operation: 32, or the elected one.
inline int64_t threadsOfWarp(Exec exec) {
  return exec == Exec::threads ? 32 : 1;
}

/// Visits every statement, outer before inner.
void walk(const Block &block, const std::function<void(const Stmt &)> &visit);

} // namespace sluice

// How an agent walks a structured program: scalars and control flow run by themselves, and it stops
// at every operation that touches memory or synchronisation. `Scalars` gives the values: integers
// of one launch (Program/Agent.h), or terms over unknown trip counts (Verify/Terms.h).
#pragma once

#include "Program/Program.h"

#include <array>
#include <optional>
#include <utility>

namespace sluice {

struct AgentId {
  std::array<int64_t, 3> cta{0, 0, 0}; // coordinates in the grid (CTA or core)
  int warp = 0;                        // NVIDIA: warp of the CTA
  std::string core;                    // Ascend: "aic", "aiv0", "aiv1"
  Pipe pipe = Pipe::none;              // Ascend
};

/// The pipe whose agent runs an Ascend statement; Pipe::all: every pipe of the core.
Pipe executingPipe(const Stmt &s);

/// Who an agent is and which role it is in.
class AgentPosition {
public:
  AgentPosition(const Program &program, AgentId id) : program_(&program), id_(std::move(id)) {}

  const AgentId &id() const { return id_; }
  /// Role that the agent is in; null outside roles.
  const Role *role() const { return role_; }
  /// Warp counted from the role's first (from warp 0 outside roles), and warps that share the code.
  int warpInRole() const { return id_.warp - (role_ ? role_->firstWarp : 0); }
  int warpsInRole() const { return role_ ? role_->warps : program_->warps; }

  /// Whether an operation (Ascend: one of the agent's core) is this agent's, if only to count it.
  bool executes(const Stmt &s) const;
  bool enters(const Role &r) const;

protected:
  const Program *program_;
  AgentId id_;
  const Role *role_ = nullptr;
};

/// `Scalars` has a type Value, mostIdleRounds (see endless) and
///   Value scalar(const Scalar &, const std::vector<Value> &frame, const AgentPosition &)
///   Value coordinate(int dimension, const AgentPosition &)
///   bool skips(const For &, const AgentPosition &, const std::vector<Value> &frame): nothing in
///   the loop is the agent's std::optional<bool> holds(Value): nothing while it is undecided
///   std::optional<bool> iterates(const For &, int64_t iteration, const std::vector<Value> &frame)
///   Value inductionValue(const For &, int64_t iteration, const std::vector<Value> &frame)
///   void entered(const For &), void advanced(const For &, int64_t iteration), void left(const For
///   &)
template <typename Scalars> class Walker : public AgentPosition {
public:
  using Value = typename Scalars::Value;

  struct Frame {
    const Block *block;
    size_t next;
    const Stmt *owner;     // For, If or Role statement; null for the body
    int64_t iteration = 0; // of a For
  };

  Walker(const Program &program, AgentId id, Scalars scalars)
      : AgentPosition(program, std::move(id)), scalars_(std::move(scalars)),
        frame_(program.values, Value{}) {
    stack_.push_back({&program.body, 0, nullptr});
    settle();
  }

  /// The operation this agent executes next (never a Scalar, Grid, For, If or Role); null at the
  /// end, and while the agent is undecided.
  const Stmt *current() const { return current_; }
  /// Goes past current(). Not to be called at the end.
  void advance() {
    current_ = nullptr;
    settle();
  }
  /// The next branch or iteration depends on something that is not known yet.
  bool undecided() const { return undecided_; }
  /// More is known now.
  void decide() {
    undecided_ = false;
    settle();
  }

  /// The loop that the agent went round `mostIdleRounds` times without meeting an operation of its
  /// own: it has been given up, and current() is null from then on. Null: none.
  const Stmt *endless() const { return endless_; }
  static constexpr int64_t mostIdleRounds = Scalars::mostIdleRounds;

  /// Iterations begun of loops marked `pipelined`.
  int64_t pipelinedIterations() const { return pipelinedIterations_; }
  /// Number of the pipelined loop's iteration that the agent is in, counted over all entries; -1
  /// outside.
  int64_t pipelinedIteration() const {
    for (const Frame &f : stack_) {
      auto *loop = f.owner ? std::get_if<For>(&f.owner->op) : nullptr;
      if (loop && loop->pipelined)
        return pipelinedIterations_ - 1;
    }
    return -1;
  }

  /// What the current operation gives.
  void set(ValueId result, Value value) { frame_[result] = value; }

  const std::vector<Frame> &stack() const { return stack_; }
  /// Round loops without an operation, on the way to the current one.
  int64_t idleRounds() const { return idleRounds_; }
  const std::vector<Value> &frame() const { return frame_; }
  Scalars &scalars() { return scalars_; }
  const Scalars &scalars() const { return scalars_; }

private:
  /// Every pass of this loop goes past a statement, or round a loop, and idleRounds_ counts those.
  void settle() {
    idleRounds_ = 0;
    while (!stack_.empty()) {
      Frame &top = stack_.back();
      if (top.next == top.block->stmts.size()) {
        if (!leaveBlock())
          return;
        if (idleRounds_ > mostIdleRounds) {
          endless_ = stack_.back().owner;
          stack_.clear();
        }
        continue;
      }
      const Stmt &s = top.block->stmts[top.next];
      if (current_ = meets(s); current_ || undecided_)
        return;
    }
  }

  /// Goes past a statement of control or scalars; returns an operation that the agent executes.
  const Stmt *meets(const Stmt &s) {
    if (auto *loop = std::get_if<For>(&s.op)) {
      enterFor(s, *loop);
    } else if (auto *branch = std::get_if<If>(&s.op)) {
      enterIf(s, *branch);
    } else {
      ++stack_.back().next;
      if (auto *scalar = std::get_if<Scalar>(&s.op)) {
        frame_[scalar->result] = scalars_.scalar(*scalar, frame_, *this);
      } else if (auto *grid = std::get_if<Grid>(&s.op)) {
        for (size_t d = 0; d < grid->results.size(); ++d)
          frame_[grid->results[d]] = scalars_.coordinate(static_cast<int>(d), *this);
      } else if (auto *role = std::get_if<Role>(&s.op)) {
        if (enters(*role)) {
          role_ = role;
          stack_.push_back({&role->body, 0, &s});
        }
      } else if (executes(s)) {
        return &s;
      }
    }
    return nullptr;
  }

  void enterFor(const Stmt &s, const For &f) {
    if (scalars_.skips(f, *this, frame_)) {
      ++stack_.back().next;
      return;
    }
    const std::optional<bool> runs = scalars_.iterates(f, 0, frame_);
    if (!runs) {
      undecided_ = true;
      return;
    }
    ++stack_.back().next;
    const std::vector<ValueId> &targets = *runs ? f.iterArgs : f.results;
    for (size_t i = 0; i < targets.size(); ++i)
      frame_[targets[i]] = frame_[f.inits[i]];
    scalars_.entered(f);
    if (!*runs)
      return scalars_.left(f);
    frame_[f.iv] = scalars_.inductionValue(f, 0, frame_);
    pipelinedIterations_ += f.pipelined;
    stack_.push_back({&f.body, 0, &s});
  }

  void enterIf(const Stmt &s, const If &branch) {
    const std::optional<bool> taken = scalars_.holds(frame_[branch.condition]);
    if (!taken) {
      undecided_ = true;
      return;
    }
    ++stack_.back().next;
    stack_.push_back({*taken ? &branch.thenBlock : &branch.elseBlock, 0, &s});
  }

  /// False: whether the loop goes on is undecided.
  bool leaveBlock() {
    const Frame done = stack_.back();
    auto *loop = done.owner ? std::get_if<For>(&done.owner->op) : nullptr;
    bool again = false;
    if (loop) {
      const std::optional<bool> more = scalars_.iterates(*loop, done.iteration + 1, frame_);
      if (!more)
        undecided_ = true;
      if (!more)
        return false;
      again = *more;
    }
    stack_.pop_back();
    if (!done.owner)
      return true;
    if (std::holds_alternative<Role>(done.owner->op)) {
      role_ = nullptr;
      return true;
    }
    std::vector<Value> yielded;
    for (ValueId v : done.block->yields)
      yielded.push_back(frame_[v]);
    const std::vector<ValueId> &targets = !loop   ? std::get<If>(done.owner->op).results
                                          : again ? loop->iterArgs
                                                  : loop->results;
    for (size_t i = 0; i < targets.size(); ++i)
      frame_[targets[i]] = yielded[i];
    if (again)
      repeat(*loop, done);
    else if (loop)
      scalars_.left(*loop);
    return true;
  }

  void repeat(const For &f, Frame done) {
    ++idleRounds_;
    ++done.iteration;
    done.next = 0;
    scalars_.advanced(f, done.iteration);
    frame_[f.iv] = scalars_.inductionValue(f, done.iteration, frame_);
    pipelinedIterations_ += f.pipelined;
    stack_.push_back(done);
  }

  Scalars scalars_;
  std::vector<Value> frame_;
  std::vector<Frame> stack_;
  const Stmt *current_ = nullptr;
  bool undecided_ = false;
  int64_t pipelinedIterations_ = 0;
  int64_t idleRounds_ = 0; // since the last operation
  const Stmt *endless_ = nullptr;
};

} // namespace sluice

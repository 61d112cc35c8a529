#include "Machine/Agent.h"

#include <algorithm>

namespace sluice {
namespace {

int64_t floorDiv(int64_t a, int64_t b) {
  return b == 0 ? 0 : a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/// The ring position `n` steps after `cursor`: the phase flips with every wrap (PTX ISA, mbarrier
/// parity).
int64_t advanceCursor(int64_t cursor, int64_t n, int64_t slots) {
  int64_t slot = (cursor >> 1) + n, wraps = floorDiv(slot, slots);
  return (slot - wraps * slots) * 2 + ((cursor + wraps) & 1);
}

int64_t arithmetic(ScalarOp op, const int64_t *a) {
  switch (op) {
  case ScalarOp::add:
    return a[0] + a[1];
  case ScalarOp::sub:
    return a[0] - a[1];
  case ScalarOp::mul:
    return a[0] * a[1];
  case ScalarOp::divS:
    return a[1] == 0 ? 0 : a[0] / a[1];
  case ScalarOp::remS:
    return a[1] == 0 ? 0 : a[0] % a[1];
  case ScalarOp::ceilDiv:
    return -floorDiv(-a[0], a[1]);
  case ScalarOp::minS:
    return std::min(a[0], a[1]);
  case ScalarOp::maxS:
    return std::max(a[0], a[1]);
  case ScalarOp::andI:
    return a[0] & a[1];
  case ScalarOp::orI:
    return a[0] | a[1];
  case ScalarOp::xorI:
    return a[0] ^ a[1];
  case ScalarOp::shl:
    return static_cast<int64_t>(static_cast<uint64_t>(a[0]) << (a[1] & 63));
  case ScalarOp::shrS:
    return a[0] >> (a[1] & 63);
  case ScalarOp::eq:
    return a[0] == a[1];
  case ScalarOp::ne:
    return a[0] != a[1];
  case ScalarOp::lt:
    return a[0] < a[1];
  case ScalarOp::le:
    return a[0] <= a[1];
  case ScalarOp::gt:
    return a[0] > a[1];
  case ScalarOp::ge:
    return a[0] >= a[1];
  default: // select
    return a[0] ? a[1] : a[2];
  }
}

/// What a scalar operation may look at besides its operands.
struct ScalarContext {
  const Program &program;
  const Launch &launch;
  const AgentId &id;
  int warpInRole;
};

int64_t clusterRank(const Program &p, const AgentId &id) {
  int64_t rank = 0;
  for (int d = 2; d >= 0; --d)
    rank = rank * p.cluster[d] + id.cta[d] % p.cluster[d];
  return rank;
}

int64_t evaluateScalar(const Scalar &s, const ScalarContext &c, const std::vector<int64_t> &frame) {
  int64_t a[3] = {0, 0, 0};
  for (size_t i = 0; i < s.operands.size() && i < 3; ++i)
    a[i] = frame[s.operands[i]];
  switch (s.op) {
  case ScalarOp::constant:
    return s.imm;
  case ScalarOp::dim:
    return c.launch.tensors[s.object].extents[s.imm];
  case ScalarOp::argument:
    return c.launch.arguments[s.object];
  case ScalarOp::cursorInit:
    return s.operands.empty() ? 0 : (a[0] & 1);
  case ScalarOp::cursorAdvance:
    return advanceCursor(a[0], s.operands.size() > 1 ? a[1] : 1, std::max<int64_t>(s.imm, 1));
  case ScalarOp::cursorSlot:
    return a[0] >> 1;
  case ScalarOp::cursorPhase:
    return a[0] & 1;
  case ScalarOp::warpInRole:
    return c.warpInRole;
  case ScalarOp::subblock:
    return c.id.core == "aiv1";
  case ScalarOp::clusterRank:
    return clusterRank(c.program, c.id);
  default:
    return arithmetic(s.op, a);
  }
}

} // namespace

Pipe executingPipe(const Stmt &s) {
  if (auto *set = std::get_if<SetFlag>(&s.op))
    return set->source;
  if (auto *wait = std::get_if<WaitFlag>(&s.op))
    return wait->destination;
  if (auto *barrier = std::get_if<PipeBarrier>(&s.op))
    return barrier->pipe;
  if (auto *set = std::get_if<CrossSet>(&s.op))
    return set->pipe;
  if (auto *wait = std::get_if<CrossWait>(&s.op))
    return wait->pipe;
  return std::holds_alternative<Epoch>(s.op) ? Pipe::all : s.pipe;
}

Agent::Agent(const Program &program, const Launch &launch, AgentId id)
    : program_(&program), launch_(&launch), id_(std::move(id)), frame_(program.values, 0) {
  stack_.push_back({&program.body, 0, nullptr});
  settle();
}

void Agent::advance() {
  current_ = nullptr;
  settle();
}

bool Agent::executes(const Stmt &s) const {
  if (isAscend(program_->target)) {
    Pipe pipe = executingPipe(s);
    return pipe == Pipe::all || pipe == id_.pipe;
  }
  switch (s.exec) {
  case Exec::warpgroup:
    return warpInRole() % 4 == 0;
  case Exec::one:
    return warpInRole() == 0;
  default:
    return true;
  }
}

bool Agent::enterRole(const Role &r) const {
  if (isAscend(program_->target))
    return r.core.empty() || id_.core.compare(0, r.core.size(), r.core) == 0;
  return id_.warp >= r.firstWarp && id_.warp < r.firstWarp + r.warps;
}

void Agent::runScalar(const Scalar &s) {
  frame_[s.result] = evaluateScalar(s, {*program_, *launch_, id_, warpInRole()}, frame_);
}

void Agent::enterFor(const Stmt &s, const For &f) {
  bool runs = frame_[f.lower] < frame_[f.upper] && frame_[f.step] > 0;
  const std::vector<ValueId> &targets = runs ? f.iterArgs : f.results;
  for (size_t i = 0; i < targets.size(); ++i)
    frame_[targets[i]] = frame_[f.inits[i]];
  if (!runs)
    return;
  frame_[f.iv] = frame_[f.lower];
  pipelinedIterations_ += f.pipelined;
  stack_.push_back({&f.body, 0, &s});
}

void Agent::leaveBlock() {
  Frame done = stack_.back();
  stack_.pop_back();
  if (!done.owner)
    return;
  if (std::holds_alternative<Role>(done.owner->op)) {
    role_ = nullptr;
    return;
  }
  std::vector<int64_t> yielded;
  for (ValueId v : done.block->yields)
    yielded.push_back(frame_[v]);
  const std::vector<ValueId> *targets = nullptr;
  if (auto *f = std::get_if<For>(&done.owner->op)) {
    frame_[f->iv] += frame_[f->step];
    bool again = frame_[f->iv] < frame_[f->upper];
    targets = again ? &f->iterArgs : &f->results;
    if (again) {
      pipelinedIterations_ += f->pipelined;
      stack_.push_back({done.block, 0, done.owner});
    }
  } else {
    targets = &std::get<If>(done.owner->op).results;
  }
  for (size_t i = 0; i < targets->size(); ++i)
    frame_[(*targets)[i]] = yielded[i];
}

int64_t Agent::pipelinedIteration() const {
  for (const Frame &f : stack_) {
    auto *loop = f.owner ? std::get_if<For>(&f.owner->op) : nullptr;
    if (loop && loop->pipelined)
      return pipelinedIterations_ - 1;
  }
  return -1;
}

void Agent::settle() {
  while (!stack_.empty()) {
    Frame &top = stack_.back();
    if (top.next == top.block->stmts.size()) {
      leaveBlock();
      continue;
    }
    const Stmt &s = top.block->stmts[top.next++];
    if (auto *scalar = std::get_if<Scalar>(&s.op)) {
      runScalar(*scalar);
    } else if (auto *grid = std::get_if<Grid>(&s.op)) {
      for (size_t d = 0; d < grid->results.size(); ++d)
        frame_[grid->results[d]] = id_.cta[d];
    } else if (auto *loop = std::get_if<For>(&s.op)) {
      enterFor(s, *loop);
    } else if (auto *branch = std::get_if<If>(&s.op)) {
      stack_.push_back(
          {frame_[branch->condition] ? &branch->thenBlock : &branch->elseBlock, 0, &s});
    } else if (auto *role = std::get_if<Role>(&s.op)) {
      if (enterRole(*role)) {
        role_ = role;
        stack_.push_back({&role->body, 0, &s});
      }
    } else if (executes(s)) {
      current_ = &s;
      return;
    }
  }
}

std::vector<int64_t> gridExtents(const Program &program, const Launch &launch) {
  std::vector<int64_t> frame(program.values, 0), extents;
  AgentId id;
  for (const Stmt &s : program.body.stmts) {
    if (auto *scalar = std::get_if<Scalar>(&s.op))
      frame[scalar->result] = evaluateScalar(*scalar, {program, launch, id, 0}, frame);
    if (auto *grid = std::get_if<Grid>(&s.op)) {
      for (ValueId v : grid->extents)
        extents.push_back(frame[v]);
      break;
    }
  }
  return extents;
}

void walk(const Block &block, const std::function<void(const Stmt &)> &visit) {
  for (const Stmt &s : block.stmts) {
    visit(s);
    if (auto *loop = std::get_if<For>(&s.op)) {
      walk(loop->body, visit);
    } else if (auto *branch = std::get_if<If>(&s.op)) {
      walk(branch->thenBlock, visit);
      walk(branch->elseBlock, visit);
    } else if (auto *role = std::get_if<Role>(&s.op)) {
      walk(role->body, visit);
    }
  }
}

} // namespace sluice

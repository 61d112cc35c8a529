#include "Program/Agent.h"

#include "Program/Blocks.h"
#include "Program/OperationFacts.h"
#include "Program/Watchers.h"

#include <algorithm>

namespace sluice {
namespace {

/// Towards zero; 0 where there is none, and around the end of the range.
int64_t quotient(int64_t a, int64_t b) {
  return b == 0 ? 0 : b == -1 ? static_cast<int64_t>(-static_cast<uint64_t>(a)) : a / b;
}

int64_t remainder(int64_t a, int64_t b) {
  return b == 0 || b == -1 ? 0 : a % b;
}

int64_t floorDiv(int64_t a, int64_t b) {
  return quotient(a, b) - (remainder(a, b) != 0 && (a < 0) != (b < 0));
}

int64_t ceilDiv(int64_t a, int64_t b) {
  return quotient(a, b) + (remainder(a, b) != 0 && (a < 0) == (b < 0));
}

/// The ring position `n` steps after `cursor`: the phase flips with every wrap (PTX ISA, mbarrier
/// parity).
int64_t advanceCursor(int64_t cursor, int64_t n, int64_t slots) {
  int64_t slot = (cursor >> 1) + n, wraps = floorDiv(slot, slots);
  return (slot - wraps * slots) * 2 + ((cursor + wraps) & 1);
}

int64_t wrapped(uint64_t n) {
  return static_cast<int64_t>(n);
}

int64_t plainArithmetic(ScalarOp op, const int64_t *a) {
  switch (op) {
  case ScalarOp::add:
    return wrapped(uint64_t(a[0]) + uint64_t(a[1]));
  case ScalarOp::sub:
    return wrapped(uint64_t(a[0]) - uint64_t(a[1]));
  case ScalarOp::mul:
    return wrapped(uint64_t(a[0]) * uint64_t(a[1]));
  case ScalarOp::divS:
    return quotient(a[0], a[1]);
  case ScalarOp::remS:
    return remainder(a[0], a[1]);
  case ScalarOp::ceilDiv:
    return ceilDiv(a[0], a[1]);
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

} // namespace

int64_t arithmetic(ScalarOp op, const int64_t *a, size_t count, int64_t immediate) {
  switch (op) {
  case ScalarOp::cursorInit:
    return count == 0 ? 0 : (a[0] & 1);
  case ScalarOp::cursorAdvance:
    return advanceCursor(a[0], count > 1 ? a[1] : 1, std::max<int64_t>(immediate, 1));
  case ScalarOp::cursorSlot:
    return a[0] >> 1;
  case ScalarOp::cursorPhase:
    return a[0] & 1;
  default:
    return plainArithmetic(op, a);
  }
}

int64_t clusterRank(const Program &p, const AgentId &id) {
  int64_t rank = 0;
  for (int d = 2; d >= 0; --d)
    rank = rank * p.cluster[d] + id.cta[d] % p.cluster[d];
  return rank;
}

std::optional<int64_t> integerAt(const Launch &launch, int tensor,
                                 const std::vector<int64_t> &index) {
  const Launch::Shape &shape = launch.tensors[tensor];
  if (shape.integers.empty())
    return 1;
  int64_t at = 0;
  for (size_t d = 0; d < index.size(); ++d) {
    if (index[d] < 0 || index[d] >= shape.extents[d])
      return {};
    at = at * shape.extents[d] + index[d];
  }
  return shape.integers[at];
}

int64_t LaunchScalars::scalar(const Scalar &s, const std::vector<int64_t> &frame,
                              const AgentPosition &at) const {
  switch (s.op) {
  case ScalarOp::constant:
    return s.imm;
  case ScalarOp::dim:
    return launch_->tensors[s.object].extents[s.imm];
  case ScalarOp::argument:
    return launch_->arguments[s.object];
  case ScalarOp::warpInRole:
    return at.warpInRole();
  case ScalarOp::subblock:
    return at.id().core == "aiv1";
  case ScalarOp::clusterRank:
    return clusterRank(*program_, at.id());
  case ScalarOp::load: {
    std::vector<int64_t> index;
    for (const ValueId v : s.operands)
      index.push_back(frame[v]);
    const std::optional<int64_t> read = integerAt(*launch_, s.object, index);
    if (!read && !outside_)
      outside_ = &s;
    return read.value_or(0);
  }
  default:
    break;
  }
  int64_t a[3] = {0, 0, 0};
  for (size_t i = 0; i < s.operands.size() && i < 3; ++i)
    a[i] = frame[s.operands[i]];
  return arithmetic(s.op, a, s.operands.size(), s.imm);
}

Pipe executingPipe(const Stmt &s) {
  if (auto *set = std::get_if<SetFlag>(&s.op))
    return set->source;
  if (auto *wait = std::get_if<WaitFlag>(&s.op))
    return wait->destination;
  if (auto *barrier = std::get_if<PipeBarrier>(&s.op))
    return barrier->pipe;
  if (auto *mutex = std::get_if<Mutex>(&s.op))
    return mutex->pipe;
  if (auto *set = std::get_if<CrossSet>(&s.op))
    return set->pipe;
  if (auto *wait = std::get_if<CrossWait>(&s.op))
    return wait->pipe;
  return std::holds_alternative<Epoch>(s.op) ? Pipe::all : s.pipe;
}

bool AgentPosition::executes(const Stmt &s) const {
  if (isAscend(program_->target))
    return (pipesOf(s) & bitOf(id_.pipe)) != 0;
  switch (s.exec) {
  case Exec::warpgroup:
    return warpInRole() % 4 == 0;
  case Exec::one:
    return warpInRole() == 0;
  default:
    return true;
  }
}

bool AgentPosition::enters(const Role &r) const {
  if (isAscend(program_->target))
    return r.core.empty() || id_.core.compare(0, r.core.size(), r.core) == 0;
  return id_.warp >= r.firstWarp && id_.warp < r.firstWarp + r.warps;
}

std::vector<int64_t> gridExtents(const Program &program, const Launch &launch) {
  std::vector<int64_t> frame(program.values, 0), extents;
  const LaunchScalars scalars(program, launch);
  const AgentPosition nobody(program, {});
  for (const Stmt &s : program.body.stmts) {
    if (auto *scalar = std::get_if<Scalar>(&s.op))
      frame[scalar->result] = scalars.scalar(*scalar, frame, nobody);
    if (auto *grid = std::get_if<Grid>(&s.op)) {
      for (ValueId v : grid->extents)
        extents.push_back(frame[v]);
      break;
    }
  }
  return extents;
}

std::string gridFault(const std::vector<int64_t> &extents) {
  constexpr int64_t mostOfSide = INT32_MAX, most = int64_t(1) << 36;
  int64_t total = 1;
  for (size_t d = 0; d < extents.size(); ++d) {
    if (extents[d] < 0 || extents[d] > mostOfSide)
      return "the launch has " + std::to_string(extents[d]) + " CTAs in dimension " +
             std::to_string(d) + "; 0 to 2^31 - 1 are possible";
    if (extents[d] > 0 && total > most / extents[d])
      return "the launch has more than 2^36 CTAs";
    total *= extents[d];
  }
  return "";
}

bool usesCounters(const Program &program) {
  bool found = false;
  walk(program.body, [&](const Stmt &s) { found |= counterDeed(s.op).counter != nullptr; });
  return found;
}

bool cancelsLaunches(const Program &program) {
  bool found = false;
  walk(program.body, [&](const Stmt &s) { found |= std::holds_alternative<ClcTryCancel>(s.op); });
  return found;
}

std::vector<bool> awaitedCounters(const Program &program) {
  std::vector<bool> awaited(program.tensors.size(), false);
  walk(program.body, [&](const Stmt &s) {
    if (const CounterDeed deed = counterDeed(s.op); deed.kind == CounterDeed::wait)
      awaited[deed.counter->object] = true;
  });
  return awaited;
}

bool readsNumbers(const Program &program) {
  bool found = false;
  walk(program.body, [&](const Stmt &s) { found |= numberOf(s.op) != kNone; });
  return found;
}

std::vector<bool> scalarTensors(const Program &program) {
  std::vector<bool> read(program.tensors.size(), false);
  walk(program.body, [&](const Stmt &s) {
    if (auto *scalar = std::get_if<Scalar>(&s.op); scalar && scalar->op == ScalarOp::load)
      read[scalar->object] = true;
  });
  return read;
}

void walk(const Block &block, const std::function<void(const Stmt &)> &visit) {
  for (const Stmt &s : block.stmts) {
    visit(s);
    forBlocks(s, [&visit](const Block &inner) { walk(inner, visit); });
  }
}

} // namespace sluice

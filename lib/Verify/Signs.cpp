#include "Verify/Signs.h"

#include "Program/Agent.h"
#include "Program/Blocks.h"
#include "Program/OperationFacts.h"
#include "Verify/Terms.h"

#include <algorithm>
#include <set>

namespace sluice {
namespace {

/// Starts with all and takes away what may be negative until nothing changes: values that loops
/// hand on are judged by all that flows into them.
class Signs {
public:
  explicit Signs(const Program &program) : holds_(program.values, true) {
    walk(program.body, [&](const Stmt &s) { place(program, s); });
    do {
      changed_ = false;
      walk(program.body, [this](const Stmt &s) { statement(s); });
    } while (changed_);
  }

  std::vector<bool> holds_;

private:
  void refute(ValueId v) {
    if (v == kNone || !holds_[v])
      return;
    holds_[v] = false;
    changed_ = true;
  }

  void flow(const std::vector<ValueId> &from, const std::vector<ValueId> &to) {
    for (size_t i = 0; i < from.size() && i < to.size(); ++i)
      if (!holds_[from[i]])
        refute(to[i]);
  }

  /// Coordinates of which the rank in the cluster is a remainder, and ranks.
  void place(const Program &program, const Stmt &s) {
    if (auto *scalar = std::get_if<Scalar>(&s.op); scalar && scalar->op == ScalarOp::clusterRank)
      ranks_.insert(scalar->result);
    const int64_t *c = program.cluster;
    if (auto *grid = std::get_if<Grid>(&s.op))
      for (size_t d = 0; d < grid->results.size(); ++d)
        if (c[d] == c[0] * c[1] * c[2])
          ranked_.insert(grid->results[d]);
  }

  void statement(const Stmt &s) {
    if (auto *scalar = std::get_if<Scalar>(&s.op)) {
      if (!follows(*scalar))
        refute(scalar->result);
    } else {
      auto *loop = std::get_if<For>(&s.op);
      if (loop && (loop->isWhile() || !holds_[loop->lower])) // a loop counts up
        refute(loop->iv);
      refute(numberOf(s.op));
      forFlows(s, [this](const auto &from, const auto &to) { flow(from, to); });
    }
  }

  bool follows(const Scalar &s) const {
    const auto operand = [&](size_t i) -> bool { return holds_[s.operands[i]]; };
    switch (s.op) {
    case ScalarOp::constant:
      return s.imm >= 0;
    case ScalarOp::argument:
    case ScalarOp::load:
      return false;
    case ScalarOp::sub: // the first CTA of the cluster
      return ranked_.contains(s.operands[0]) && ranks_.contains(s.operands[1]);
    case ScalarOp::remS: // has the sign of what is divided
    case ScalarOp::shl:
    case ScalarOp::shrS:
      return operand(0);
    case ScalarOp::maxS:
    case ScalarOp::andI:
      return operand(0) || operand(1);
    case ScalarOp::select:
      return operand(1) && operand(2);
    case ScalarOp::add:
    case ScalarOp::mul:
    case ScalarOp::divS:
    case ScalarOp::ceilDiv:
    case ScalarOp::minS:
    case ScalarOp::orI:
    case ScalarOp::xorI:
      return operand(0) && operand(1);
    default:
      return true; // extents, comparisons, cursors, numbers of warps and CTAs
    }
  }

  std::set<ValueId> ranked_, ranks_;
  bool changed_ = false;
};

} // namespace

std::vector<bool> neverNegative(const Program &program) {
  return std::move(Signs(program).holds_);
}

} // namespace sluice

#include "Emit/Operands.h"

#include "Program/Agent.h"
#include "Program/OperationFacts.h"
#include "Program/Uses.h"

#include <algorithm>

namespace sluice::emit {
namespace {

/// Which values anything depends on that the program does: scalars and carried values that only
/// feed each other are dead.
class Liveness {
public:
  explicit Liveness(const Program &program) : live_(program.values, false) {
    do {
      changed_ = false;
      block(program.body);
    } while (changed_);
  }
  bool operator[](ValueId v) const { return v >= 0 && v < int(live_.size()) && live_[v]; }

private:
  void mark(ValueId v) {
    if (v < 0 || v >= int(live_.size()) || live_[v])
      return;
    live_[v] = changed_ = true;
  }
  void block(const Block &b) {
    for (auto s = b.stmts.rbegin(); s != b.stmts.rend(); ++s)
      statement(*s);
  }
  void statement(const Stmt &s) {
    if (auto *f = std::get_if<For>(&s.op)) {
      for (ValueId v : {f->lower, f->upper, f->step, f->condition})
        mark(v);
      for (size_t i = 0; i < f->results.size(); ++i)
        if ((*this)[f->results[i]] || (*this)[f->iterArgs[i]]) {
          mark(f->inits[i]);
          mark(f->body.yields[i]);
        }
      block(f->body);
    } else if (auto *branch = std::get_if<If>(&s.op)) {
      mark(branch->condition);
      for (size_t i = 0; i < branch->results.size(); ++i)
        if ((*this)[branch->results[i]]) {
          mark(branch->thenBlock.yields[i]);
          mark(branch->elseBlock.yields[i]);
        }
      block(branch->thenBlock);
      block(branch->elseBlock);
    } else if (auto *role = std::get_if<Role>(&s.op)) {
      block(role->body);
    } else if (auto *scalar = std::get_if<Scalar>(&s.op); !scalar || (*this)[scalar->result]) {
      if (!std::holds_alternative<Grid>(s.op))
        forEachUse(s, [&](ValueId v) { mark(v); });
    }
  }

  std::vector<bool> live_;
  bool changed_ = false;
};

/// What reads its operands only for results that nothing depends on.
bool isDead(const Stmt &s, const Liveness &live) {
  auto *scalar = std::get_if<Scalar>(&s.op);
  return scalar && !live[scalar->result];
}

/// What is taken for one until something else is found in it.
class TruthValues {
public:
  explicit TruthValues(const Program &program) : truth_(program.values, true) {
    do {
      changed_ = false;
      walk(program.body, [this](const Stmt &s) { statement(s); });
    } while (changed_);
  }
  std::vector<bool> truth_;

private:
  void keep(ValueId v, bool truth) {
    if (v < 0 || truth || !truth_[v])
      return;
    truth_[v] = false;
    changed_ = true;
  }
  bool ofTruths(const Scalar &s) const {
    const auto isTruth = [this](ValueId v) { return truth_[v]; };
    const bool logic = s.op == ScalarOp::andI || s.op == ScalarOp::orI || s.op == ScalarOp::xorI;
    if (s.op == ScalarOp::select)
      return isTruth(s.operands[1]) && isTruth(s.operands[2]);
    return (s.op >= ScalarOp::eq && s.op <= ScalarOp::ge) ||
           (logic && std::ranges::all_of(s.operands, isTruth));
  }
  void statement(const Stmt &s) {
    if (auto *scalar = std::get_if<Scalar>(&s.op)) {
      keep(scalar->result, ofTruths(*scalar));
    } else if (auto *loop = std::get_if<For>(&s.op)) {
      keep(loop->iv, false);
      for (size_t i = 0; i < loop->iterArgs.size(); ++i)
        for (const ValueId v : {loop->iterArgs[i], loop->results[i]})
          keep(v, truth_[loop->inits[i]] && truth_[loop->body.yields[i]]);
    } else if (auto *branch = std::get_if<If>(&s.op)) {
      for (size_t i = 0; i < branch->results.size(); ++i)
        keep(branch->results[i],
             truth_[branch->thenBlock.yields[i]] && truth_[branch->elseBlock.yields[i]]);
    } else if (auto *grid = std::get_if<Grid>(&s.op)) {
      for (const ValueId v : grid->results)
        keep(v, false);
    } else {
      keep(numberOf(s.op), false); // a token is one
    }
  }

  bool changed_ = false;
};

} // namespace

std::vector<bool> truthValues(const Program &program) {
  return TruthValues(program).truth_;
}

std::vector<int> countUses(const Program &program) {
  const Liveness live(program);
  std::vector<int> uses(program.values, 0);
  auto count = [&](ValueId v) {
    if (live[v])
      ++uses[v];
  };
  walk(program.body, [&](const Stmt &s) {
    if (isDead(s, live) || std::holds_alternative<Grid>(s.op))
      return;
    auto *f = std::get_if<For>(&s.op);
    auto *branch = std::get_if<If>(&s.op);
    if (f) {
      for (ValueId v : {f->lower, f->upper, f->step, f->condition})
        count(v);
      for (size_t i = 0; i < f->results.size(); ++i)
        if (live[f->results[i]] || live[f->iterArgs[i]]) {
          count(f->inits[i]);
          count(f->body.yields[i]);
        }
    } else if (branch) {
      count(branch->condition);
      for (size_t i = 0; i < branch->results.size(); ++i)
        if (live[branch->results[i]]) {
          count(branch->thenBlock.yields[i]);
          count(branch->elseBlock.yields[i]);
        }
    } else {
      forEachUse(s, count);
    }
  });
  return uses;
}

} // namespace sluice::emit

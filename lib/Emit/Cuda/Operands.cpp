#include "Emit/Cuda/Operands.h"

#include "Machine/Agent.h"
#include "Machine/Uses.h"

namespace sluice::cuda {
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

} // namespace

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

} // namespace sluice::cuda

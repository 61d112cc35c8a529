#include "Verify/Counted.h"

#include "Machine/Agent.h"

namespace sluice {
namespace {

class Counting {
public:
  explicit Counting(const Program &program)
      : counted_(program.values, Counted::no), constant_(program.values) {
    walk(program.body, [&](const Stmt &s) {
      if (auto *scalar = std::get_if<Scalar>(&s.op); scalar && scalar->op == ScalarOp::constant)
        constant_[scalar->result] = true;
    });
    do {
      grew_ = false;
      walk(program.body, [&](const Stmt &s) { statement(s); });
    } while (grew_);
  }

  std::vector<Counted> counted_;

private:
  bool counts(ValueId v) const { return counted_[v] != Counted::no; }
  void mark(ValueId v, Counted how) {
    if (v == kNone || counted_[v] >= how)
      return;
    counted_[v] = how;
    grew_ = true;
  }
  void markAll(const std::vector<ValueId> &values, Counted how) {
    for (const ValueId v : values)
      mark(v, how);
  }
  void flow(const std::vector<ValueId> &from, const std::vector<ValueId> &to) {
    for (size_t i = 0; i < from.size() && i < to.size(); ++i)
      mark(to[i], counted_[from[i]]);
  }
  void statement(const Stmt &s) {
    if (auto *scalar = std::get_if<Scalar>(&s.op)) {
      for (const ValueId v : scalar->operands)
        mark(scalar->result, counted_[v]);
    } else if (auto *read = std::get_if<ScalarRead>(&s.op)) {
      mark(read->result, Counted::byNumber);
    } else if (auto *add = std::get_if<CounterAdd>(&s.op)) {
      mark(add->old, Counted::byNumber);
    } else if (auto *branch = std::get_if<If>(&s.op)) {
      for (const Block *side : {&branch->thenBlock, &branch->elseBlock})
        for (size_t i = 0; i < branch->results.size() && i < side->yields.size(); ++i)
          if (counts(branch->condition) || counts(side->yields[i]))
            mark(branch->results[i], Counted::byNumber);
    } else if (auto *loop = std::get_if<For>(&s.op)) {
      this->loop(*loop);
    }
  }

  void loop(const For &f) {
    const bool unknown =
        f.isWhile() || !constant_[f.lower] || !constant_[f.upper] || !constant_[f.step];
    if (unknown) {
      mark(f.iv, Counted::byVariable);
      markAll(f.iterArgs, Counted::byNumber);
      markAll(f.results, Counted::byNumber);
    }
    for (const ValueId v : {f.lower, f.step})
      mark(f.iv, counted_[v]);
    flow(f.inits, f.iterArgs);
    flow(f.body.yields, f.iterArgs);
    flow(f.iterArgs, f.results);
    flow(f.body.yields, f.results);
  }

  std::vector<bool> constant_;
  bool grew_ = false;
};

} // namespace

std::vector<Counted> countedValues(const Program &program) {
  return std::move(Counting(program).counted_);
}

} // namespace sluice

// What the passes that write a program anew for the proof of every launch share: where its scalars
// come from, numbers and values that it has not, and ways through its blocks.
#pragma once

#include "Program/Blocks.h"
#include "Program/Program.h"
#include "Program/Uses.h"

#include <map>
#include <optional>
#include <set>

namespace sluice {

/// Calls `change` for every statement of the block and of those in it, in their order.
template <typename Change> void forStatements(Block &block, const Change &change) {
  for (Stmt &s : block.stmts) {
    change(s);
    forBlocks(s, [&change](Block &inner) { forStatements(inner, change); });
  }
}

template <typename Change> void forScalars(Block &block, const Change &change) {
  forStatements(block, [&change](Stmt &s) {
    if (auto *scalar = std::get_if<Scalar>(&s.op))
      change(*scalar);
  });
}

/// Calls `visit` for what the statement reads, and for what those in it do.
template <typename Visit> void usesIn(Stmt &s, const Visit &visit) {
  forEachUse(s, visit);
  forBlocks(s, [&visit](Block &block) {
    for (Stmt &inner : block.stmts)
      usesIn(inner, visit);
  });
}

/// Has the block read other values.
void rename(Block &block, const std::map<ValueId, ValueId> &to);

/// What changes from round to round of a loop: its variable, what it hands on, and all that its
/// body computes or reads.
std::set<ValueId> changingIn(const For &loop);

/// Arithmetic alone, which is right whatever it is given (by 0 quotient and remainder are 0):
/// nobody minds whether it is done.
inline bool isArithmetic(const Stmt &s) {
  auto *scalar = std::get_if<Scalar>(&s.op);
  return scalar && scalar->op != ScalarOp::load;
}

inline Stmt statement(Operation op, Location at = {}) {
  return {std::move(op), Exec::threads, Pipe::none, std::move(at)};
}

class Rewriting {
protected:
  explicit Rewriting(Program program);

  /// The program as it is now; nothing where it is as it was.
  std::optional<Program> result();

  /// By what a value is computed, as far as that is a scalar; else null.
  const Scalar *definition(ValueId v) const;
  /// Null: it is no number.
  const int64_t *constantOf(ValueId v) const;
  bool isConstant(ValueId v, int64_t number) const;
  /// What a sum has beside one of its sides; kNone: it is no such sum.
  ValueId addedTo(ValueId one, ValueId sum) const;
  /// Half of a number, which is not negative: rounded up or down. The two together are the number.
  struct Half {
    ValueId of = kNone;
    bool up = false;
  };
  std::optional<Half> halfOf(ValueId v) const;
  /// Of a scalar that is new, or another one now.
  void define(const Scalar &s) { scalars_[s.result] = s; }

  ValueId fresh() { return program_.values++; }
  /// A scalar at the end of `to`.
  ValueId compute(std::vector<Stmt> &to, ScalarOp op, std::vector<ValueId> operands);
  /// A number, which stands at the start of the program.
  ValueId constant(int64_t number);

  Program program_;
  bool found_ = false;

private:
  std::map<ValueId, Scalar> scalars_;
  std::map<int64_t, ValueId> constants_; // new ones
};

} // namespace sluice

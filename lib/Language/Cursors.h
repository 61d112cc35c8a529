// Positions in rings, which the author's ends stand for and nobody threads by hand: a loop carries
// those that its body moves, a branch yields them.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

#include <vector>

namespace sluice::lang::detail {

class Cursors {
public:
  int add(mlir::Value start);
  /// Null where it was made in a scope that has ended.
  mlir::Value of(int cursor) const { return values_[cursor]; }
  void move(int cursor, mlir::Value to) { values_[cursor] = to; }
  /// Those made so far go no further: their role ends.
  void end();

  // Each leaves the builder inside, or behind what it closes.
  mlir::scf::ForOp openLoop(mlir::OpBuilder &b, mlir::Location loc, mlir::Value from,
                            mlir::Value to, mlir::Value step);
  void closeLoop(mlir::OpBuilder &b);
  /// A loop that goes on while what it finds out says so.
  void openWhile(mlir::OpBuilder &b, mlir::Location loc);
  /// From what finds out to the body, which takes a value from it; yields that value.
  mlir::Value openBody(mlir::OpBuilder &b, mlir::Value more, mlir::Value what);
  void closeWhile(mlir::OpBuilder &b);
  void openBranch(mlir::OpBuilder &b, mlir::Location loc, mlir::Value condition);
  /// From the statements under the condition to those of the other case.
  void otherwise(mlir::OpBuilder &b);
  void closeBranch(mlir::OpBuilder &b);

private:
  /// A loop or branch that is being written, and where cursors stood at its beginning: in a loop as
  /// its arguments.
  struct Scope {
    mlir::Operation *op;
    std::vector<int> cursors;
    std::vector<mlir::Value> entries;
    size_t known;                        // cursors that were made before
    std::vector<mlir::Value> under = {}; // where the first region left them, of two
  };
  Scope open(mlir::Operation *op) const;
  std::vector<mlir::Value> now(const Scope &scope) const;
  void forget(const Scope &scope);

  std::vector<mlir::Value> values_;
  std::vector<Scope> scopes_;
};

} // namespace sluice::lang::detail

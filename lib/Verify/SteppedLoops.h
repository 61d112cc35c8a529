// Loops that step by more than 1, or by no number, are counted by 1 instead, inner ones first.
#pragma once

#include "Verify/Rewriting.h"

#include <set>

namespace sluice {

class SteppedLoops : protected Rewriting {
public:
  /// The program with all of them counted; nothing where there are none.
  std::optional<Program> counted();

protected:
  /// `sure`: those whose step is at least 1 wherever they run: a number, or an extent of the grid,
  /// as over the tiles of a CTA; else all others.
  SteppedLoops(const Program &program, bool sure);
  ~SteppedLoops() = default;

  /// Counts a loop; returns what computes its bounds, which stands in front of it.
  virtual std::vector<Stmt> count(For &loop) = 0;

  /// Makes `number` the variable, from 0 by 1, in front of whose body its old one is computed.
  void countBy(For &loop, ValueId number, std::vector<Stmt> before = {});
  /// Whether it is a comparison that tells whether its operand of that side is below the other.
  static bool asksForMore(const Scalar &s, size_t side);

private:
  void countIn(Block &block);
  bool isCounted(const For &loop) const;

  const bool sure_;
  std::set<ValueId> extents_; // of the grid
};

} // namespace sluice

// Tokens: values that a test of an mbarrier gives, and that loops, branches and selections hand on
// to waits.
#pragma once

#include "Program/Program.h"

#include <set>
#include <vector>

namespace sluice {

class Tokens {
public:
  explicit Tokens(const Program &program);

  bool isToken(ValueId v) const { return v != kNone && !tests_[v].empty(); }
  /// The tests that a value may be of; none: it is no token.
  const std::set<const Stmt *> &testsOf(ValueId v) const { return tests_[v]; }
  /// A token that the statement reads otherwise than a wait does, or than handing it on; kNone.
  ValueId misused(const Stmt &s) const;

private:
  bool flow(const std::vector<ValueId> &from, const std::vector<ValueId> &to);
  bool flow(const Stmt &s);

  std::vector<std::set<const Stmt *>> tests_; // of values
};

} // namespace sluice

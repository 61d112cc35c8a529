// Where a program touches the tensors that it writes.
#pragma once

#include "Program/Program.h"

#include <vector>

namespace sluice {

/// A branch that is taken (`holds`) or not on the way to an access.
struct Taken {
  const If *branch;
  bool holds;
};

/// One operand of one statement: a box of a tensor, written or read.
struct AccessSite {
  const Stmt *stmt;
  const View *view;
  bool write = false, reducing = false;
  bool async = false;             // does not end with its statement
  const Role *role = nullptr;     // null: what all warps execute
  std::vector<const For *> loops; // around it, outermost first
  std::vector<Taken> branches;    // around it
};

/// By tensor: whether some operation writes its memory; the others need no history.
std::vector<bool> writtenTensors(const Program &program);

/// By statement, in the order of the text; counters are no such accesses.
std::vector<AccessSite> accessSites(const Program &program);

/// Adds to counters, which are writes, and waits for them; in the order of the text.
std::vector<AccessSite> counterSites(const Program &program);

} // namespace sluice

// The scalar values that a statement reads, and those that it gives.
#pragma once

#include "Program/Program.h"

#include <functional>

namespace sluice {

/// Every value that the statement reads itself; not those of nested blocks, but their yields.
void forEachUse(const Stmt &s, const std::function<void(const ValueId &)> &visit);
/// The same, of a statement that may be given other values.
void forEachUse(Stmt &s, const std::function<void(ValueId &)> &change);

/// Every value that the statement gives: its results and, of a loop, what stands for them in its
/// body.
void forEachResult(const Stmt &s, const std::function<void(const ValueId &)> &visit);
/// The same, of a statement that may give other values.
void forEachResult(Stmt &s, const std::function<void(ValueId &)> &change);

/// Every value that is there behind the statement: its results, not those in a loop's body.
void forLeft(const Stmt &s, const std::function<void(const ValueId &)> &visit);

} // namespace sluice

// The scalar values that a statement reads.
#pragma once

#include "Program/Program.h"

#include <functional>

namespace sluice {

/// Every value that the statement reads itself; not those of nested blocks, but their yields.
void forEachUse(const Stmt &s, const std::function<void(const ValueId &)> &visit);
/// The same, of a statement that may be given other values.
void forEachUse(Stmt &s, const std::function<void(ValueId &)> &change);

} // namespace sluice

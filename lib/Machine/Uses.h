// The scalar values that a statement reads.
#pragma once

#include "Machine/Program.h"

#include <functional>

namespace sluice {

/// Every value that the statement reads itself; not those of nested blocks, but their yields.
void forEachUse(const Stmt &s, const std::function<void(ValueId)> &visit);

} // namespace sluice

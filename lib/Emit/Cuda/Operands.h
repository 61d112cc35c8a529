// The scalar values that statements read.
#pragma once

#include "Machine/Program.h"

#include <functional>
#include <vector>

namespace sluice::cuda {

/// Every value that the statement reads itself; not those of nested blocks, but their yields.
void forEachUse(const Stmt &s, const std::function<void(ValueId)> &visit);

/// Number of uses of every value of the program.
std::vector<int> countUses(const Program &program);

} // namespace sluice::cuda

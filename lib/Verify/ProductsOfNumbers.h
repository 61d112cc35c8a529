// wgmma operations that numbers decide which each warp reads from shared memory.
#pragma once

#include "Program/Program.h"

#include <map>

namespace sluice {

/// Whether, or how often, they are done; true: or which tiles they take.
using ProductsOfNumbers = std::map<const Stmt *, bool>;
ProductsOfNumbers findProductsOfNumbers(const Program &program);

} // namespace sluice

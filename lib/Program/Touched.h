// What an operation reads and writes: the same for checks, machine and tables. (The explorer has
// its own.)
#pragma once

#include "Program/Program.h"

namespace sluice {

/// Views of an operation, in its order; a counter that is added to is written, one that is waited
/// for is read.
struct Touched {
  std::vector<const View *> writes, reads;
};
Touched touchedBy(const Operation &op);

/// All of them, those written first.
std::vector<const View *> viewsOf(const Operation &op);

} // namespace sluice

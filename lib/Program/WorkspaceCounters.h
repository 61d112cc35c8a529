// Counters that nobody outside of a kernel asks for.
#pragma once

#include "Program/Program.h"

namespace sluice {

/// A workspace of integers: it holds zeros at launch, and zeros again at the end.
inline bool holdsCounters(const Tensor &t) {
  return !t.input && !t.output && t.type == DType::i32;
}

} // namespace sluice

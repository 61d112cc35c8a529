#include "Program/TensorMemory.h"

#include <algorithm>

namespace sluice {

bool managesTensorMemory(const Operation &op) {
  return std::holds_alternative<TmemAlloc>(op) || std::holds_alternative<TmemRelinquish>(op) ||
         std::holds_alternative<TmemDealloc>(op);
}

bool usesTensorMemory(const Program &program) {
  return program.target == Target::sm_100a &&
         std::ranges::any_of(program.buffers,
                             [](const Buffer &b) { return b.space == Space::tmem; });
}

} // namespace sluice

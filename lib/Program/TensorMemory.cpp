#include "Program/TensorMemory.h"

#include <algorithm>

namespace sluice {

bool usesTensorMemory(const Program &program) {
  return program.target == Target::sm_100a &&
         std::ranges::any_of(program.buffers,
                             [](const Buffer &b) { return b.space == Space::tmem; });
}

} // namespace sluice

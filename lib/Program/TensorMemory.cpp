#include "Program/TensorMemory.h"

#include <algorithm>

namespace sluice {

bool splitsColumns(const Tcgen05Mma &op) {
  return op.pair && op.a.rows() == TensorMemory::lanes / 2;
}

int64_t columnsOfB(const Tcgen05Mma &op) {
  return op.pair ? 2 * op.b.cols() : op.b.cols();
}

View partOfColumns(const Tcgen05Mma &op, bool odd) {
  View part = op.d;
  const size_t along = splitsColumns(op) ? 0 : 1;
  part.shape[along] /= 2;
  part.offset[along].constant += odd ? part.shape[along] : 0;
  return part;
}

int64_t rowOfLane(const TmemCopy &op, int64_t lane) {
  constexpr int64_t ofWarp = TensorMemory::lanesOfWarp;
  return op.neighbours ? lane / (2 * ofWarp) * ofWarp + lane % ofWarp : lane % op.source.rows();
}

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

#include "Program/TensorMemory.h"

#include "Program/Agent.h"

#include <algorithm>

namespace sluice {

bool splitsColumns(const Tcgen05Mma &op) {
  return op.pair && op.d.cols() == op.b.cols();
}

int64_t rowsOfA(const Tcgen05Mma &op) {
  return splitsColumns(op) ? TensorMemory::lanes / 2 : op.a.rows();
}

int64_t columnsOfB(const Tcgen05Mma &op) {
  return op.pair ? 2 * op.b.cols() : op.b.cols();
}

int64_t linesOfFactorsB(const Tcgen05Mma &op) {
  return splitsColumns(op) ? op.b.cols() : columnsOfB(op);
}

View factorsOfB(const Tcgen05Mma &op, bool odd) {
  View factors = op.scales->b;
  if (!splitsColumns(op))
    return factors;
  factors.shape[0] /= 2;
  factors.offset[0].constant += odd ? factors.shape[0] : 0;
  return factors;
}

View partOfColumns(const Tcgen05Mma &op, bool odd) {
  View part = op.d;
  const size_t along = splitsColumns(op) ? 0 : 1;
  part.shape[along] /= 2;
  part.offset[along].constant += odd ? part.shape[along] : 0;
  return part;
}

View rowsForPart(const Tcgen05Mma &op, bool odd) {
  View part = op.a;
  if (splitsColumns(op) && op.a.rows() == TensorMemory::lanes) {
    part.shape[0] /= 2;
    part.offset[0].constant += odd ? part.shape[0] : 0;
  }
  return part;
}

int64_t rowOfLane(const TmemCopy &op, int64_t lane) {
  constexpr int64_t ofWarp = TensorMemory::lanesOfWarp;
  if (op.source.rows() == fourRows)
    return lane % ofWarp == op.lane ? lane / ofWarp : -1;
  return op.neighbours ? lane / (2 * ofWarp) * ofWarp + lane % ofWarp : lane % op.source.rows();
}

/// Of products with 64 rows in each CTA of a pair.
static std::set<std::string> readingsOfHalves(const Tcgen05Mma &op) {
  std::set<std::string> readings;
  if (op.scales)
    readings.insert(
        "factors-by-halves: of a pair with 64 rows in each CTA, lanes 0 to 63 hold the factors of "
        "the first half of the columns of B, lanes 64 to 127 those of the second");
  if (op.a.rows() == TensorMemory::lanes)
    readings.insert("operand-by-halves: of a pair with 64 rows in each CTA, A in tensor memory is "
                    "read from lanes 0 to 63 for the first half of the columns of B, from lanes 64 "
                    "to 127 for the second");
  return readings;
}

std::set<std::string> readingsOfLanes(const Operation &op) {
  if (std::holds_alternative<TmemShift>(op))
    return {"rows-down: of its 32 lanes, tcgen05.shift gives each but the last what the next one "
            "holds"};
  if (auto *copy = std::get_if<TmemCopy>(&op); copy && copy->source.rows() == fourRows)
    return {"four-rows: tcgen05.cp of 4 rows brings row i to lane 32 i + l, l that of its address"};
  auto *product = std::get_if<Tcgen05Mma>(&op);
  return product && splitsColumns(*product) ? readingsOfHalves(*product) : std::set<std::string>{};
}

std::set<std::string> readingsOfLanes(const Program &program) {
  std::set<std::string> readings;
  walk(program.body, [&readings](const Stmt &s) { readings.merge(readingsOfLanes(s.op)); });
  return readings;
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

// Kernels with stamps: which statements tell when they began and ended, and where they write it.
// device/sluice/stamps.cuh writes; a launcher passes one tensor more, `stamps`.
#pragma once

#include "Program/Program.h"

#include <cstdint>
#include <vector>

namespace sluice {

/// As Stamp of device/sluice/stamps.cuh.
struct Stamp {
  uint64_t begin;
  uint32_t cycles, event;
};
static_assert(sizeof(Stamp) == 16);

/// Events of a warp that a kernel keeps; its further ones are counted.
constexpr int64_t kStampsKept = 16384;

/// What takes a warp's time: waits, what it issues to an engine, element-wise work.
bool isStamped(const Operation &op);

/// In the order of the text; event n is at n - 1.
std::vector<const Stmt *> stampedStatements(const Program &program);

/// The last tensor of a kernel with stamps: per warp of a CTA one record for the warp itself and
/// those of its events, four 32-bit words each. All zero before the launch.
Tensor stampsTensor(const Program &program);

} // namespace sluice

// Tensor memory of Blackwell: 128 lanes of 512 columns of 4 bytes (PTX ISA 9.7.16.1, Tensor
// Memory). Row r of a tile lies in lane r. Bytes are counted lane after lane; offsets of buffers
// and of their slots are bytes of a lane, from the first allocated column on.
#pragma once

#include "Program/Program.h"

namespace sluice {

struct TensorMemory {
  static constexpr int64_t lanes = 128, columns = 512, columnBytes = 4;
  static constexpr int64_t laneBytes = columns * columnBytes;
  /// Lanes that a warp loads from: those of its number in its warpgroup (PTX ISA 9.7.16.8.1).
  static constexpr int64_t lanesOfWarp = 32;

  /// PTX ISA 9.7.16.7.1, tcgen05.alloc: a power of two, at least 32.
  static constexpr bool isAllocation(int64_t count) {
    return count >= 32 && count <= columns && (count & (count - 1)) == 0;
  }
};

/// Whether a program has operations or buffers of tensor memory.
bool usesTensorMemory(const Program &program);

} // namespace sluice

// Tensor memory of Blackwell: 128 lanes of 512 columns of 4 bytes (PTX ISA 9.7.16.1, Tensor
// Memory). A row of a tile lies in one lane. Bytes are counted lane after lane; offsets of buffers
// and of their slots are bytes of a lane, from the first allocated column on.
#pragma once

#include "Program/Program.h"

#include <set>
#include <string>

namespace sluice {

struct TensorMemory {
  static constexpr int64_t lanes = 128, columns = 512, columnBytes = 4;
  static constexpr int64_t laneBytes = columns * columnBytes;
  /// Lanes that a warp loads from: those of its number in its warpgroup (PTX ISA 9.7.16.8.1).
  static constexpr int64_t lanesOfWarp = 32;

  /// Of a tile of 64 rows each warp has 16, in the first half of its lanes (PTX ISA 9.7.16.10.5,
  /// Data Path Layout Organization, layout F); of others row r is lane r (layout D).
  static constexpr int64_t laneOf(int64_t row, int64_t rows) {
    return rows == 64 ? row / 16 * lanesOfWarp + row % 16 : row;
  }

  /// PTX ISA 9.7.16.7.1, tcgen05.alloc: a power of two, at least 32.
  static constexpr bool isAllocation(int64_t count) {
    return count >= 32 && count <= columns && (count & (count - 1)) == 0;
  }
};

/// Of a product of a pair with 64 rows of A in each CTA (PTX ISA 9.7.16.10.5, layout B) lanes 0 to
/// 63 hold the first half of the columns of D, lanes 64 to 127 the same rows of the second: D is a
/// tile of 128 rows and half of the columns. So, in tensor memory, is A, whose rows lie in lanes 0
/// to 63 and once more in lanes 64 to 127 (operand-by-halves).
bool splitsColumns(const Tcgen05Mma &op);

/// Rows of A in each CTA.
int64_t rowsOfA(const Tcgen05Mma &op);

/// Columns of B that one instruction multiplies by: of a pair those of both CTAs.
int64_t columnsOfB(const Tcgen05Mma &op);

/// Columns of B whose factors a lane of each 32 holds: all, or, where the halves of the columns of
/// D lie one below the other, those of one half (CUTLASS, ScaleFactorDuplicated2by2).
int64_t linesOfFactorsB(const Tcgen05Mma &op);

/// The lanes of the factors of B for what comes of the half of either CTA.
View factorsOfB(const Tcgen05Mma &op, bool odd);

/// What of D, in either CTA, comes of the half of B that the CTA of the even or of the odd rank
/// has.
View partOfColumns(const Tcgen05Mma &op, bool odd);

/// The rows of A, or the lanes that hold them, for that part.
View rowsForPart(const Tcgen05Mma &op, bool odd);

/// The row of the source that a lane gets (tcgen05.cp, .multicast; CUTLASS, the layouts of
/// SM100_UTCCP_4x32dp128bit, 2x64dp128bitlw0213, 2x64dp128bitlw0123 and 4dp256bit); -1: none.
int64_t rowOfLane(const TmemCopy &op, int64_t lane);

/// Rows of tcgen05.cp that come to one lane of each 32 (.4x256b).
constexpr int64_t fourRows = TensorMemory::lanes / TensorMemory::lanesOfWarp;

/// Which lanes tcgen05.shift, and tcgen05.cp of four rows, reach, and which hold the factors, or A,
/// of a pair with 64 rows in each CTA: the readings of what the PTX ISA leaves open, by name.
/// Empty: of no such operation.
std::set<std::string> readingsOfLanes(const Operation &op);

/// Those that a program's values rest on.
std::set<std::string> readingsOfLanes(const Program &program);

/// Whether an operation allocates, gives up the right to, or frees: of a pair, a warp of each CTA
/// does it, and the first may wait for the other.
bool managesTensorMemory(const Operation &op);

/// Whether a program has operations or buffers of tensor memory.
bool usesTensorMemory(const Program &program);

} // namespace sluice

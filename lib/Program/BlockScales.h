// How the factors of a block-scaled product lie (PTX ISA 9.7.16.10.7, block scaling; cuBLAS, "1D
// Block Scaling Factors Layout"). Those of 128 lines (rows of A, columns of B) and four blocks
// along K are a piece: 32 rows of 16 bytes in shared memory, 16 bytes of every lane in tensor
// memory, alike in each 32 lanes. Byte 4 i + k of row (lane) l is that of line 32 i + l and of
// block k. A tile in tensor memory has the pieces of all of its lines for the first four blocks,
// then those for the next four; in shared memory those of the first 128 lines for all blocks, as
// tensors have them, then those of the next.
#pragma once

#include "Support/ElementType.h"

namespace sluice {

struct FactorPieces {
  static constexpr int64_t lines = 128, rows = 32, bytes = 16, blocks = 4; // of a piece
  static constexpr int64_t columns = bytes / 4;                            // in tensor memory

  int64_t ofLines, ofDepth;
  int64_t count() const { return ofLines * ofDepth; }
  /// Where the factor of a line and block lies in tensor memory, or in a piece of shared memory.
  static constexpr int64_t lane(int64_t line) { return line % rows; }
  int64_t byte(int64_t line, int64_t block) const {
    return (block / blocks * ofLines + line / lines) * bytes + line % lines / rows * blocks +
           block % blocks;
  }
};

/// Elements along K that have one factor: 32 numbers of 8 bits and 32 or 16 of 4 bits, of which two
/// are an element. 0: no product scales blocks of the one by the other. kind::mxf8f6f4, scale_vec
/// 1X: e4m3, e5m2, e2m3, e3m2 or e2m1 by ue8m0; kind::mxf4, 2X: e2m1 by ue8m0; kind::mxf4nvf4, 4X:
/// e2m1 by ue4m3, which is e4m3 without a sign.
constexpr int64_t elementsOfBlock(DType operand, DType factor) {
  if (operand == DType::e4m3 || operand == DType::e5m2 || isPacked(operand))
    return factor == DType::ue8m0 ? 32 : 0;
  if (operand != DType::e2m1x2)
    return 0;
  return factor == DType::ue8m0 ? 16 : factor == DType::e4m3 ? 8 : 0;
}

/// Of `lines` and `depth` elements along K, `block` of which have one factor.
constexpr FactorPieces piecesOf(int64_t lines, int64_t depth, int64_t block) {
  const int64_t deep = FactorPieces::blocks * block;
  return {(lines + FactorPieces::lines - 1) / FactorPieces::lines, (depth + deep - 1) / deep};
}

/// Of a tile of A and one of B, `depth` elements along K deep. No block: there are no factors.
constexpr int64_t piecesOfStep(int64_t rows, int64_t columns, int64_t depth, int64_t block) {
  return block ? piecesOf(rows, depth, block).count() + piecesOf(columns, depth, block).count() : 0;
}

} // namespace sluice

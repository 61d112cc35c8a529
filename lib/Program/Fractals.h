// The fractals of Ascend's matrix memories: 16 lines of 32 bytes (in L0C of 16 elements). The first
// letter of a layout says how elements lie inside of one, z by rows and n by columns, the second
// how fractals follow each other, Z by rows and N by columns.
#pragma once

#include "Program/Program.h"

#include <array>

namespace sluice {

constexpr int64_t linesOfFractal = 16;

constexpr bool isFractal(Layout l) {
  return l == Layout::zN || l == Layout::nZ || l == Layout::zZ || l == Layout::nN;
}
/// A line of a fractal is a part of a column.
constexpr bool linesAreUpright(Layout l) {
  return l == Layout::nZ || l == Layout::nN;
}
/// Behind a fractal comes the one below it.
constexpr bool followBelow(Layout l) {
  return l == Layout::zN || l == Layout::nN;
}

/// Elements of a line.
inline int64_t lineOfFractal(const Buffer &b) {
  return b.space == Space::l0c ? linesOfFractal : 32 / byteSize(b.type);
}
/// Rows and columns of a fractal.
inline std::array<int64_t, 2> fractalShape(const Buffer &b) {
  const int64_t line = lineOfFractal(b);
  return linesAreUpright(b.layout) ? std::array{line, linesOfFractal}
                                   : std::array{linesOfFractal, line};
}
/// How many fractals further the one below lies, and the one beside.
inline std::array<int64_t, 2> fractalSteps(const Buffer &b) {
  const auto [rows, columns] = fractalShape(b);
  return followBelow(b.layout) ? std::array{int64_t{1}, b.shape[0] / rows}
                               : std::array{b.shape[1] / columns, int64_t{1}};
}

/// A strip of 16 lines is followed by the next one; else the tile's lines are a single strip.
constexpr bool lieInStrips(Layout l) {
  return linesAreUpright(l) == followBelow(l);
}

/// Squares by which numbers are turned between L1 and L0A or L0B: of 16 bits a fractal is one, of 8
/// and of 32 bits two (Ascend C, LoadDataWithTranspose; LoadData2DParamsV2). 0: they are not
/// turned.
inline int64_t sideOfSquare(DType type) {
  const int64_t bytes = byteSize(type);
  return bytes == 1 ? 32 : bytes == 2 || bytes == 4 ? 16 : 0;
}

/// From L1 to L0A or L0B, where lines of the source become columns of lines at the destination.
inline bool turnsFractals(const Program &p, const Copy &op) {
  const Buffer *from = p.buffer(op.source), *to = p.buffer(op.destination);
  return from && to && from->space == Space::l1 &&
         (to->space == Space::l0a || to->space == Space::l0b) && isFractal(from->layout) &&
         isFractal(to->layout) && sideOfSquare(from->type) > 0 &&
         (linesAreUpright(from->layout) != op.source.transposed) !=
             (linesAreUpright(to->layout) != op.destination.transposed);
}

} // namespace sluice

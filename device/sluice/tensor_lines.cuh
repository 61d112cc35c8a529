// Lines of a tensor whose elements are one line of numbers: all have as many but the last, which
// has what is left. Each begins at a multiple of 16 bytes.
#pragma once

#include <sluice/parts.cuh>

namespace sluice {

/// A tensor of `elements` elements, in lines of `width`; a tile begins at column `col` of line
/// `line`.
template <class T> struct LinesOfTensor {
  T *base;
  int elements, width, line, col;

  __device__ __forceinline__ T *begin(int l) const { return base + i64(line + l) * width; }
  /// None of a line that there is not.
  __device__ __forceinline__ int columns(int l) const {
    const i64 left = elements - i64(line + l) * width;
    return line + l < 0 ? 0 : int(max(min(left, i64(width)), i64(0)));
  }
};

#ifndef SLUICE_HOST

/// As of a Window. The end of the last line alone may reach out of the tensor's whole pieces.
template <class Tile, int lines, class T, class Copy>
__device__ __forceinline__ void loadLinesBy(const Copy &copy, u32 to, int line0,
                                            const LinesOfTensor<T> &w, u32 barrier) {
  constexpr int size = int(sizeof(T)), along = Tile::columns;
  const u64 first = u64(w.base), behind = u64(w.base + w.elements) & ~u64(15); // whole pieces
  const auto count = [&](int l) { return min(max(w.columns(l) - w.col, 0), along); };
  const auto line = [&](int l) {
    const u64 from = u64(w.begin(l) + w.col);
    return LineBytes{from, from + u32(count(l) * size)};
  };
  if (w.line >= 0 && count(lines - 1) == along && line(lines - 1).behindPieces() <= behind) {
    loadInnerLines<Tile, lines>(copy, to + Tile::line(line0), line(0), i64(w.width) * size, along,
                                barrier);
  } else {
#pragma unroll 1
    for (int l = 0; l < lines; ++l)
      loadOuterLine<T>(copy, to + Tile::line(line0 + l), line(l), first, behind, barrier);
  }
  fenceCta(); // what it stored itself, before who waits reads it
  mbarrierCompleteTx(barrier, u32(lines * along * size));
}
template <class Tile, int lines, class T>
__device__ __forceinline__ void loadLines(u32 to, int line0, const LinesOfTensor<T> &w,
                                          u32 barrier) {
  const auto copy = [&](u32 at, u64 from, u32 bytes) { bulkLoad(at, from, bytes, barrier); };
  loadLinesBy<Tile, lines>(copy, to, line0, w, barrier);
}

/// All lines at once.
template <class Tile, class T, class Copy>
__device__ __forceinline__ void loadSpanBy(const Copy &copy, u32 to, const LinesOfTensor<T> &w,
                                           u32 barrier) {
  const i64 left = w.elements - i64(w.line) * w.width;
  loadAtOnce<Tile>(copy, to, u64(w.begin(0)),
                   int(max(min(left, i64(Tile::lines * w.width)), i64(0))), u64(w.base),
                   u64(w.base + w.elements) & ~u64(15), barrier);
}
template <class Tile, class T>
__device__ __forceinline__ void loadSpan(u32 to, const LinesOfTensor<T> &w, u32 barrier) {
  const auto copy = [&](u32 at, u64 from, u32 bytes) { bulkLoad(at, from, bytes, barrier); };
  loadSpanBy<Tile>(copy, to, w, barrier);
}

/// As of a Window.
template <int warps, int bytes, class T, class S, int rows, int N>
__device__ __forceinline__ void loadBlocked(Blocked<S, rows, N> &f, const LinesOfTensor<T> &w,
                                            int warp) {
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int l = blockedRow<rows>(r, warp), last = w.columns(l);
    if (w.col >= 0 && w.col + N <= last)
      loadRowBy<bytes, Edge::none>(f, r, w.begin(l), w.col, last);
    else
      loadRowBy<bytes, Edge::elements>(f, r, w.begin(l), w.col, last);
  }
}
template <int warps, int bytes, class T, class S, int rows, int N>
__device__ __forceinline__ void storeBlocked(const LinesOfTensor<T> &w,
                                             const Blocked<S, rows, N> &f, int warp) {
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int l = blockedRow<rows>(r, warp), last = w.columns(l);
    if (w.col >= 0 && w.col + N <= last)
      storeRowBy<bytes, Edge::none>(w.begin(l), f, r, w.col, last);
    else
      storeRowBy<bytes, Edge::elements>(w.begin(l), f, r, w.col, last);
  }
}

#endif // SLUICE_HOST

} // namespace sluice

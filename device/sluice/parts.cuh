// Rows of a tensor in parts, which are the lines of a tile: all parts have as many columns but the
// last ones, which end where the row does, or have none.
#pragma once

#include <sluice/copy.cuh>
#ifndef SLUICE_HOST
#include <sluice/lines.cuh>
#endif

namespace sluice {

/// One row of a tensor of `rows` x `cols`, in parts of `width` columns; a tile begins at column
/// `col` of part `part`.
template <class T> struct PartsOfRow {
  T *base;
  int rows;
  i64 rowStride;
  int row, cols, width, part, col;

  /// Of the row.
  __device__ __forceinline__ T *begin() const { return base + row * rowStride; }
  /// Of the part that is line l of the tile; and its columns, none of one that there is not.
  __device__ __forceinline__ T *line(int l) const { return begin() + i64(part + l) * width; }
  __device__ __forceinline__ int columns(int l) const {
    return inside(row, rows) && part + l >= 0 ? max(min(cols - (part + l) * width, width), 0) : 0;
  }
};

#ifndef SLUICE_HOST

/// As of a Window. Whether pieces reach out of the tensor the row's first and last one say.
template <class Tile, int lines, class T, class Copy>
__device__ __forceinline__ void loadLinesBy(const Copy &copy, u32 to, int line0,
                                            const PartsOfRow<T> &w, u32 barrier) {
  constexpr int size = int(sizeof(T)), along = Tile::columns;
  const u64 begin = u64(w.base), end = u64(w.base + (w.rows - 1) * w.rowStride + w.cols);
  const u64 first = (begin + 15) & ~u64(15), behind = end & ~u64(15); // whole pieces
  const auto count = [&](int l) { return min(max(w.columns(l) - w.col, 0), along); };
  const auto line = [&](int l) {
    const u64 from = u64(w.line(l) + w.col);
    return LineBytes{from, from + u32(count(l) * size)};
  };
  const LineBytes row{u64(w.begin()), u64(w.begin() + w.cols)};
  if (inside(w.row, w.rows) && row.firstPiece() >= first && row.behindPieces() <= behind) {
    u32 bytes = 0;
#pragma unroll
    for (int l = 0; l < lines; ++l)
      bytes += count(l) > 0 ? line(l).bytesOfPieces() : 0;
    mbarrierExpectTx(barrier, bytes);
#pragma unroll
    for (int l = 0; l < lines; ++l) {
      const u32 at = to + Tile::line(line0 + l);
      storeHead(at, line(l), count(l));
      if (count(l) > 0)
        copyPieces(copy, at, line(l));
    }
  } else {
#pragma unroll 1
    for (int l = 0; l < lines; ++l)
      loadOuterLine<T>(copy, to + Tile::line(line0 + l), line(l), first, behind, barrier);
  }
  fenceCta(); // what it stored itself, before who waits reads it
  mbarrierCompleteTx(barrier, u32(lines * along * size));
}
template <class Tile, int lines, class T>
__device__ __forceinline__ void loadLines(u32 to, int line0, const PartsOfRow<T> &w, u32 barrier) {
  const auto copy = [&](u32 at, u64 from, u32 bytes) { bulkLoad(at, from, bytes, barrier); };
  loadLinesBy<Tile, lines>(copy, to, line0, w, barrier);
}

/// All lines at once: parts of a row lie side by side.
template <class Tile, class T, class Copy>
__device__ __forceinline__ void loadSpanBy(const Copy &copy, u32 to, const PartsOfRow<T> &w,
                                           u32 barrier) {
  static_assert(Tile::columns >= Tile::widthOfLine);
  const u64 begin = u64(w.base), end = u64(w.base + (w.rows - 1) * w.rowStride + w.cols);
  const int left = inside(w.row, w.rows) ? w.cols - w.part * w.width : 0;
  loadAtOnce<Tile>(copy, to, u64(w.line(0)), min(max(left, 0), Tile::lines * w.width),
                   (begin + 15) & ~u64(15), end & ~u64(15), barrier);
}

template <class Tile, class T>
__device__ __forceinline__ void loadSpan(u32 to, const PartsOfRow<T> &w, u32 barrier) {
  const auto copy = [&](u32 at, u64 from, u32 bytes) { bulkLoad(at, from, bytes, barrier); };
  loadSpanBy<Tile>(copy, to, w, barrier);
}

/// How columns col .. col + N - 1 reach over the edges of a row of `last` columns.
template <int elements> __device__ __forceinline__ Edge edgeOfRow(int col, int N, int last) {
  if (col >= 0 && col + N <= last)
    return Edge::none;
  return last % elements == 0 && col % elements == 0 ? Edge::accesses : Edge::elements;
}

template <int bytes, Edge edge, class T, class S, int rows, int N>
__device__ __forceinline__ void loadRowBy(Blocked<S, rows, N> &f, int r, T *row, int col,
                                          int last) {
#pragma unroll
  for (int i = 0; i < N / 32; i += 8)
    setEight(f, r * (N / 32) + i, loadEight<bytes, edge>(row, 1, col + blockedCol(i), last));
}
/// As of a Window.
template <int warps, int bytes, class T, class S, int rows, int N>
__device__ __forceinline__ void loadBlocked(Blocked<S, rows, N> &f, const PartsOfRow<T> &w,
                                            int warp) {
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int l = blockedRow<rows>(r, warp), last = w.columns(l);
    const Edge edge = edgeOfRow<bytes / int(sizeof(T))>(w.col, N, last);
    if (edge == Edge::none)
      loadRowBy<bytes, Edge::none>(f, r, w.line(l), w.col, last);
    else if (edge == Edge::accesses)
      loadRowBy<bytes, Edge::accesses>(f, r, w.line(l), w.col, last);
    else
      loadRowBy<bytes, Edge::elements>(f, r, w.line(l), w.col, last);
  }
}

template <int bytes, Edge edge, class T, class S, int rows, int N>
__device__ __forceinline__ void storeRowBy(T *row, const Blocked<S, rows, N> &f, int r, int col,
                                           int last) {
#pragma unroll
  for (int i = 0; i < N / 32; i += 8)
    storeEights<bytes, edge>(row, 1, col + blockedCol(i), last, eightOf<T>(f, r * (N / 32) + i));
}
/// As of a Window.
template <int warps, int bytes, class T, class S, int rows, int N>
__device__ __forceinline__ void storeBlocked(const PartsOfRow<T> &w, const Blocked<S, rows, N> &f,
                                             int warp) {
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int l = blockedRow<rows>(r, warp), last = w.columns(l);
    const Edge edge = edgeOfRow<bytes / int(sizeof(T))>(w.col, N, last);
    if (edge == Edge::none)
      storeRowBy<bytes, Edge::none>(w.line(l), f, r, w.col, last);
    else if (edge == Edge::accesses)
      storeRowBy<bytes, Edge::accesses>(w.line(l), f, r, w.col, last);
    else
      storeRowBy<bytes, Edge::elements>(w.line(l), f, r, w.col, last);
  }
}
template <int warps, class T, class S, int rows, int N>
__device__ __forceinline__ void storeBlockedShifted(const PartsOfRow<T> &w,
                                                    const Blocked<S, rows, N> &f, int warp) {
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int l = blockedRow<rows>(r, warp);
    const int begin = max(-w.col, 0), end = min(w.columns(l) - w.col, N);
    if (begin < end)
      storeRowShifted(w.line(l) + w.col, f, r, begin, end);
  }
}

#endif // SLUICE_HOST

} // namespace sluice

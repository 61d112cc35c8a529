// Rows of a tensor that start at any element -> registers: lanes load the pieces of 16 bytes around
// what they have, and shift.
#pragma once

#include <sluice/blocked.cuh>
#include <sluice/copy.cuh>

#ifndef SLUICE_HOST

namespace sluice {

/// Columns from `line` on of row r of the warp's, of which `count` are there, in pieces around
/// them; four of a lane are on their way at a time.
template <class T, class S, int rows, int N>
__device__ __forceinline__ void loadRowAround(Blocked<S, rows, N> &f, int r, const T *line,
                                              int count) {
  constexpr int groups = N / 256, batch = groups < 4 ? groups : 4;
  const T *const mine = line + laneOfWarp() * 8;
  const int left = count - laneOfWarp() * 8;
#pragma unroll
  for (int first = 0; first < groups; first += batch) {
    AroundEight<T> held[batch] = {};
#pragma unroll
    for (int g = 0; g < batch; ++g)
      if (const int col = (first + g) * 256; first + g < groups && left > col)
        held[g].load(mine + col);
#pragma unroll
    for (int g = 0; g < batch; ++g)
      if (const int col = (first + g) * 256; first + g < groups)
        setEight(f, r * (N / 32) + col / 32, held[g].first(mine + col, left - col));
  }
}

/// As loadBlocked, of rows that may start at any element and lie side by side. Nobody writes the
/// tensor meanwhile: bytes around a row are read too, if the tensor has them.
template <int warps, class T, class S, int rows, int N>
__device__ __forceinline__ void loadBlockedShifted(Blocked<S, rows, N> &f, const Window<T> &w,
                                                   int warp) {
  constexpr int size = int(sizeof(T)), around = 16 + 8 * size; // bytes behind a lane's last column
  const u64 begin = u64(w.base);
  const u64 end = u64(w.base + (w.rows - 1) * w.rowStride + w.cols);
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int row = w.row + blockedRow<rows>(r, warp);
    const int count = inside(row, w.rows) ? min(w.cols - w.col, N) : 0;
    const T *const line = w.base + row * w.rowStride + w.col;
    // The same for all lanes.
    const bool within = w.col >= 0 && (u64(line) & ~u64(15)) >= begin &&
                        u64(line) + u64(max(count, 0)) * size + around <= end;
    if (count <= 0 || within) {
      loadRowAround(f, r, line, count);
    } else {
#pragma unroll
      for (int i = 0; i < N / 32; i += 8)
        setEight(f, r * (N / 32) + i,
                 loadEight<size, Edge::elements>(line - w.col, 1, w.col + blockedCol(i), w.cols));
    }
  }
}

} // namespace sluice

#endif // SLUICE_HOST

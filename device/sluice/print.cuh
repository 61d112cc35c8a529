// A tile as text by the device's printf, in the lines of lib/Program/TileText.cpp: the first 8 rows
// with their first 8 columns, a line a call. Included by the text that prints. CUDA C++ Programming
// Guide, "Formatted Output".
#pragma once

#include <sluice/blocked.cuh>
#include <sluice/fragment.cuh>
#include <sluice/shared_tile.cuh>

#ifndef __CUDACC_RTC__ // which declares printf itself and has no <cstdio>
#include <cstdio>
#endif

namespace sluice {

constexpr int printedMost = 8;

/// One value where the tile has one column, else eight.
__device__ __forceinline__ void printRow(const char *what, int row, int cols, const float *v) {
  if (cols == 1)
    printf("%s, CTA (%d,%d,%d), row %3d: %9.5g\n", what, int(blockIdx.x), int(blockIdx.y),
           int(blockIdx.z), row, double(v[0]));
  else
    printf("%s, CTA (%d,%d,%d), row %3d: %9.5g %9.5g %9.5g %9.5g %9.5g %9.5g %9.5g %9.5g\n", what,
           int(blockIdx.x), int(blockIdx.y), int(blockIdx.z), row, double(v[0]), double(v[1]),
           double(v[2]), double(v[3]), double(v[4]), double(v[5]), double(v[6]), double(v[7]));
}

/// rows x cols elements from (row, col) on of the slot at `address`, by one lane.
template <class Tile>
__device__ __noinline__ void printShared(const char *what, int rows, int cols, u32 address, int row,
                                         int col) {
  using Element = typename Tile::Element;
  for (int r = 0; r < rows && r < printedMost; ++r) {
    float values[printedMost] = {};
    for (int c = 0; c < cols && c < printedMost; ++c) {
      const Piece p = loadShared<sizeof(Element)>(address + Tile::offset(row + r, col + c));
      values[c] = toFloat(elementOf<Element>(p.word[0]));
    }
    printRow(what, r, cols, values);
  }
}

/// The rows of the warp, by all of its lanes; `tile` is indexed as fragment.cuh says. What every
/// warp has alike is printed by the first.
template <class T>
__device__ __forceinline__ void printRegisters(const char *what, int rows, int cols, const T &tile,
                                               int warp) {
  if (rows == 1 && warp != 0)
    return;
  for (int r = 0; r < rows && r < printedMost; ++r) {
    float values[printedMost] = {};
    for (int c = 0; c < cols && c < printedMost; ++c) {
      const float own = c % 2 ? tile.get(1) : tile.get(0);
      values[c] = laneValue(own, 4 * r + c / 2);
    }
    if (laneOfWarp() == 0)
      printRow(what, 16 * warp + r, cols, values);
  }
}

/// The first columns are those of lane 0.
template <class T, int rowsOfWarp, int N>
__device__ __forceinline__ void printRegisters(const char *what, int, int,
                                               const Blocked<T, rowsOfWarp, N> &tile, int warp) {
#pragma unroll
  for (int r = 0; r < rowsOfWarp && r < printedMost; ++r) {
    float values[printedMost];
#pragma unroll
    for (int c = 0; c < printedMost; ++c)
      values[c] = tile.get(r * (N / 32) + c);
    if (laneOfWarp() == 0)
      printRow(what, rowsOfWarp * warp + r, N, values);
  }
}
template <class T, int rowsOfWarp>
__device__ __forceinline__ void
printRegisters(const char *what, int, int, const BlockedRowVector<T, rowsOfWarp> &tile, int warp) {
#pragma unroll
  for (int r = 0; r < rowsOfWarp && r < printedMost; ++r) {
    const float value[1] = {tile.get(r)};
    if (laneOfWarp() == 0)
      printRow(what, rowsOfWarp * warp + r, 1, value);
  }
}
template <class T, int N>
__device__ __forceinline__ void printRegisters(const char *what, int, int,
                                               const BlockedColVector<T, N> &tile, int warp) {
  float values[printedMost];
#pragma unroll
  for (int c = 0; c < printedMost; ++c)
    values[c] = c >= N                ? 0.0f
                : lanesOfShort<N> > 1 ? laneValue(tile.get(0), c)
                                      : tile.get(c < N ? c : 0);
  if (warp == 0 && laneOfWarp() == 0)
    printRow(what, 0, N, values);
}

} // namespace sluice

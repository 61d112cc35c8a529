// A tile as text by the device's printf, in the words of lib/Machine/TileText.cpp: the first 8 rows
// and columns. Included by the text that prints. CUDA C++ Programming Guide, "Formatted Output".
#pragma once

#include <sluice/fragment.cuh>
#include <sluice/shared_tile.cuh>

#ifndef __CUDACC_RTC__ // which declares printf itself and has no <cstdio>
#include <cstdio>
#endif

namespace sluice {

constexpr int printedMost = 8;

__device__ __forceinline__ void printHeading(const char *what, int firstRow) {
  printf("%s, CTA (%d,%d,%d), warp %d, from row %d:\n", what, int(blockIdx.x), int(blockIdx.y),
         int(blockIdx.z), int(threadIdx.x / 32), firstRow);
}

/// rows x cols elements from (row, col) on of the slot at `address`, by one lane.
template <class Tile>
__device__ __noinline__ void printShared(const char *what, int rows, int cols, u32 address, int row,
                                         int col) {
  using Element = typename Tile::Element;
  printHeading(what, 0);
  for (int r = 0; r < rows && r < printedMost; ++r) {
    for (int c = 0; c < cols && c < printedMost; ++c) {
      const Piece p = loadShared<sizeof(Element)>(address + Tile::offset(row + r, col + c));
      printf(" %9.5g", double(toFloat(elementOf<Element>(p.word[0]))));
    }
    printf(cols > printedMost ? " ...\n" : "\n");
  }
  if (rows > printedMost)
    printf("       ...\n");
}

/// The rows of the warp, by all of its lanes; `tile` is indexed as fragment.cuh says.
template <class T>
__device__ __forceinline__ void printRegisters(const char *what, int rows, int cols, const T &tile,
                                               int warp) {
  const bool first = laneOfWarp() == 0;
  if (first)
    printHeading(what, rows == 1 ? 0 : 16 * warp);
  for (int r = 0; r < rows && r < printedMost; ++r) {
    for (int c = 0; c < cols && c < printedMost; ++c) {
      const float own = cols == 1 ? tile.get(0) : c % 2 ? tile.get(1) : tile.get(0);
      const float value = laneValue(own, 4 * r + c / 2);
      if (first)
        printf(" %9.5g", double(value));
    }
    if (first)
      printf(cols > printedMost ? " ...\n" : "\n");
  }
  if (first && rows > printedMost)
    printf("       ...\n");
}

} // namespace sluice

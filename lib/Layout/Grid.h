// A layout as a grid of cells: what is printed as a table and drawn.
#pragma once

#include "Layout/Named.h"

#include <string>
#include <vector>

namespace sluice {

/// Colours tell what is equal modulo this many.
constexpr int kGridColours = 8;

struct GridCell {
  std::string first, second; // "21"; "T3", "V1"; both empty: no coordinate is there
  int colour = -1;           // 0 .. kGridColours - 1; -1: none
};

struct LayoutGrid {
  std::string title, legend; // the layout; what colours mean
  std::string down, across;  // what rows and columns count
  int64_t rows = 0, columns = 0;
  std::vector<GridCell> cells; // row by row
  const GridCell &at(int64_t row, int64_t column) const { return cells[row * columns + column]; }
};

/// Mode 0 down, all others across; or the tile that is dealt to threads, by whom and as which of
/// their values each element is held. An Error where a value lies outside of the tile, or where
/// there are more than 2^14 cells.
Result<LayoutGrid> gridOf(const TileLayout &tile);

/// A table for the terminal.
std::string gridText(const LayoutGrid &grid);

} // namespace sluice

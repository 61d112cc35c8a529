#include "Layout/Grid.h"

#include <algorithm>

namespace sluice {
namespace {

constexpr int64_t mostCells = int64_t{1} << 14;

Error tooMany(int64_t cells) {
  return inputError(std::to_string(cells) + " cells are more than the " +
                    std::to_string(mostCells) + " of a table or picture");
}

/// Shared memory has 32 banks of 4 bytes (CUDA programming guide): four of them hold the 16 bytes
/// that a lane, or a row of ldmatrix, takes at once.
int bankGroup(int64_t offset, DType type) {
  return static_cast<int>(offset * byteSize(type) / 16 % kGridColours);
}

Result<LayoutGrid> offsetGrid(const TileLayout &tile) {
  const ShapeStride &layout = tile.layout.layout;
  const int64_t all = size(layout);
  if (all > mostCells)
    return tooMany(all);
  LayoutGrid grid;
  grid.title = text(tile.layout);
  grid.legend = tile.type ? "colour: the four banks of shared memory that hold the element, " +
                                std::string(name(*tile.type))
                          : "colour: offset modulo 8";
  grid.down = "mode 0";
  grid.across = layout.rank() > 2 ? "modes 1 to " + std::to_string(layout.rank() - 1) : "mode 1";
  grid.rows = layout.rank() > 1 ? size(layout.modes()[0]) : 1;
  grid.columns = all / grid.rows;
  for (int64_t row = 0; row < grid.rows; ++row)
    for (int64_t column = 0; column < grid.columns; ++column) {
      const int64_t offset = offsetOf(tile.layout, row + column * grid.rows);
      grid.cells.push_back(
          {std::to_string(offset), "",
           tile.type ? bankGroup(offset, *tile.type) : static_cast<int>(offset % kGridColours)});
    }
  return grid;
}

/// Where several threads hold an element it says the first of them and how many more.
class Dealer {
public:
  Dealer(const TileLayout &tile, TileShape shape) : tile_(tile), shape_(shape) {}

  Result<LayoutGrid> deal() {
    const ShapeStride &layout = tile_.layout.layout;
    if (layout.rank() != 2 || tile_.layout.swizzle.bits)
      return inputError(text(tile_.layout) +
                        ": a tile is dealt by a layout of two modes, threads and values");
    if (shape_.rows > mostCells || shape_.rows * shape_.columns > mostCells)
      return tooMany(shape_.rows * shape_.columns);
    if (size(layout) > 8 * mostCells)
      return tooMany(size(layout));
    if (cosize(layout) > shape_.rows * shape_.columns)
      return inputError(text(layout) + " reaches element " + std::to_string(cosize(layout) - 1) +
                        " of a tile of " + std::to_string(shape_.rows) + "x" +
                        std::to_string(shape_.columns));
    grid_ = {text(layout),
             "T: thread, V: its value; colour: thread modulo 8",
             "row",
             "column",
             shape_.rows,
             shape_.columns,
             std::vector<GridCell>(static_cast<size_t>(shape_.rows * shape_.columns))};
    place(layout);
    return std::move(grid_);
  }

private:
  void place(const ShapeStride &layout) {
    const int64_t threads = size(layout.modes()[0]);
    std::vector<int64_t> more(grid_.cells.size(), 0);
    for (int64_t i = 0, end = size(layout); i < end; ++i) {
      const int64_t at = offsetOf(layout, i);
      const auto index = static_cast<size_t>(at % shape_.rows * shape_.columns + at / shape_.rows);
      GridCell &cell = grid_.cells[index];
      if (cell.colour < 0)
        cell = {"T" + std::to_string(i % threads), "V" + std::to_string(i / threads),
                static_cast<int>(i % threads % kGridColours)};
      else
        ++more[index];
    }
    for (size_t i = 0; i < more.size(); ++i)
      if (more[i])
        grid_.cells[i].second += "+" + std::to_string(more[i]);
  }

  const TileLayout &tile_;
  TileShape shape_;
  LayoutGrid grid_;
};

std::string padded(const std::string &word, size_t width) {
  return std::string(width - std::min(width, word.size()), ' ') + word;
}

std::string cellText(const GridCell &cell) {
  return cell.first.empty() ? "." : cell.first + cell.second;
}

} // namespace

Result<LayoutGrid> gridOf(const TileLayout &tile) {
  return tile.dealt ? Dealer(tile, *tile.dealt).deal() : offsetGrid(tile);
}

std::string gridText(const LayoutGrid &grid) {
  size_t width = std::to_string(grid.columns - 1).size();
  for (const GridCell &cell : grid.cells)
    width = std::max(width, cellText(cell).size());
  const size_t head = std::to_string(grid.rows - 1).size();
  std::string text = std::string(head, ' ') + " |";
  for (int64_t column = 0; column < grid.columns; ++column)
    text += " " + padded(std::to_string(column), width);
  text += "\n" + std::string(head + 1, '-') + "+" +
          std::string((width + 1) * static_cast<size_t>(grid.columns), '-') + "\n";
  for (int64_t row = 0; row < grid.rows; ++row) {
    text += padded(std::to_string(row), head) + " |";
    for (int64_t column = 0; column < grid.columns; ++column)
      text += " " + padded(cellText(grid.at(row, column)), width);
    text += "\n";
  }
  return text;
}

} // namespace sluice

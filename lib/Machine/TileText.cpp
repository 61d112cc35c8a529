#include "Machine/TileText.h"

#include <algorithm>
#include <cstdio>

namespace sluice {

std::string tileHeading(const std::string &name, DType type, int64_t rows, int64_t cols) {
  return name + ", " + std::to_string(rows) + " x " + std::to_string(cols) + " " +
         std::string(sluice::name(type));
}

std::string tileText(const PrintedTile &tile, const float *values, int64_t count) {
  constexpr int64_t most = 8;
  char number[64];
  std::snprintf(number, sizeof number, ", CTA (%d,%d,%d), warp %d, from row %d:\n",
                int(tile.cta[0]), int(tile.cta[1]), int(tile.cta[2]), tile.warp,
                int(tile.firstRow));
  std::string text = tileHeading(tile.name, tile.type, tile.rows, tile.cols) + number;
  for (int64_t r = 0; r < std::min(count, most); ++r) {
    for (int64_t c = 0; c < std::min(tile.cols, most); ++c) {
      std::snprintf(number, sizeof number, " %9.5g", double(values[r * tile.cols + c]));
      text += number;
    }
    text += tile.cols > most ? " ...\n" : "\n";
  }
  return text + (count > most ? "       ...\n" : "");
}

} // namespace sluice

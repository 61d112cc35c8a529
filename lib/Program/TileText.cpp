#include "Program/TileText.h"

#include <algorithm>
#include <cstdio>

namespace sluice {

std::string tileHeading(const std::string &name, DType type, int64_t rows, int64_t cols) {
  return name + ", " + std::to_string(rows) + " x " + std::to_string(cols) + " " +
         std::string(sluice::name(type));
}

std::string tileText(const PrintedRows &rows, const float *values) {
  constexpr int64_t most = 8;
  char part[96];
  std::string text;
  for (int64_t r = 0; r < std::min(rows.count, most); ++r) {
    std::snprintf(part, sizeof part, ", CTA (%d,%d,%d), row %3d:", int(rows.cta[0]),
                  int(rows.cta[1]), int(rows.cta[2]), int(rows.first + r));
    text += rows.heading + part;
    for (int64_t c = 0; c < std::min(rows.cols, most); ++c) {
      std::snprintf(part, sizeof part, " %9.5g", double(values[r * rows.cols + c]));
      text += part;
    }
    text += "\n";
  }
  return text;
}

} // namespace sluice

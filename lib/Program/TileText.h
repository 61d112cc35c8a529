// A tile as text, as sluice.print shows it on the virtual machine; device/sluice/print.cuh prints
// the same lines.
#pragma once

#include "Program/Types.h"

#include <array>
#include <string>

namespace sluice {

/// "acc, 128 x 64 f32"
std::string tileHeading(const std::string &name, DType type, int64_t rows, int64_t cols);

/// Rows of a tile, and whose they are.
struct PrintedRows {
  std::string heading; // of the tile
  std::array<int64_t, 3> cta;
  int64_t first, count, cols;
};

/// The first 8 rows with their first 8 columns. Every line tells whose it is: on a device those of
/// several warps come in any order.
std::string tileText(const PrintedRows &rows, const float *values);

} // namespace sluice

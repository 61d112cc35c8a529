// A tile as text, as sluice.print shows it on the virtual machine; device/sluice/print.cuh prints
// the same words.
#pragma once

#include "Machine/Types.h"

#include <array>
#include <string>

namespace sluice {

/// "acc, 128 x 64 f32"
std::string tileHeading(const std::string &name, DType type, int64_t rows, int64_t cols);

/// What is printed of a tile, and who prints it.
struct PrintedTile {
  std::string name;
  DType type;
  int64_t rows, cols;
  std::array<int64_t, 3> cta;
  int warp; // of the CTA
  int64_t firstRow;
};

/// A heading, then the first 8 of `count` rows and the first 8 columns; "..." stands for more.
std::string tileText(const PrintedTile &tile, const float *values, int64_t count);

} // namespace sluice

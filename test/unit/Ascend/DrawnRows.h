// Kernels along rows, drawn: one to four inputs, element functions, folds of rows, sums over tiles
// of rows, broadcasts, several outputs.
#pragma once

#include "Ascend/DrawnKernel.h"

#include <memory>

namespace sluice::test::drawn {

/// Extents of a launch that a kernel is drawn for, and what lies between rows, in elements.
struct DrawnSizes {
  int64_t matrices = 1, rows = 1, pad = 0;
};

struct DrawnRows {
  std::unique_ptr<DrawnKernel> kernel;
  std::string family;
  std::vector<DrawnSizes> launches;
};

DrawnRows drawRows(const std::string &target, uint64_t seed);

} // namespace sluice::test::drawn

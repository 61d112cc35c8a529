#include "Reference/Reference.h"

#include <algorithm>

namespace sluice {

/// Element (r, s) of every filter: K x C.
static Matrix tapOf(const Matrix &filters, const ConvReference &how, int64_t tap) {
  const int64_t taps = how.filterRows * how.filterColumns, count = filters.rows() / taps;
  Matrix one(count, filters.cols());
  for (int64_t k = 0; k < count; ++k)
    one.row(k) = filters.row(k * taps + tap);
  return one;
}

Result<Matrix> referenceConv(const Matrix &images, const Matrix &filters,
                             const ConvReference &how) {
  const int64_t taps = how.filterRows * how.filterColumns;
  const int64_t P = how.rows + 2 * how.pad - how.filterRows + 1;
  const int64_t Q = how.columns + 2 * how.pad - how.filterColumns + 1;
  if (images.rows() != how.images * how.rows * how.columns || images.cols() != filters.cols() ||
      filters.rows() % taps != 0 || P < 0 || Q < 0)
    return inputError("conv: images and filters do not fit each other");
  Matrix y = Matrix::Zero(how.images * P * Q, filters.rows() / taps);
  for (int64_t tap = 0; tap < taps; ++tap) {
    const Matrix weights = tapOf(filters, how, tap).transpose();
    const int64_t down = tap / how.filterColumns - how.pad,
                  across = tap % how.filterColumns - how.pad;
    // Columns of the result whose tap lies within the image.
    const int64_t first = std::max<int64_t>(0, -across);
    const int64_t count = std::min(Q, how.columns - across) - first;
    for (int64_t row = 0; row < how.images * P && count > 0; ++row)
      if (const int64_t h = row % P + down; h >= 0 && h < how.rows)
        y.middleRows(row * Q + first, count).noalias() +=
            images.middleRows((row / P * how.rows + h) * how.columns + first + across, count) *
            weights;
  }
  return y;
}

} // namespace sluice

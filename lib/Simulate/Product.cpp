#include "Simulate/Product.h"

#include "Simulate/Kernels.h"

#include <bit>

namespace sluice {
namespace {

/// What the unit reads of an operand.
std::vector<float> operand(const Tile &t, RowRange rows) {
  std::vector<float> values((rows.end - rows.begin) * t.cols);
  t.gather(rows, values.data());
  if (t.type == DType::tf32)
    for (float &x : values)
      x = cutToTf32(x);
  return values;
}

void multiplyReal(const Tile &d, const std::vector<RowRange> &rows, const Tile &a, const Tile &b,
                  bool accumulate) {
  const std::vector<float> right = operand(b, {0, b.rows});
  for (RowRange r : rows) {
    const int64_t m = r.end - r.begin;
    const std::vector<float> left = operand(a, r);
    std::vector<float> sum(m * d.cols, 0);
    if (accumulate)
      d.gather(r, sum.data());
    multiplyAdd(m, d.cols, a.cols, left.data(), right.data(), sum.data());
    d.scatter(r, sum.data());
  }
}

void multiplyWhole(const Tile &d, const std::vector<RowRange> &rows, const Tile &a, const Tile &b,
                   bool accumulate) {
  const Elements right = gather(b, {0, b.rows});
  for (RowRange r : rows) {
    const Elements left = gather(a, r);
    Elements sum(d.type, (r.end - r.begin) * d.cols);
    if (accumulate)
      sum = gather(d, r);
    for (int64_t i = 0; i < r.end - r.begin; ++i)
      for (int64_t p = 0; p < a.cols; ++p)
        for (int64_t j = 0; j < d.cols; ++j)
          sum.integers[i * d.cols + j] +=
              left.integers[i * a.cols + p] * right.integers[p * d.cols + j];
    for (int64_t &x : sum.integers)
      x = wrapTo(d.type, x);
    scatter(d, r, sum);
  }
}

} // namespace

float cutToTf32(float x) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(x) & 0xffffe000u);
}

void multiplyScaled(const Tile &d, const Tile &a, const Tile &b, const TileScales &scales,
                    bool accumulate) {
  const std::vector<float> left = operand(a, {0, a.rows}), right = operand(b, {0, b.rows}),
                           ofA = operand(scales.a, {0, 32}), ofB = operand(scales.b, {0, 32});
  std::vector<float> sum(size_t(d.rows * d.cols), 0);
  if (accumulate)
    d.gather({0, d.rows}, sum.data());
  const auto factor = [](const std::vector<float> &of, int64_t cols, int64_t row, int64_t k) {
    return double(
        of[BlockScales::lane(row) * cols + BlockScales::byte(row, k / BlockScales::block)]);
  };
  for (int64_t i = 0; i < d.rows; ++i)
    for (int64_t j = 0; j < d.cols; ++j)
      for (int64_t k = 0; k < a.cols; ++k)
        sum[i * d.cols + j] +=
            float(double(left[i * a.cols + k]) * right[k * b.cols + j] *
                  factor(ofA, scales.a.cols, i, k) * factor(ofB, scales.b.cols, j, k));
  d.scatter({0, d.rows}, sum.data());
}

void copyToAllLanes(const Tile &to, const Tile &from, const std::vector<int64_t> &rowOfLane) {
  const int64_t bytes = from.cols * byteSize(from.type);
  std::vector<std::byte> rows(size_t(from.rows * bytes));
  from.gather({0, from.rows}, rows.data());
  for (int64_t lane = 0; lane < to.rows; ++lane)
    to.scatter({lane, lane + 1}, rows.data() + rowOfLane[size_t(lane)] * bytes);
}

void multiplyTiles(const Tile &d, const std::vector<RowRange> &rows, const Tile &a, const Tile &b,
                   bool accumulate) {
  const bool whole = isExactInteger(a.type) && isExactInteger(b.type) && isExactInteger(d.type);
  (whole ? multiplyWhole : multiplyReal)(d, rows, a, b, accumulate);
}

} // namespace sluice

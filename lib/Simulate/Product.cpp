#include "Simulate/Product.h"

#include "Program/BlockScales.h"
#include "Simulate/Kernels.h"
#include "Support/E2m1.h"

#include <bit>
#include <cmath>

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

/// The numbers of every row of a, or column of b, along K: of a pair both.
static std::vector<float> numbersAlongK(const Tile &tile, bool rows) {
  const std::vector<float> elements = operand(tile, {0, tile.rows});
  const int64_t lines = rows ? tile.rows : tile.cols, depth = rows ? tile.cols : tile.rows;
  std::vector<float> numbers;
  for (int64_t i = 0; i < lines; ++i)
    for (int64_t k = 0; k < depth; ++k) {
      const float x = elements[size_t(rows ? i * depth + k : k * lines + i)];
      if (tile.type != DType::e2m1x2) {
        numbers.push_back(x);
        continue;
      }
      const std::array<float, 2> pair = e2m1Pair(uint8_t(x));
      numbers.insert(numbers.end(), pair.begin(), pair.end());
    }
  return numbers;
}

/// By line, from one on, and block. A factor has no sign: of ue4m3 the highest bit is none (NaN
/// where it is set).
static std::vector<double> factorsOf(const Tile &scales, RowRange lines, int64_t blocks,
                                     const FactorPieces &pieces) {
  const std::vector<float> elements = operand(scales, {0, FactorPieces::rows});
  std::vector<double> factors;
  for (int64_t i = lines.begin; i < lines.end; ++i)
    for (int64_t k = 0; k < blocks; ++k) {
      const float x = elements[size_t(FactorPieces::lane(i) * scales.cols + pieces.byte(i, k))];
      factors.push_back(std::signbit(x) ? NAN : x);
    }
  return factors;
}

void multiplyScaled(const Tile &d, const Tile &a, const Tile &b, const TileScales &scales,
                    bool accumulate) {
  const std::vector<float> left = numbersAlongK(a, true), right = numbersAlongK(b, false);
  const int64_t block = elementsOfBlock(a.type, scales.a.type),
                blocks = (a.cols + block - 1) / block;
  const RowRange columns{scales.first, scales.first + d.cols};
  const std::vector<double> ofA = factorsOf(scales.a, {0, d.rows}, blocks,
                                            piecesOf(d.rows, a.cols, block)),
                            ofB = factorsOf(scales.b, columns, blocks,
                                            piecesOf(scales.columns, a.cols, block));
  const int64_t depth = int64_t(left.size()) / a.rows, numbers = depth / a.cols * block;
  std::vector<float> sum(size_t(d.rows * d.cols), 0);
  if (accumulate)
    d.gather({0, d.rows}, sum.data());
  for (int64_t i = 0; i < d.rows; ++i)
    for (int64_t j = 0; j < d.cols; ++j)
      for (int64_t k = 0; k < depth; ++k)
        sum[size_t(i * d.cols + j)] +=
            float(double(left[size_t(i * depth + k)]) * right[size_t(j * depth + k)] *
                  ofA[size_t(i * blocks + k / numbers)] * ofB[size_t(j * blocks + k / numbers)]);
  d.scatter({0, d.rows}, sum.data());
}

void copyToAllLanes(const Tile &to, const Tile &from, const std::vector<int64_t> &rowOfLane) {
  const int64_t bytes = from.cols * byteSize(from.type);
  std::vector<std::byte> rows(size_t(from.rows * bytes));
  from.gather({0, from.rows}, rows.data());
  for (int64_t lane = 0; lane < to.rows; ++lane)
    if (rowOfLane[size_t(lane)] >= 0)
      to.scatter({lane, lane + 1}, rows.data() + rowOfLane[size_t(lane)] * bytes);
}

void multiplyTiles(const Tile &d, const std::vector<RowRange> &rows, const Tile &a, const Tile &b,
                   bool accumulate) {
  const bool whole = isExactInteger(a.type) && isExactInteger(b.type) && isExactInteger(d.type);
  (whole ? multiplyWhole : multiplyReal)(d, rows, a, b, accumulate);
}

} // namespace sluice

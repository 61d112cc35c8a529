#include "Explore/Places.h"

#include <array>

namespace sluice::explorer {
namespace {

/// PTX ISA, "tensor swizzling modes", the pictures: which 16 bytes of a line of 128 lie where. Of
/// 32 bytes two lines repeat, of 64 bytes four, of 128 bytes eight.
constexpr std::array<std::array<int, 8>, 8> swizzlePicture{{{0, 1, 2, 3, 4, 5, 6, 7},
                                                            {1, 0, 3, 2, 5, 4, 7, 6},
                                                            {2, 3, 0, 1, 6, 7, 4, 5},
                                                            {3, 2, 1, 0, 7, 6, 5, 4},
                                                            {4, 5, 6, 7, 0, 1, 2, 3},
                                                            {5, 4, 7, 6, 1, 0, 3, 2},
                                                            {6, 7, 4, 5, 2, 3, 0, 1},
                                                            {7, 6, 5, 4, 3, 2, 1, 0}}};

int spanOf(Layout layout) {
  return layout == Layout::sw128  ? 128
         : layout == Layout::sw64 ? 64
         : layout == Layout::sw32 ? 32
                                  : 0;
}

/// What the unit makes of an address in shared memory: it looks at the address alone.
int64_t swizzled(int64_t address, int span) {
  const int64_t line = address / 128, piece = address / 16 % 8;
  return line * 128 + swizzlePicture[line % (span / 16)][piece] * 16 + address % 16;
}

class Places {
public:
  Places(const Buffer &buffer, int64_t base)
      : rows_(buffer.shape.empty() ? 1 : buffer.shape[0]),
        columns_(buffer.shape.size() > 1 ? buffer.shape[1] : 1), size_(byteSize(buffer.type)),
        base_(base), found_(rows_ * columns_, -1) {}

  /// One after the other, along rows or along columns.
  void dense(bool alongRows) {
    if (alongRows)
      box(0, rows_, 0, columns_);
    else
      turnedBox(0, rows_, 0, columns_);
  }

  /// Tensor memory: a row in each lane of 2048 bytes.
  void lanes() {
    for (int64_t row = 0; row < rows_; ++row)
      for (int64_t column = 0; column < columns_; ++column)
        found_[row * columns_ + column] =
            laneOfRow(rows_, row) * laneBytes + base_ + column * size_;
  }

  /// Every line behind a head, and room behind it.
  void lines(bool alongRows) {
    constexpr int64_t margin = 16, room = 128;
    for (int64_t line = 0; line < (alongRows ? rows_ : columns_); ++line) {
      used_ += margin;
      if (alongRows)
        box(line, line + 1, 0, columns_);
      else
        turnedBox(0, rows_, line, line + 1);
      used_ += room;
    }
  }

  /// All lines behind one head.
  void behindHead(bool alongRows) {
    constexpr int64_t margin = 16;
    used_ += margin;
    dense(alongRows);
  }

  /// Strips of so many elements, each with all its lines, one strip behind the other.
  void strips(int64_t width, bool alongRows) {
    for (int64_t from = 0; from < (alongRows ? columns_ : rows_); from += width)
      if (alongRows)
        box(0, rows_, from, from + width);
      else
        turnedBox(from, from + width, 0, columns_);
  }
  /// Strips as wide as the span.
  void swizzledStrips(int span, bool alongRows) {
    strips(span / size_, alongRows);
    for (int64_t &place : found_)
      place = swizzled(place, span);
  }

  /// Fractals of 16 rows and `wide` columns, rows inside: one column of fractals after the other.
  void zN(int64_t wide) {
    for (int64_t column = 0; column < columns_; column += wide)
      for (int64_t row = 0; row < rows_; row += 16)
        box(row, row + 16, column, column + wide);
  }
  /// One row of fractals after the other.
  void zZ(int64_t wide) {
    for (int64_t row = 0; row < rows_; row += 16)
      for (int64_t column = 0; column < columns_; column += wide)
        box(row, row + 16, column, column + wide);
  }
  /// Fractals of `high` rows and 16 columns, columns inside: one row of fractals after the other.
  void nZ(int64_t high) {
    for (int64_t row = 0; row < rows_; row += high)
      for (int64_t column = 0; column < columns_; column += 16)
        turnedBox(row, row + high, column, column + 16);
  }
  /// The same, one column of fractals after the other.
  void nN(int64_t high) {
    for (int64_t column = 0; column < columns_; column += 16)
      for (int64_t row = 0; row < rows_; row += high)
        turnedBox(row, row + high, column, column + 16);
  }

  std::vector<int64_t> take() { return std::move(found_); }

private:
  static constexpr int64_t laneBytes = 2048;

  /// The elements of a box lie one after the other, row by row. What is beyond the tile is padding.
  void box(int64_t row, int64_t rowEnd, int64_t column, int64_t columnEnd) {
    for (int64_t r = row; r < rowEnd; ++r)
      for (int64_t c = column; c < columnEnd; ++c)
        next(r, c);
  }
  /// Column by column.
  void turnedBox(int64_t row, int64_t rowEnd, int64_t column, int64_t columnEnd) {
    for (int64_t c = column; c < columnEnd; ++c)
      for (int64_t r = row; r < rowEnd; ++r)
        next(r, c);
  }
  void next(int64_t row, int64_t column) {
    if (row < rows_ && column < columns_)
      found_[row * columns_ + column] = base_ + used_;
    used_ += size_;
  }

  const int64_t rows_, columns_, size_, base_;
  int64_t used_ = 0; // bytes
  std::vector<int64_t> found_;
};

} // namespace

/// PTX ISA, the pictures of layouts D and F: of 64 rows 16 are at the start of each quarter.
int64_t laneOfRow(int64_t rows, int64_t row) {
  constexpr int64_t quarter = 32;
  const int64_t inQuarter = rows == 64 ? 16 : quarter;
  return row / inQuarter * quarter + row % inQuarter;
}

std::vector<int64_t> elementPlaces(const Buffer &b, int64_t slot) {
  const bool registers = b.space == Space::reg;
  Places places(b, (registers ? 0 : b.offset) + slot * b.slotBytes);
  // 32 bytes; the accumulator's memory has 16 elements whatever their size.
  const int64_t line = b.space == Space::l0c ? 16 : 32 / byteSize(b.type);
  if (b.space == Space::tmem) {
    places.lanes();
    return places.take();
  }
  switch (b.layout) {
  case Layout::sw32:
  case Layout::sw64:
  case Layout::sw128:
    places.swizzledStrips(spanOf(b.layout), b.minor == 1);
    break;
  case Layout::panels: // boxes of TMA have at most 256 elements a side
    places.strips(256, b.minor == 1);
    break;
  case Layout::lines:
    places.lines(b.minor == 1);
    break;
  case Layout::span:
    places.behindHead(b.minor == 1);
    break;
  case Layout::zN:
    places.zN(line);
    break;
  case Layout::zZ:
    places.zZ(line);
    break;
  case Layout::nZ:
    places.nZ(line);
    break;
  case Layout::nN:
    places.nN(line);
    break;
  default: // also what registers hold: nobody else can name their bytes
    places.dense(b.minor == 1);
    break;
  }
  return places.take();
}

} // namespace sluice::explorer

// What one call of Ascend C's basic API does not say, for printed kernels of the vector cores:
// boxes that end where a tensor ends, and what lies beyond.
#pragma once

#include <sluice/core.h>

namespace sluice {

/// Bytes of a block, of which addresses and distances in UB are multiples, and of the largest
/// distance of two blocks in GM that DataCopyPad takes.
constexpr int blockBytes = 32;
constexpr i64 furthestBlocks = 0xffffffffll;

constexpr float infinity = __builtin_inff();

/// A type of so many bytes that moves bits.
template <int bytes> struct NumberOfSize { using type = int32_t; };
template <> struct NumberOfSize<2> { using type = int16_t; };

/// `lines` blocks of `bytes` each, `columns` bytes apart in UB and `stride` in GM.
__aicore__ inline AscendC::DataCopyExtParams linesOf(int lines, int bytes, int columns, i64 stride,
                                                     bool fromGlobal) {
  const uint32_t inUb = (columns - ceilDiv(bytes, blockBytes) * blockBytes) / blockBytes;
  const uint32_t inGlobal = lines > 1 ? stride - bytes : 0;
  return fromGlobal ? AscendC::DataCopyExtParams(lines, bytes, inGlobal, inUb, 0)
                    : AscendC::DataCopyExtParams(lines, bytes, inUb, inGlobal, 0);
}

/// Of `most` elements those that are left in the tensor.
__aicore__ inline int insideOf(int most, i64 left) {
  return int(min(max(left, i64(0)), i64(most)));
}

/// GM to UB, on MTE2: the box of `height` x `width` at (line, at). What lies outside of the matrix
/// is left as it is.
template <int height, int width, typename T>
__aicore__ inline void loadRows(const AscendC::LocalTensor<T> &to,
                                const AscendC::GlobalTensor<T> &from, const Matrix &matrix,
                                i64 line, i64 at) {
  const int lines = insideOf(height, matrix.height - line),
            along = insideOf(width, matrix.width - at);
  if (lines == 0 || along == 0)
    return;
  constexpr int size = sizeof(T);
  const i64 stride = matrix.stride * size;
  const bool isNear = stride - along * size <= furthestBlocks;
  const auto box = linesOf(isNear ? lines : 1, along * size, width * size, stride, true);
  const AscendC::DataCopyPadExtParams<T> padding(false, 0, 0, static_cast<T>(0));
  const i64 start = matrix.first + line * matrix.stride + at;
  for (int i = 0; i < (isNear ? 1 : lines); ++i) // one by one where they lie too far apart
    AscendC::DataCopyPad(to[i * width], from[start + i * matrix.stride], box, padding);
}

/// UB to GM, on MTE3: what lies outside of the matrix is left out.
template <int height, int width, typename T>
__aicore__ inline void storeRows(const AscendC::GlobalTensor<T> &to, const Matrix &matrix, i64 line,
                                 i64 at, const AscendC::LocalTensor<T> &from) {
  const int lines = insideOf(height, matrix.height - line),
            along = insideOf(width, matrix.width - at);
  if (lines == 0 || along == 0)
    return;
  constexpr int size = sizeof(T);
  const i64 stride = matrix.stride * size;
  const bool isNear = stride - along * size <= furthestBlocks;
  const auto box = linesOf(isNear ? lines : 1, along * size, width * size, stride, false);
  const i64 start = matrix.first + line * matrix.stride + at;
  for (int i = 0; i < (isNear ? 1 : lines); ++i)
    AscendC::DataCopyPad(to[start + i * matrix.stride], from[i * width], box);
}

/// On V: 0, 1 ... in a row; element by element, chosen by a mask.
template <int columns>
__aicore__ inline void columnNumbers(const AscendC::LocalTensor<int32_t> &row) {
  constexpr int lanes = 64;
  for (int i = 0; i < columns; ++i) {
    uint64_t mask[2] = {uint64_t(1) << i % lanes, 0};
    AscendC::Duplicate(row[i / lanes * lanes], int32_t(i), mask, 1, 1, 8);
  }
}

/// On V: rows of `from` become columns of `to`; 16 rows at a time, of blocks of 32 bytes each.
/// Numbers of 16 bits are moved as integers.
template <int rows, int columns, typename T>
__aicore__ inline void turnRows(const AscendC::LocalTensor<T> &to,
                                const AscendC::LocalTensor<T> &from) {
  using Number = typename NumberOfSize<sizeof(T)>::type;
  constexpr int atOnce = 16, ofBlock = blockBytes / sizeof(T), blocks = columns / ofBlock;
  const auto source = from.template ReinterpretCast<Number>();
  const auto target = to.template ReinterpretCast<Number>();
  AscendC::LocalTensor<Number> ins[atOnce], outs[atOnce];
  for (int row = 0; row < rows; row += atOnce) {
    for (int i = 0; i < atOnce; ++i) { // of numbers of 32 bits two blocks make 16 rows wide
      ins[i] = source[(row + i) * columns];
      outs[i] = target[i * ofBlock / atOnce * rows + row + i * ofBlock % atOnce];
    }
    AscendC::TransDataTo5HD<Number>(
        outs, ins, {false, false, blocks, uint16_t(blocks > 1 ? rows : 0), blocks > 1});
  }
}

/// On V: `value` in rows from `first` on.
template <int rows, int columns, typename T>
__aicore__ inline void fillRows(const AscendC::LocalTensor<T> &tile, i64 first, T value) {
  const int begin = min(max(first, i64(0)), i64(rows));
  if (begin < rows)
    AscendC::Duplicate(tile[begin * columns], value, (rows - begin) * columns);
}

/// On V: `value` in columns from `first` on, in row r from first + r * slope. The elements up to
/// the next 256 bytes are chosen by a mask.
template <int rows, int columns, int slope, typename T>
__aicore__ inline void fillColumns(const AscendC::LocalTensor<T> &tile, i64 first, T value) {
  constexpr int lanes = 256 / sizeof(T);
  for (int row = 0; row < rows; ++row) {
    const int begin = max(min(first + i64(row) * slope, i64(columns)), i64(0));
    const int from = begin / lanes * lanes, whole = min(ceilDiv(begin, lanes) * lanes, columns);
    if (begin < whole) {
      uint64_t mask[2] = {0, 0};
      for (int i = begin - from; i < whole - from; ++i)
        mask[i / 64] |= uint64_t(1) << i % 64;
      AscendC::Duplicate(tile[row * columns + from], value, mask, 1, 1, 8);
    }
    if (whole < columns)
      AscendC::Duplicate(tile[row * columns + whole], value, columns - whole);
  }
}

} // namespace sluice

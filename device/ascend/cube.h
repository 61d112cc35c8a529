// What one call of Ascend C's basic API does not say, for printed kernels of the cube cores: boxes
// that end where a tensor ends, fractals of a tile one by one.
#pragma once

#include <sluice/core.h>

namespace sluice {

/// Lines of a fractal; elements of 32 bytes, which is a line.
constexpr int fractal = 16;
template <typename T> constexpr int fractalLine = 32 / int(sizeof(T));
/// Largest distance of two lines that DataCopy takes (Nd2NzParams::srcDValue), elements.
constexpr i64 furthestLines = 65535;

/// So many blocks of 32 bytes in L1. Fill knows no elements of 8 bits: two are one of 16.
template <typename T>
__aicore__ inline void fillWithZeros(const AscendC::LocalTensor<T> &to, int blocks) {
  if constexpr (sizeof(T) == 1) {
    fillWithZeros(to.template ReinterpretCast<half>(), blocks);
  } else {
    AscendC::InitConstValueParams<T> zeros;
    zeros.repeatTimes = 1;
    zeros.blockNum = blocks;
    zeros.dstGap = 0;
    zeros.initValue = static_cast<T>(0);
    AscendC::Fill(to, zeros);
  }
}

/// GM to L1, on MTE2: the box of `height` x `width` at (down, at), in fractals of whole lines: in
/// each strip of `strip` lines fractal below fractal. What lies outside of the matrix is zeros:
/// behind the end of a line DataCopy itself fills up 32 bytes.
template <int height, int width, int strip = height, typename T>
__aicore__ inline void loadTile(const AscendC::LocalTensor<T> &to,
                                const AscendC::GlobalTensor<T> &from, const Matrix &matrix,
                                int down, int at) {
  constexpr int line = fractalLine<T>;
  static_assert(height % strip == 0 && strip % fractal == 0 && width % line == 0);
  const int lines = min(height, matrix.height - down), along = min(width, matrix.width - at);
  const bool isEmpty = lines <= 0 || along <= 0;
  if (isEmpty || lines < height || ceilDiv(along, line) * line < width) {
    fillWithZeros(to, height * width / line);
    AscendC::PipeBarrier<PIPE_MTE2>(); // the copy overwrites what the fill has written
  }
  if (isEmpty)
    return;
  AscendC::Nd2NzParams box;
  const bool isNear = matrix.stride <= furthestLines;
  box.ndNum = 1;
  box.dValue = along;
  box.srcNdMatrixStride = 0;
  box.srcDValue = isNear ? matrix.stride : i64(along);
  box.dstNzC0Stride = strip;
  box.dstNzNStride = 1;
  box.dstNzMatrixStride = 1;
  const i64 start = matrix.first + down * matrix.stride + at;
  for (int i = 0; i < lines; i += isNear ? strip : 1) { // one by one where they lie too far apart
    box.nValue = isNear ? min(strip, lines - i) : 1;
    AscendC::DataCopy(to[i / strip * strip * width + i % strip * line],
                      from[start + i * matrix.stride], box);
  }
}

/// L1 to L0A or L0B, on MTE1: `down` x `across` fractals, which come to lie row by row. In L1 two
/// below each other are `below` fractals apart, two beside each other `beside`. `turned`: rows and
/// columns of each change places, of 16 bits.
template <int down, int across, int below, int beside, bool turned, typename T>
__aicore__ inline void loadFractals(const AscendC::LocalTensor<T> &to,
                                    const AscendC::LocalTensor<T> &from) {
  for (int i = 0; i < down; ++i) {
    AscendC::LoadData2DParams row;
    row.startIndex = i * below;
    row.repeatTimes = across;
    row.srcStride = beside;
    row.dstGap = 0;
    row.ifTranspose = turned;
    AscendC::LoadData(to[i * across * fractal * fractalLine<T>], from, row);
  }
}

/// The same of 8 or 32 bits, turned: `down` x `across` squares of two fractals that lie one behind
/// the other in L1. `stacked`: in L0 the two lie below each other, else beside.
template <int down, int across, int below, int beside, bool stacked, typename T>
__aicore__ inline void loadSquares(const AscendC::LocalTensor<T> &to,
                                   const AscendC::LocalTensor<T> &from) {
  static_assert(sizeof(T) != 2);
  for (int i = 0; i < down; ++i) {
    AscendC::LoadData2dTransposeParams row;
    row.startIndex = i * below;
    row.repeatTimes = across;
    row.srcStride = beside;
    row.dstGap = stacked ? 0 : 1;
    row.dstFracGap = stacked ? across - 1 : 0;
    AscendC::LoadDataWithTranspose(to[i * across * 2 * fractal * fractalLine<T>], from, row);
  }
}

/// Each 512 bytes of L0C have a flag that says whether M or FIX has them. Mmad waits until M has
/// those that it writes, and keeps them, or hands each over to FIX as soon as it is summed up.
/// Fixpipe waits until it has been handed over, and gives it back.
enum UnitFlag : int { noUnits = 0, keepUnits = 2, handUnitsOver = 3 };

/// What Mmad is told of D[m,n] = A[m,k] B[k,n] (+ D where `accumulate`).
__aicore__ inline AscendC::MmadParams product(int m, int n, int k, bool accumulate,
                                              UnitFlag units = noUnits) {
  AscendC::MmadParams params;
  params.m = m;
  params.n = n;
  params.k = k;
  params.unitFlag = units;
  params.cmatrixSource = false;
  params.cmatrixInitVal = !accumulate; // true: from zeros on
  return params;
}

/// L0C to GM, on FIX: the box of `height` x `width` at (line, at), rounded to the tensor's type.
/// What lies outside of the matrix is left out; with `units` nothing does.
template <int height, int width, typename T, typename Sum>
__aicore__ inline void storeTile(const AscendC::GlobalTensor<T> &to, const Matrix &matrix, int line,
                                 int at, const AscendC::LocalTensor<Sum> &from,
                                 UnitFlag units = noUnits) {
  static_assert(height % fractal == 0);
  const int lines = min(height, matrix.height - line), along = min(width, matrix.width - at);
  if (lines <= 0 || along <= 0)
    return;
  AscendC::FixpipeParamsV220 box;
  box.nSize = along;
  box.mSize = lines;
  box.srcStride = height;
  box.dstStride = matrix.stride;
  box.ndNum = 1;
  box.unitFlag = units;
  if constexpr (AscendC::IsSameType<T, half>::value)
    box.quantPre = QuantMode_t::F322F16;
  else if constexpr (AscendC::IsSameType<T, bfloat16_t>::value)
    box.quantPre = QuantMode_t::F322BF16;
  else
    box.quantPre = QuantMode_t::NoQuant;
  AscendC::Fixpipe<T, Sum, AscendC::CFG_ROW_MAJOR>(to[matrix.first + line * matrix.stride + at],
                                                   from, box);
}

} // namespace sluice

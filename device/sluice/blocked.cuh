// Tiles of whole rows in registers: warp w of a role has rows w * rows .. of the tile, `rows` of
// them, and lane l columns 8l .. 8l + 7 of every 256. What a row adds up to is exchanged by the
// lanes of one warp, and memory is read and written in pieces of 8 columns.
#pragma once

#include <sluice/copy.cuh>
#include <sluice/fragment.cuh>

namespace sluice {

/// `rows` rows of a warp, N columns. Value i: row i / (N / 32), and there columns in ascending
/// order. Of 32 columns a lane has one: what it folds its own of others into.
template <class T, int rows, int N> struct Blocked : Values<T, rows * N / 32> {
  static_assert(N % 256 == 0 || N == 32, "8 columns for each lane, or one");
  static constexpr int columns = N;
  static constexpr int rowsOfWarp = rows;
  /// Index in a BlockedRowVector and in a BlockedColVector.
  static __device__ __forceinline__ constexpr int rowIndex(int i) { return i / (N / 32); }
  static __device__ __forceinline__ constexpr int colIndex(int i) { return i % (N / 32); }
};

/// One value per row of the warp, the same in all lanes.
template <class T, int rows> struct BlockedRowVector : Values<T, (rows + 1) / 2 * 2> {
  static constexpr int rowsOfWarp = rows;
  static __device__ __forceinline__ constexpr int rowIndex(int i) { return i; }
  static __device__ __forceinline__ constexpr int colIndex(int) { return 0; }
};

/// Lanes among which columns of fewer than 256 are dealt, one after the other: of a power of two
/// from 16 on. Of others every lane has all.
template <int N> constexpr int lanesOfShort = N >= 16 && (N & (N - 1)) == 0 ? (N < 32 ? N : 32) : 1;

/// One value per column, the same in every warp: of 256 and more dealt like a row of Blocked.
template <class T, int N>
struct BlockedColVector : Values<T, (N < 256 ? (N / lanesOfShort<N> + 1) / 2 * 2 : N / 32)> {
  static constexpr int columns = N;
  static constexpr int values = N < 256 ? N / lanesOfShort<N> : N / 32; // of a lane
  /// Column of value i, of few.
  static __device__ __forceinline__ int column(int i) {
    constexpr int lanes = lanesOfShort<N>;
    return lanes > 1 ? i * lanes + laneOfWarp() % lanes : i;
  }
  static __device__ __forceinline__ constexpr int rowIndex(int) { return 0; }
  static __device__ __forceinline__ constexpr int colIndex(int i) { return i; }
};

/// Row of the role's tile; `index` is a rowIndex, `warp` the warp of the role.
template <int rows> __device__ __forceinline__ int blockedRow(int index, int warp) {
  return warp * rows + index;
}
/// Column of the tile; `index` is a colIndex.
__device__ __forceinline__ int blockedCol(int index) {
  return index / 8 * 256 + laneOfWarp() * 8 + index % 8;
}

/// Behind the 256 columns that the warp has beside that one.
__device__ __forceinline__ constexpr int blockedEnd(int index) {
  return (index / 8 + 1) * 256;
}

/// To the compiler its elements are new ones: what is computed of them alone, as floats of 16-bit
/// types, is not held from before.
template <class T, int rows, int N>
__device__ __forceinline__ void keepPacked([[maybe_unused]] Blocked<T, rows, N> &f) {
#ifndef SLUICE_HOST
#pragma unroll
  for (int i = 0; i < rows * N / 64; ++i)
    asm volatile("" : "+r"(f.v[i]));
#endif
}

/// Folds of a row that a thread goes through side by side, of so many rows: one addition waits for
/// the one before.
template <int rows> constexpr int foldsOfRow = rows < 4 ? 4 / rows : 1;

/// The columns of the thread, row by row.
template <class Fold, class S, int rows, int N>
__device__ __forceinline__ void foldColumns(float (&folded)[(rows + 1) / 2 * 2],
                                            const Blocked<S, rows, N> &f) {
  constexpr int folds = foldsOfRow<rows>;
  float part[rows * folds];
#pragma unroll
  for (int i = 0; i < rows * folds; ++i)
    part[i] = Fold::isSum ? 0.0f : -__int_as_float(0x7f800000);
#pragma unroll
  for (int i = 0; i < rows * N / 32; ++i) {
    float &own = part[f.rowIndex(i) * folds + i % folds];
    own = Fold::of(own, f.get(i));
  }
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    folded[r] = part[r * folds];
#pragma unroll
    for (int i = 1; i < folds; ++i)
      folded[r] = Fold::of(folded[r], part[r * folds + i]);
  }
}
/// The largest of floats of 16 bits: two at a time, an instruction that takes half as long as one
/// of f32 alone.
template <class Fold, class S, int rows, int N>
__device__ __forceinline__ void largestOfPairs(float (&folded)[(rows + 1) / 2 * 2],
                                               const Blocked<S, rows, N> &f) {
  constexpr int folds = foldsOfRow<rows>, words = N / 64;
  static_assert(words >= folds, "a lane has eight columns of 256");
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    u32 part[folds];
#pragma unroll
    for (int i = 0; i < words; ++i) {
      const u32 pair = f.v[r * words + i];
      part[i % folds] = i < folds ? pair : Fold::template ofPairs<S>(part[i % folds], pair);
    }
#pragma unroll
    for (int i = 1; i < folds; ++i)
      part[0] = Fold::template ofPairs<S>(part[0], part[i]);
    folded[r] = Fold::of(toFloat(S{u16(part[0])}), toFloat(S{u16(part[0] >> 16)}));
    folded[r] = Fold::of(folded[r], -__int_as_float(0x7f800000)); // of NaN alone
  }
}

/// The columns of the thread, row by row, the largest of 16 bits in pairs.
template <class Fold, class S, int rows, int N>
__device__ __forceinline__ void foldOwn(float (&folded)[(rows + 1) / 2 * 2],
                                        const Blocked<S, rows, N> &f) {
  if constexpr (!Fold::isSum && (isSame<S, f16> || isSame<S, bf16>))
    largestOfPairs<Fold>(folded, f);
  else
    foldColumns<Fold>(folded, f);
}

/// What each lane has of a row, in its own column.
template <class Fold, int rows, class S, int N>
__device__ __forceinline__ void foldLanes(Blocked<float, rows, 32> &to,
                                          const Blocked<S, rows, N> &f) {
  float folded[(rows + 1) / 2 * 2] = {};
  foldOwn<Fold>(folded, f);
#pragma unroll
  for (int r = 0; r < rows; ++r)
    to.set(r, folded[r]);
}
template <int rows, class S, int N>
__device__ __forceinline__ void maxOfLanes(Blocked<float, rows, 32> &to,
                                           const Blocked<S, rows, N> &f) {
  foldLanes<Larger>(to, f);
}
template <int rows, class S, int N>
__device__ __forceinline__ void maximumOfLanes(Blocked<float, rows, 32> &to,
                                               const Blocked<S, rows, N> &f) {
  foldLanes<Maximum>(to, f);
}
template <int rows, class S, int N>
__device__ __forceinline__ void sumOfLanes(Blocked<float, rows, 32> &to,
                                           const Blocked<S, rows, N> &f) {
  foldLanes<Sum>(to, f);
}

/// Folds the rows of a tile: first the columns of the thread, then those of the warp.
template <class Fold, class T, class S, int rows, int N>
__device__ __forceinline__ void foldRows(BlockedRowVector<T, rows> &to,
                                         const Blocked<S, rows, N> &f) {
  float folded[(rows + 1) / 2 * 2] = {};
  foldOwn<Fold>(folded, f);
#pragma unroll
  for (int mask = 1; mask < 32; mask *= 2)
#pragma unroll
    for (int r = 0; r < rows; ++r)
      folded[r] = Fold::of(folded[r], laneXor(folded[r], mask));
#pragma unroll
  for (int r = 0; r < rows; r += 2)
    to.put(r, folded[r], folded[r + 1]);
}
template <class T, class S, int rows, int N>
__device__ __forceinline__ void maxOfRows(BlockedRowVector<T, rows> &to,
                                          const Blocked<S, rows, N> &f) {
  foldRows<Larger>(to, f);
}
template <class T, class S, int rows, int N>
__device__ __forceinline__ void maximumOfRows(BlockedRowVector<T, rows> &to,
                                              const Blocked<S, rows, N> &f) {
  foldRows<Maximum>(to, f);
}
template <class T, class S, int rows, int N>
__device__ __forceinline__ void sumOfRows(BlockedRowVector<T, rows> &to,
                                          const Blocked<S, rows, N> &f) {
  foldRows<Sum>(to, f);
}

#ifndef SLUICE_HOST

/// Eight neighbours of a row in memory.
template <class T> struct Eight {
  static constexpr int size = int(sizeof(T)), words = 2 * size;
  u32 word[words];

  /// `bytes` of them from byte `at` on.
  template <int bytes> __device__ __forceinline__ void take(int at, const Piece &p) {
    if constexpr (bytes >= 4) {
#pragma unroll
      for (int w = 0; w < bytes / 4; ++w)
        word[at / 4 + w] = p.word[w];
    } else {
      word[at / 4] = (at % 4 ? word[at / 4] : 0) | p.word[0] << (at % 4 * 8);
    }
  }
  template <int bytes> __device__ __forceinline__ Piece piece(int at) const {
    Piece p{};
    if constexpr (bytes >= 4) {
#pragma unroll
      for (int w = 0; w < bytes / 4; ++w)
        p.word[w] = word[at / 4 + w];
    } else {
      p.word[0] = word[at / 4] >> (at % 4 * 8);
    }
    return p;
  }
  __device__ __forceinline__ u32 bits(int e) const {
    return word[e * size / 4] >> (e * size % 4 * 8);
  }
};

/// Values first .. first + 7 of a tile, converted; bits as they are where the types agree.
template <class T, class S, int count>
__device__ __forceinline__ void setEight(Values<S, count> &f, int first, const Eight<T> &x) {
  if constexpr (isSame<T, S> && sizeof(T) == 2) {
#pragma unroll
    for (int w = 0; w < 4; ++w)
      f.v[first / 2 + w] = x.word[w];
  } else if constexpr (isSame<T, S> && sizeof(T) == 1) {
#pragma unroll
    for (int h = 0; h < 4; ++h)
      f.v[first / 2 + h] = u16(x.bits(2 * h));
  } else {
#pragma unroll
    for (int e = 0; e < 8; e += 2)
      f.put(first + e, valueOf(elementOf<T>(x.bits(e))), valueOf(elementOf<T>(x.bits(e + 1))));
  }
}
template <class T, class S, int count>
__device__ __forceinline__ Eight<T> eightOf(const Values<S, count> &f, int first) {
  Eight<T> x;
#pragma unroll
  for (int e = 0; e < 8; e += 2)
    if constexpr (isSame<T, S> && sizeof(T) == 2)
      x.word[e / 2] = f.v[(first + e) / 2];
    else if constexpr (isSame<T, S> && sizeof(T) == 1)
      x.word[e / 4] = (e % 4 ? x.word[e / 4] : 0) | u32(f.v[(first + e) / 2]) << (e % 4 * 8);
    else if constexpr (isFloat8<T>)
      x.word[e / 4] = (e % 4 ? x.word[e / 4] : 0) |
                      Convert<T>::pack(f.get(first + e), f.get(first + e + 1)) << (e % 4 * 8);
    else if constexpr (sizeof(T) == 2)
      x.word[e / 2] = Convert<T>::pack(f.get(first + e), f.get(first + e + 1));
    else {
      x.word[e] = elementBits(T(f.get(first + e)));
      x.word[e + 1] = elementBits(T(f.get(first + e + 1)));
    }
  return x;
}

/// How a tile reaches over the edges of a tensor: not at all, by whole accesses, by elements.
enum class Edge { none, accesses, elements };

/// Eight columns from `col` on of a row, in accesses of `bytes`; those of one element may lie
/// apart. The row has `last` columns.
template <int bytes, Edge edge, class T>
__device__ __forceinline__ Eight<T> loadEight(const T *row, i64 stride, int col, int last) {
  constexpr int size = int(sizeof(T)), elements = bytes / size;
  Eight<T> x;
#pragma unroll
  for (int e = 0; e < 8; e += elements) {
    const T *from = row + (col + e) * (elements > 1 ? 1 : stride);
    Piece p{};
    if constexpr (edge == Edge::elements)
      p = loadPiece<T, bytes>(from, insideAlong<elements>(col + e, last));
    else if (edge == Edge::none || inside(col + e, last))
      p = loadGlobal<bytes>(from);
    x.template take<bytes>(e * size, p);
  }
  return x;
}
/// Eight columns of a row that start at any element: the whole pieces around them.
template <class T> struct AroundEight {
  static constexpr int size = int(sizeof(T)), elements = 16 / size, pieces = 8 / elements;
  Straddling around[pieces];

  __device__ __forceinline__ void load(const T *from) {
#pragma unroll
    for (int p = 0; p < pieces; ++p)
      around[p].load(u64(from + p * elements));
  }
  /// Those in front of `count`, zeros behind them.
  __device__ __forceinline__ Eight<T> first(const T *from, int count) const {
    Eight<T> x;
#pragma unroll
    for (int p = 0; p < pieces; ++p)
      x.template take<16>(p * 16, firstElements<size>(around[p].piece(u64(from + p * elements)),
                                                      count - p * elements));
    return x;
  }
};

/// Those from any element on, side by side: from the whole pieces around them, which have none
/// beyond the row if `last` is 16 bytes further on.
template <class T> __device__ __forceinline__ Eight<T> loadEightAround(const T *from) {
  AroundEight<T> around;
  around.load(from);
  return around.first(from, 8);
}
template <int bytes, Edge edge, class T>
__device__ __forceinline__ void storeEight(T *row, i64 stride, int col, int last,
                                           const Eight<T> &x) {
  constexpr int size = int(sizeof(T)), elements = bytes / size;
#pragma unroll
  for (int e = 0; e < 8; e += elements) {
    T *to = row + (col + e) * (elements > 1 ? 1 : stride);
    const Piece p = x.template piece<bytes>(e * size);
    if constexpr (edge == Edge::elements)
      storePiece<T, bytes>(to, p, insideAlong<elements>(col + e, last));
    else if (edge == Edge::none || inside(col + e, last))
      storeGlobal<bytes>(to, p);
  }
}

/// Of elements of 4 bytes, side by side: each access of a pair of lanes is a sector of memory, 32
/// bytes, of what one of them has. Stores of half a sector are slower (0.93 of a copy).
template <Edge edge, class T>
__device__ __forceinline__ void storeEightByPairs(T *row, int col, int last, const Eight<T> &x) {
  const bool odd = laneOfWarp() % 2;
  Piece low, high;
#pragma unroll
  for (int w = 0; w < 4; ++w) {
    const u32 other = laneXor(odd ? x.word[w] : x.word[w + 4], 1);
    low.word[w] = odd ? other : x.word[w];
    high.word[w] = odd ? x.word[w + 4] : other;
  }
  const int first = odd ? col - 4 : col;
  if (edge == Edge::none || inside(first, last))
    storeGlobal<16>(row + first, low);
  if (edge == Edge::none || inside(first + 8, last))
    storeGlobal<16>(row + first + 8, high);
}

/// By a warp.
template <int bytes, Edge edge, class T>
__device__ __forceinline__ void storeEights(T *row, i64 stride, int col, int last,
                                            const Eight<T> &x) {
  if constexpr (sizeof(T) == 4 && bytes == 16 && edge != Edge::elements)
    storeEightByPairs<edge>(row, col, last, x);
  else
    storeEight<bytes, edge>(row, stride, col, last, x);
}

/// The edge of a tile of rows x cols, the same for all lanes.
template <int elements, class T>
__device__ __forceinline__ Edge edgeOf(const Window<T> &w, int rows, int cols) {
  if (w.row >= 0 && w.col >= 0 && w.row + rows <= w.rows && w.col + cols <= w.cols)
    return Edge::none;
  return w.cols % elements == 0 && w.col % elements == 0 ? Edge::accesses : Edge::elements;
}

template <int bytes, Edge edge, class T, class S, int rows, int N>
__device__ __forceinline__ void loadBlockedBy(Blocked<S, rows, N> &f, const Window<T> &w,
                                              int warp) {
#pragma unroll
  for (int i = 0; i < rows * N / 32; i += 8) {
    const int row = w.row + blockedRow<rows>(f.rowIndex(i), warp);
    const int last = inside(row, w.rows) ? w.cols : 0;
    setEight(f, i,
             loadEight<bytes, edge>(w.base + row * w.rowStride, w.colStride,
                                    w.col + blockedCol(f.colIndex(i)), last));
  }
}
/// Global -> registers, `bytes` at a time; zero where the tensor has no element.
template <int warps, int bytes, class T, class S, int rows, int N>
__device__ __forceinline__ void loadBlocked(Blocked<S, rows, N> &f, const Window<T> &w, int warp) {
  const Edge edge = edgeOf<bytes / int(sizeof(T))>(w, rows * warps, N);
  if (edge == Edge::none)
    loadBlockedBy<bytes, Edge::none>(f, w, warp);
  else if (edge == Edge::accesses)
    loadBlockedBy<bytes, Edge::accesses>(f, w, warp);
  else
    loadBlockedBy<bytes, Edge::elements>(f, w, warp);
}

template <int bytes, Edge edge, class T, class S, int rows, int N>
__device__ __forceinline__ void storeBlockedBy(const Window<T> &w, const Blocked<S, rows, N> &f,
                                               int warp) {
#pragma unroll
  for (int i = 0; i < rows * N / 32; i += 8) {
    const int row = w.row + blockedRow<rows>(f.rowIndex(i), warp);
    const int last = inside(row, w.rows) ? w.cols : 0;
    storeEights<bytes, edge>(w.base + row * w.rowStride, w.colStride,
                             w.col + blockedCol(f.colIndex(i)), last, eightOf<T>(f, i));
  }
}
/// Registers -> global, converted to T; elements outside the tensor are skipped.
template <int warps, int bytes, class T, class S, int rows, int N>
__device__ __forceinline__ void storeBlocked(const Window<T> &w, const Blocked<S, rows, N> &f,
                                             int warp) {
  const Edge edge = edgeOf<bytes / int(sizeof(T))>(w, rows * warps, N);
  if (edge == Edge::none)
    storeBlockedBy<bytes, Edge::none>(w, f, warp);
  else if (edge == Edge::accesses)
    storeBlockedBy<bytes, Edge::accesses>(w, f, warp);
  else
    storeBlockedBy<bytes, Edge::elements>(w, f, warp);
}

/// A row vector stands for a column of the tensor, a column vector for a row.
template <int warps, class T, class S, int rows>
__device__ __forceinline__ void
storeBlockedRowVector(const Window<T> &w, const BlockedRowVector<S, rows> &f, int warp) {
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int row = w.row + blockedRow<rows>(r, warp);
    if (laneOfWarp() == 0 && inside(row, w.rows) && inside(w.col, w.cols))
      w.base[row * w.rowStride + w.col * w.colStride] = Convert<T>::from(f.get(r));
  }
}
template <int warps, class T, class S, int rows>
__device__ __forceinline__ void loadBlockedRowVector(BlockedRowVector<S, rows> &f,
                                                     const Window<T> &w, int warp) {
  decltype(f.get(0)) x[(rows + 1) / 2 * 2] = {};
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int row = w.row + blockedRow<rows>(r, warp);
    const bool in = inside(row, w.rows) && inside(w.col, w.cols);
    if (in)
      x[r] = valueOf(w.base[row * w.rowStride + w.col * w.colStride]);
  }
#pragma unroll
  for (int r = 0; r < rows; r += 2)
    f.put(r, x[r], x[r + 1]);
}
template <int bytes, class T, class S, int N>
__device__ __forceinline__ void loadBlockedColVector(BlockedColVector<S, N> &f,
                                                     const Window<T> &w) {
  constexpr int size = int(sizeof(T));
  const int last = inside(w.row, w.rows) ? w.cols : 0;
  T *const line = w.base + w.row * w.rowStride;
  if constexpr (N < 256) {
    constexpr int values = BlockedColVector<S, N>::values;
    decltype(f.get(0)) x[(values + 1) / 2 * 2] = {};
#pragma unroll
    for (int i = 0; i < values; ++i)
      if (const int col = w.col + f.column(i); inside(col, last))
        x[i] = valueOf(line[col * w.colStride]);
#pragma unroll
    for (int i = 0; i < values; i += 2)
      f.put(i, x[i], x[i + 1]);
  } else {
#pragma unroll
    for (int i = 0; i < N / 32; i += 8) {
      const int col = w.col + blockedCol(i), begin = w.col + i * 32, end = begin + 256;
      // The same for all lanes.
      if (bytes == size && size > 1 && w.colStride == 1 && begin >= 0 && end + 16 / size <= last)
        setEight(f, i, loadEightAround(line + col));
      else if (begin >= 0 && end <= last)
        setEight(f, i, loadEight<bytes, Edge::none>(line, w.colStride, col, last));
      else if (end <= 0 || begin >= last)
        setEight(f, i, Eight<T>());
      else if (w.cols % (bytes / size) == 0)
        setEight(f, i, loadEight<bytes, Edge::accesses>(line, w.colStride, col, last));
      else
        setEight(f, i, loadEight<bytes, Edge::elements>(line, w.colStride, col, last));
    }
  }
}

/// Shared -> registers, from (row0, col0) of the slot on; col0 is a multiple of 8.
template <class Tile, int warps, class S, int rows, int N>
__device__ __forceinline__ void loadBlockedShared(Blocked<S, rows, N> &f, u32 from, int row0,
                                                  int col0, int warp) {
  using T = typename Tile::Element;
  constexpr int size = int(sizeof(T)), together = size < 2 ? 8 : 16;
  constexpr int bytes = Tile::minorDimension == 1 ? together : size, elements = bytes / size;
#pragma unroll
  for (int i = 0; i < rows * N / 32; i += 8) {
    const int row = row0 + blockedRow<rows>(f.rowIndex(i), warp);
    const int col = col0 + blockedCol(f.colIndex(i));
    Eight<T> x;
#pragma unroll
    for (int e = 0; e < 8; e += elements)
      x.template take<bytes>(e * size, loadShared<bytes>(from + Tile::offset(row, col + e)));
    setEight(f, i, x);
  }
}
/// The same the other way, converted to the tile's type.
template <class Tile, int warps, class S, int rows, int N>
__device__ __forceinline__ void storeBlockedShared(u32 to, int row0, int col0,
                                                   const Blocked<S, rows, N> &f, int warp) {
  using T = typename Tile::Element;
  constexpr int size = int(sizeof(T)), together = size < 2 ? 8 : 16;
  constexpr int bytes = Tile::minorDimension == 1 ? together : size, elements = bytes / size;
#pragma unroll
  for (int i = 0; i < rows * N / 32; i += 8) {
    const int row = row0 + blockedRow<rows>(f.rowIndex(i), warp);
    const int col = col0 + blockedCol(f.colIndex(i));
    const Eight<T> x = eightOf<T>(f, i);
#pragma unroll
    for (int e = 0; e < 8; e += elements)
      storeShared<bytes>(to + Tile::offset(row, col + e), x.template piece<bytes>(e * size));
  }
}

/// Registers -> shared: the number of a row in column col0 of the slot.
template <class Tile, int warps, class S, int rows>
__device__ __forceinline__ void storeBlockedRowVectorShared(u32 to, int row0, int col0,
                                                            const BlockedRowVector<S, rows> &f,
                                                            int warp) {
  using T = typename Tile::Element;
#pragma unroll
  for (int r = 0; r < rows; ++r)
    if (laneOfWarp() == 0)
      storeShared<sizeof(T)>(to + Tile::offset(row0 + blockedRow<rows>(r, warp), col0),
                             Piece{{elementBits(Convert<T>::from(f.get(r)))}});
}
/// The same into the slot of a peer; both addresses are of the cluster.
template <class Tile, int warps, class S, int rows>
__device__ __forceinline__ void storeBlockedRowVectorToPeer(u32 to, int row0, int col0,
                                                            const BlockedRowVector<S, rows> &f,
                                                            u32 barrier, int warp) {
  static_assert(sizeof(typename Tile::Element) == 4, "a word for each row");
#pragma unroll
  for (int r = 0; r < rows; ++r)
    if (laneOfWarp() == 0)
      storeToPeer<4>(to + Tile::offset(row0 + blockedRow<rows>(r, warp), col0),
                     Piece{{elementBits(f.get(r))}}, barrier);
}
/// Shared -> registers: column col0 of the slot, for every lane its own or all of it. Numbers that
/// lie side by side come `bytes` at a time.
template <class Tile, int bytes, class S, int N>
__device__ __forceinline__ void loadBlockedColVectorShared(BlockedColVector<S, N> &f, u32 from,
                                                           int row0, int col0) {
  using T = typename Tile::Element;
  constexpr int size = int(sizeof(T)), together = bytes / size,
                values = BlockedColVector<S, N>::values;
  static_assert(N < 256 && values % together == 0, "few columns");
  static_assert(together == 1 || (size == 4 && lanesOfShort<N> == 1), "words side by side");
  decltype(f.get(0)) x[(values + 1) / 2 * 2] = {};
#pragma unroll
  for (int i = 0; i < values; i += together) {
    const Piece piece = loadShared<bytes>(from + Tile::offset(row0 + f.column(i), col0));
#pragma unroll
    for (int e = 0; e < together; ++e)
      x[i + e] = valueOf(elementOf<T>(piece.word[e]));
  }
#pragma unroll
  for (int i = 0; i < values; i += 2)
    f.put(i, x[i], x[i + 1]);
}

#endif // SLUICE_HOST

} // namespace sluice

// Copies between the registers of a role and global or shared memory.
#pragma once

#include <sluice/copy.cuh>
#include <sluice/fragment.cuh>

namespace sluice {

/// Values i (even) and i + 1 as a piece of type T; bits as they are where the types agree.
template <class T, class S, int size>
__device__ __forceinline__ Piece pairOf(const Values<S, size> &f, int i) {
  if constexpr (sizeof(T) == 4)
    return Piece{{elementBits(T(f.get(i))), elementBits(T(f.get(i + 1)))}};
  else if constexpr (isSame<T, S>)
    return Piece{{f.v[i / 2]}};
  else
    return Piece{{Convert<T>::pack(f.get(i), f.get(i + 1))}};
}

/// Values i (even) and i + 1 from a piece of their own type.
template <int size>
__device__ __forceinline__ void setPair(Values<float, size> &f, int i, const Piece &p) {
  f.put(i, __uint_as_float(p.word[0]), __uint_as_float(p.word[1]));
}
template <int size>
__device__ __forceinline__ void setPair(Values<int, size> &f, int i, const Piece &p) {
  f.put(i, int(p.word[0]), int(p.word[1]));
}
template <class T, int size>
__device__ __forceinline__ void setPair(Values<T, size> &f, int i, const Piece &p) {
  f.v[i / 2] = p.word[0];
}

/// Registers -> global, converted to T; elements outside the tensor are skipped. `paired`: columns
/// are contiguous and the first of every pair lies at a multiple of two elements. `checked`: the
/// tile may reach over the edge. From column `first` on.
template <int warps, bool paired, bool checked, int first = 0, class T, class Frag>
__device__ __forceinline__ void storeFragmentRows(const Window<T> &w, const Frag &f, int warp) {
  const i64 stride = paired ? 1 : w.colStride;
  const int firstCol = w.col + fragmentCol(0);
#pragma unroll
  for (int r = 0; r < 2 * Frag::rowBlocks; ++r) {
    int row = w.row + fragmentRow<warps>(r, warp);
    if (checked && !inside(row, w.rows))
      continue;
    T *line = w.base + row * w.rowStride + firstCol * stride;
#pragma unroll
    for (int j = first / 8; j < Frag::columns / 8; ++j) {
      int i = r / 2 * (Frag::columns / 2) + 4 * j + r % 2 * 2;
      T *to = line + 8 * j * stride;
      bool one = !checked || inside(firstCol + 8 * j, w.cols);
      bool other = !checked || inside(firstCol + 8 * j + 1, w.cols);
      if (paired && one && other) {
        storeGlobal<2 * sizeof(T)>(to, pairOf<T>(f, i));
        continue;
      }
      if (one)
        *to = Convert<T>::from(f.get(i));
      if (other)
        to[stride] = Convert<T>::from(f.get(i + 1));
    }
  }
}

/// Lane l of four has word i of its piece from word l of lane i's: a 4 x 4 matrix is transposed.
__device__ __forceinline__ void exchangeInQuad(Piece &p) {
#pragma unroll
  for (int mask = 1; mask <= 2; mask *= 2) {
    const bool upper = laneOfWarp() & mask;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (i & mask)
        continue;
      const u32 got = laneXor(upper ? p.word[i] : p.word[i + mask], mask);
      p.word[i] = upper ? got : p.word[i];
      p.word[i + mask] = upper ? p.word[i + mask] : got;
    }
  }
}

/// The same for 16-bit types whose rows are whole pieces of 16 bytes: four lanes together have 64
/// bytes of a row of 32 columns. Columns beyond a multiple of 32 go by pairs.
template <int warps, bool checked, class T, class Frag>
__device__ __forceinline__ void storeFragmentLines(const Window<T> &w, const Frag &f, int warp) {
  static_assert(sizeof(T) == 2, "8 elements are 16 bytes");
  constexpr int together = 32, whole = Frag::columns / together * together;
  const int firstCol = w.col + laneOfWarp() % 4 * 8;
#pragma unroll
  for (int r = 0; r < 2 * Frag::rowBlocks; ++r) {
    const int row = w.row + fragmentRow<warps>(r, warp);
    T *line = w.base + row * w.rowStride + firstCol;
#pragma unroll
    for (int col = 0; col < whole; col += together) {
      Piece p;
#pragma unroll
      for (int j = 0; j < 4; ++j)
        p.word[j] = pairOf<T>(f, r / 2 * (Frag::columns / 2) + col / 2 + 4 * j + r % 2 * 2).word[0];
      exchangeInQuad(p);
      if (!checked)
        storeGlobal<16>(line + col, p);
      else if (inside(row, w.rows))
        storePiece<T, 16>(line + col, p, insideAlong<8>(firstCol + col, w.cols));
    }
  }
  if constexpr (whole < Frag::columns)
    storeFragmentRows<warps, true, checked, whole>(w, f, warp);
}

/// `bytes` that may be stored at once: those of an element, of two in a row, or 16.
template <int warps, int bytes, bool checked, class T, class Frag>
__device__ __forceinline__ void storeFragmentBy(const Window<T> &w, const Frag &f, int warp) {
  if constexpr (bytes == 16)
    storeFragmentLines<warps, checked>(w, f, warp);
  else
    storeFragmentRows<warps, bytes != sizeof(T), checked>(w, f, warp);
}
template <int warps, int bytes, class T, class Frag>
__device__ __forceinline__ void storeFragment(const Window<T> &w, const Frag &f, int warp) {
  constexpr int rows = 16 * warps * Frag::rowBlocks;
  if (bytes != sizeof(T) && w.row >= 0 && w.col >= 0 && w.row + rows <= w.rows &&
      w.col + Frag::columns <= w.cols)
    storeFragmentBy<warps, bytes, false>(w, f, warp);
  else
    storeFragmentBy<warps, bytes, true>(w, f, warp);
}

/// Global -> registers; zero where the tensor has no element.
template <int warps, class T, class Frag>
__device__ __forceinline__ void loadFragment(Frag &f, const Window<T> &w, int warp) {
#pragma unroll
  for (int i = 0; i < Frag::count; i += 2) {
    int row = w.row + fragmentRow<warps>(Frag::rowIndex(i), warp);
    int col = w.col + fragmentCol(Frag::colIndex(i));
    const T *from = w.base + row * w.rowStride + col * w.colStride;
    bool in = inside(row, w.rows);
    const auto x0 = valueOf(in && inside(col, w.cols) ? *from : T{});
    const auto x1 = valueOf(in && inside(col + 1, w.cols) ? from[w.colStride] : T{});
    f.put(i, x0, x1);
  }
}

/// A row vector stands for a column of the tensor, a column vector for a row.
template <int warps, class T, class S, int blocks>
__device__ __forceinline__ void storeRowVector(const Window<T> &w, const RowVector<S, blocks> &f,
                                               int warp) {
#pragma unroll
  for (int i = 0; i < 2 * blocks; ++i) {
    int row = w.row + fragmentRow<warps>(i, warp);
    if (laneOfWarp() % 4 == 0 && inside(row, w.rows) && inside(w.col, w.cols))
      w.base[row * w.rowStride + w.col * w.colStride] = Convert<T>::from(f.get(i));
  }
}
template <int warps, class T, class S, int blocks>
__device__ __forceinline__ void loadRowVector(RowVector<S, blocks> &f, const Window<T> &w,
                                              int warp) {
#pragma unroll
  for (int i = 0; i < 2 * blocks; i += 2) {
    float x[2];
#pragma unroll
    for (int e = 0; e < 2; ++e) {
      int row = w.row + fragmentRow<warps>(i + e, warp);
      bool in = inside(row, w.rows) && inside(w.col, w.cols);
      x[e] = in ? toFloat(w.base[row * w.rowStride + w.col * w.colStride]) : 0.0f;
    }
    f.put(i, x[0], x[1]);
  }
}
template <class T, class S, int N>
__device__ __forceinline__ void loadColVector(ColVector<S, N> &f, const Window<T> &w) {
  typename ColVector<S, N>::Held &held = f;
  const T *row = w.base + w.row * w.rowStride;
  const int last = inside(w.row, w.rows) ? min(w.cols, w.col + N) : 0;
#pragma unroll
  for (int first = 0; first < N; first += 64) {
    const int col = w.col + first + 2 * laneOfWarp();
    const T *from = row + col * w.colStride;
    held.put(first / 32, inside(col, last) ? toFloat(*from) : 0.0f,
             inside(col + 1, last) ? toFloat(from[w.colStride]) : 0.0f);
  }
}

/// Registers -> shared, converted to the tile's type, at (row0, col0) of the slot.
template <class Tile, int warps, class Frag>
__device__ __forceinline__ void storeFragmentShared(u32 to, int row0, int col0, const Frag &f,
                                                    int warp) {
  using T = typename Tile::Element;
#pragma unroll
  for (int i = 0; i < Frag::count; i += 2) {
    int row = row0 + fragmentRow<warps>(Frag::rowIndex(i), warp);
    int col = col0 + fragmentCol(Frag::colIndex(i));
    if constexpr (Tile::minorDimension == 1) {
      storeShared<2 * sizeof(T)>(to + Tile::offset(row, col), pairOf<T>(f, i));
    } else {
#pragma unroll
      for (int e = 0; e < 2; ++e)
        storeShared<sizeof(T)>(to + Tile::offset(row, col + e),
                               Piece{{elementBits(Convert<T>::from(f.get(i + e)))}});
    }
  }
}

/// The same for tiles of 16-bit elements with contiguous columns, by matrices of 8 x 8: a lane
/// gives the address of one row of 16 bytes. col0 is a multiple of 8. PTX ISA "stmatrix".
template <class Tile, int warps, class Frag>
__device__ __forceinline__ void storeFragmentMatrices(u32 to, int row0, int col0, const Frag &f,
                                                      int warp) {
  using T = typename Tile::Element;
  static_assert(sizeof(T) == 2 && Tile::minorDimension == 1 && Frag::columns % 16 == 0 &&
                    (Tile::swizzle || Tile::lineBytes % 16 == 0),
                "rows of 8 elements are whole and aligned");
  int lane = laneOfWarp();
#pragma unroll
  for (int i = 0; i < Frag::count; i += 8) {
    int block = i / (Frag::columns / 2), col = i % (Frag::columns / 2) / 4 * 8;
    int row = (block * (warps / 4) + warp / 4) * 64 + warp % 4 * 16 + lane % 16;
    storeMatrices(to + Tile::offset(row0 + row, col0 + col + lane / 16 * 8),
                  pairOf<T>(f, i).word[0], pairOf<T>(f, i + 2).word[0], pairOf<T>(f, i + 4).word[0],
                  pairOf<T>(f, i + 6).word[0]);
  }
}

/// Matrices of 8 x 8 of a fragment in a tile with contiguous rows: a lane gives the address of 8
/// rows of one column. Those of value i go together with those of the 8 columns to the right, if
/// there are any.
template <class Tile, int warps, class Frag> struct TransposedMatrices {
  static_assert(sizeof(typename Tile::Element) == 2 && Tile::minorDimension == 0 && Tile::swizzle,
                "columns of 8 elements are whole and aligned");
  static constexpr int half = Frag::columns / 2; // values of a block of 64 rows

  static __device__ __forceinline__ constexpr int column(int i) { return i % half / 4 * 8; }
  static __device__ __forceinline__ constexpr bool isFirst(int i) { return column(i) % 16 == 0; }
  static __device__ __forceinline__ constexpr bool isPair(int i) {
    return isFirst(i) && column(i) + 8 < Frag::columns;
  }
  static __device__ __forceinline__ u32 address(u32 slot, int row0, int col0, int i, int warp) {
    const int lane = laneOfWarp();
    const int row = (i / half * (warps / 4) + warp / 4) * 64 + warp % 4 * 16 + lane / 8 % 2 * 8;
    return slot +
           Tile::offset(row0 + row, col0 + column(i) + isPair(i) * (lane / 16 * 8) + lane % 8);
  }
};

/// The same for tiles with contiguous rows. row0 is a multiple of 8. PTX ISA "stmatrix", .trans.
template <class Tile, int warps, class Frag>
__device__ __forceinline__ void storeFragmentTransposed(u32 to, int row0, int col0, const Frag &f,
                                                        int warp) {
  using T = typename Tile::Element;
  using Matrices = TransposedMatrices<Tile, warps, Frag>;
#pragma unroll
  for (int i = 0; i < Frag::count; i += 4) {
    if (!Matrices::isFirst(i))
      continue; // stored with its left neighbour
    const u32 at = Matrices::address(to, row0, col0, i, warp);
    if (Matrices::isPair(i))
      storeTransposed(at, pairOf<T>(f, i).word[0], pairOf<T>(f, i + 2).word[0],
                      pairOf<T>(f, i + 4).word[0], pairOf<T>(f, i + 6).word[0]);
    else
      storeTransposed(at, pairOf<T>(f, i).word[0], pairOf<T>(f, i + 2).word[0]);
  }
}

/// Registers -> shared memory of a peer, at (row0, col0) of the slot; the tile has the fragment's
/// type. Columns go in pairs where they are contiguous.
template <class Tile, int warps, class Frag>
__device__ __forceinline__ void storeFragmentToPeer(u32 to, int row0, int col0, const Frag &f,
                                                    u32 barrier, int warp) {
  using T = typename Tile::Element;
  static_assert(isSame<T, typename Frag::Element> && (Tile::minorDimension == 1 || sizeof(T) == 4),
                "words of the tile's own type");
#pragma unroll
  for (int i = 0; i < Frag::count; i += 2) {
    int row = row0 + fragmentRow<warps>(Frag::rowIndex(i), warp);
    int col = col0 + fragmentCol(Frag::colIndex(i));
    if constexpr (Tile::minorDimension == 1) {
      storeToPeer<2 * sizeof(T)>(to + Tile::offset(row, col), pairOf<T>(f, i), barrier);
    } else {
#pragma unroll
      for (int e = 0; e < 2; ++e)
        storeToPeer<4>(to + Tile::offset(row, col + e), Piece{{elementBits(f.get(i + e))}},
                       barrier);
    }
  }
}
/// A row vector stands for a column of the tile; one lane of the four that hold a row stores it.
template <class Tile, int warps, int blocks>
__device__ __forceinline__ void storeRowVectorToPeer(u32 to, int row0, int col0,
                                                     const RowVector<float, blocks> &f, u32 barrier,
                                                     int warp) {
#pragma unroll
  for (int i = 0; i < 2 * blocks; ++i)
    if (laneOfWarp() % 4 == 0)
      storeToPeer<4>(to + Tile::offset(row0 + fragmentRow<warps>(i, warp), col0),
                     Piece{{elementBits(f.get(i))}}, barrier);
}

/// Registers -> shared: a row vector stands for column col0 of the slot; one lane of the four that
/// hold a row stores it, converted to the tile's type.
template <class Tile, int warps, class S, int blocks>
__device__ __forceinline__ void storeRowVectorShared(u32 to, int row0, int col0,
                                                     const RowVector<S, blocks> &f, int warp) {
  using T = typename Tile::Element;
#pragma unroll
  for (int i = 0; i < 2 * blocks; ++i)
    if (laneOfWarp() % 4 == 0)
      storeShared<sizeof(T)>(to + Tile::offset(row0 + fragmentRow<warps>(i, warp), col0),
                             Piece{{elementBits(Convert<T>::from(f.get(i)))}});
}
/// The same the other way, for every lane.
template <class Tile, int warps, class S, int blocks>
__device__ __forceinline__ void loadRowVectorShared(RowVector<S, blocks> &f, u32 from, int row0,
                                                    int col0, int warp) {
  using T = typename Tile::Element;
  const auto value = [&](int i) {
    const u32 at = from + Tile::offset(row0 + fragmentRow<warps>(i, warp), col0);
    return valueOf(elementOf<T>(loadShared<sizeof(T)>(at).word[0]));
  };
#pragma unroll
  for (int i = 0; i < 2 * blocks; i += 2)
    f.put(i, value(i), value(i + 1));
}

/// Shared -> registers. Neighbours in a line come at once where the types agree.
template <class Tile, int warps, class Frag>
__device__ __forceinline__ void loadFragmentShared(Frag &f, u32 from, int row0, int col0,
                                                   int warp) {
  using T = typename Tile::Element;
#pragma unroll
  for (int i = 0; i < Frag::count; i += 2) {
    int row = row0 + fragmentRow<warps>(Frag::rowIndex(i), warp);
    int col = col0 + fragmentCol(Frag::colIndex(i));
    if constexpr (Tile::minorDimension == 1 && isSame<T, typename Frag::Element>) {
      setPair(f, i, loadShared<2 * sizeof(T)>(from + Tile::offset(row, col)));
    } else if constexpr (Tile::minorDimension == 1 && isSame<T, s8>) {
      const u32 pair = loadShared<2>(from + Tile::offset(row, col)).word[0];
      f.put(i, toFloat(elementOf<s8>(pair)), toFloat(elementOf<s8>(pair >> 8)));
    } else {
      decltype(valueOf(T{})) x[2];
#pragma unroll
      for (int e = 0; e < 2; ++e)
        x[e] =
            valueOf(elementOf<T>(loadShared<sizeof(T)>(from + Tile::offset(row, col + e)).word[0]));
      f.put(i, x[0], x[1]);
    }
  }
}

/// The same for tiles and fragments of one 16-bit type with contiguous columns, by matrices of 8 x
/// 8, as storeFragmentMatrices stores them. PTX ISA "ldmatrix".
template <class Tile, int warps, class Frag>
__device__ __forceinline__ void loadFragmentMatrices(Frag &f, u32 from, int row0, int col0,
                                                     int warp) {
  static_assert(isSame<typename Tile::Element, typename Frag::Element> &&
                    sizeof(typename Tile::Element) == 2 && Tile::minorDimension == 1 &&
                    Frag::columns % 16 == 0 && (Tile::swizzle || Tile::lineBytes % 16 == 0),
                "rows of 8 elements are whole and aligned");
  int lane = laneOfWarp();
#pragma unroll
  for (int i = 0; i < Frag::count; i += 8) {
    int block = i / (Frag::columns / 2), col = i % (Frag::columns / 2) / 4 * 8;
    int row = (block * (warps / 4) + warp / 4) * 64 + warp % 4 * 16 + lane % 16;
    loadMatrices(from + Tile::offset(row0 + row, col0 + col + lane / 16 * 8), f.v[i / 2],
                 f.v[i / 2 + 1], f.v[i / 2 + 2], f.v[i / 2 + 3]);
  }
}

/// The same for tiles with contiguous rows, as storeFragmentTransposed stores them. PTX ISA
/// "ldmatrix", .trans.
template <class Tile, int warps, class Frag>
__device__ __forceinline__ void loadFragmentTransposed(Frag &f, u32 from, int row0, int col0,
                                                       int warp) {
  using Matrices = TransposedMatrices<Tile, warps, Frag>;
  static_assert(isSame<typename Tile::Element, typename Frag::Element>, "values as they are");
#pragma unroll
  for (int i = 0; i < Frag::count; i += 4) {
    if (!Matrices::isFirst(i))
      continue; // loaded with its left neighbour
    const u32 at = Matrices::address(from, row0, col0, i, warp);
    u32 *const v = f.v + i / 2;
    if (Matrices::isPair(i))
      loadTransposed(at, v[0], v[1], v[2], v[3]);
    else
      loadTransposed(at, v[0], v[1]);
  }
}

} // namespace sluice
